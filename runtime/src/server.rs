//! The server side: from an HTTP request to a method of a trait, and from its result to the response.

mod answer;
mod body;
mod body_reader;
mod call;
mod download;
mod endpoint;
mod failure;
mod handle;
mod incoming;
mod media_type;
#[cfg(feature = "multipart-read")]
mod multipart_reader;
#[cfg(feature = "multipart-write")]
mod multipart_writer;
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

pub use answer::Answer;
pub use body::Body;
pub use body_reader::BodyReader;
pub use call::Call;
pub use download::Download;
pub use failure::{Any, Common, Declares, DeclaresAny, Fails, Failure, Status};
pub use handle::{Credentials, Identify, Request, Serve, anyone, authenticate, authenticate_optional};
#[cfg(feature = "multipart-read")]
pub use multipart_reader::{FilePart, MultipartReader};
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
