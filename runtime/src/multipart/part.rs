//! Files that are sent in multipart bodies.

use std::error::Error;
use std::io;
use std::path::Path;

use bytes::Bytes;
use futures_core::Stream;

use crate::piece::Piece;

/// A file that is sent in a multipart body.
#[derive(Debug)]
pub struct Part {
    pub(super) file_name: Option<String>,
    pub(crate) content_type: Option<String>,
    pub(super) headers: Vec<(String, String)>,
    pub(crate) piece: Piece,
}

impl Part {
    /// A file, which is read while it is sent, under its own name.
    pub async fn file(path: impl AsRef<Path>) -> io::Result<Self> {
        let path = path.as_ref();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        Ok(Self::new(name, Piece::file(path).await?))
    }

    /// Bytes as a file with the given name.
    pub fn bytes(file_name: impl Into<String>, bytes: impl Into<Bytes>) -> Self {
        Self::new(Some(file_name.into()), Piece::Bytes(bytes.into()))
    }

    /// The items of a stream as a file with the given name. A stream can be sent only once, so a call with it is never
    /// retried.
    pub fn stream<S, E>(file_name: impl Into<String>, stream: S) -> Self
    where
        S: Stream<Item = Result<Bytes, E>> + Send + 'static,
        E: Into<Box<dyn Error + Send + Sync>> + 'static,
    {
        Self::new(Some(file_name.into()), Piece::stream(stream))
    }

    fn new(file_name: Option<String>, piece: Piece) -> Self {
        Self { file_name, content_type: None, headers: Vec::new(), piece }
    }

    /// Sets the file name.
    #[must_use]
    pub fn file_name(mut self, file_name: impl Into<String>) -> Self {
        self.file_name = Some(file_name.into());
        self
    }

    /// Sets the media type; the default is the declared one, or `application/octet-stream`.
    #[must_use]
    pub fn content_type(mut self, content_type: impl Into<String>) -> Self {
        self.content_type = Some(content_type.into());
        self
    }

    /// Adds a header of the part, such as `Content-Id`. Characters that a header cannot have are removed.
    #[must_use]
    pub fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// Sets the length of a stream in bytes, which is sent with the body.
    #[must_use]
    pub fn length(mut self, length: u64) -> Self {
        self.piece.set_length(length);
        self
    }
}

/// An empty file without a name.
impl Default for Part {
    fn default() -> Self {
        Self::new(None, Piece::Bytes(Bytes::new()))
    }
}
