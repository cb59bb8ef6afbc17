//! Multipart bodies, in requests and responses.

#[cfg(feature = "multipart-write")]
mod part;
#[cfg(feature = "multipart-read")]
mod reader;
mod with_headers;
#[cfg(feature = "multipart-write")]
mod writer;

#[cfg(feature = "multipart-write")]
pub use part::Part;
#[cfg(feature = "multipart-read")]
pub use reader::{Field, FilePart, MultipartReader, PartDescription, PartError, Parts, ReadError};
#[cfg(feature = "multipart-read")]
pub(crate) use reader::{Limits, boundary};
pub use with_headers::WithHeaders;
#[cfg(feature = "multipart-write")]
pub use writer::MultipartWriter;
#[cfg(all(feature = "client", feature = "multipart-write"))]
pub(crate) use writer::Problem;
#[cfg(feature = "multipart-write")]
pub(crate) use writer::Written;
