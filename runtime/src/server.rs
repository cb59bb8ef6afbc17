//! The server side: from an HTTP request to a method of a trait, and from its result to the response.

mod answer;
mod body;
mod body_reader;
mod call;
mod download;
mod endpoint;
mod failure;
#[cfg(feature = "server-multipart")]
mod file_name;
mod handle;
mod incoming;
mod media_type;
#[cfg(feature = "server-multipart")]
mod multipart;
mod operation;
mod options;
mod parameter_reader;
mod path;
mod problem;
mod reply;
mod request_reader;
#[cfg(feature = "check-responses")]
mod response_checker;
mod routes;
mod security;
#[cfg(feature = "signatures")]
mod signature;
mod target;
#[cfg(feature = "tracing")]
mod trace;
#[cfg(feature = "xml")]
mod xml;

use call::Head;

#[cfg(feature = "server-multipart")]
pub use crate::part::WithHeaders;
pub use answer::Answer;
pub use body::Body;
pub use body_reader::BodyReader;
pub use call::Call;
pub use download::Download;
pub use failure::{Any, Common, Declares, DeclaresAny, Fails, Failure, Status};
pub use handle::{Credentials, Identify, Request, Serve, anyone, authenticate, authenticate_optional};
#[cfg(feature = "server-multipart")]
pub use multipart::{Field, FilePart, Multipart, Part, Parts};
pub use operation::{Content, Operation, RequestBody};
pub use options::{FailureContext, Limits, Options};
pub use parameter_reader::ParameterReader;
pub use problem::problem;
pub use reply::{Reply, status};
pub use request_reader::RequestReader;
pub use routes::Routes;
pub use security::{ApiKey, Basic, Bearer, Requirement, Scheme, SchemeKind};
#[cfg(feature = "signatures")]
pub use signature::{InvalidSecret, Signatures};
pub use target::{Fit, Target};
