//! Bodies of requests: bytes, files and streams, one after the other.

use std::collections::VecDeque;
use std::error::Error;
use std::fmt::{self, Debug, Formatter};
use std::io;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use futures_core::Stream;
use tokio::fs::File;
use tokio_util::io::ReaderStream;

/// The number of bytes of a file that are read at once.
const CHUNK: usize = 64 * 1024;

type BoxStream = Pin<Box<dyn Stream<Item = Result<Bytes, Box<dyn Error + Send + Sync>>> + Send>>;

/// The body of a request in bytes; empty by default.
#[derive(Debug, Default)]
pub struct Body {
    pub(super) content_type: Option<String>,
    pub(super) pieces: Vec<Piece>,
}

/// A piece of a body.
pub(super) enum Piece {
    Bytes(Bytes),
    /// Opened when it is sent, so that it can be sent again.
    File {
        path: PathBuf,
        length: u64,
    },
    Stream {
        stream: BoxStream,
        length: Option<u64>,
    },
}

impl Body {
    /// A body of bytes.
    pub fn bytes(bytes: impl Into<Bytes>) -> Self {
        Self::of(Piece::Bytes(bytes.into()))
    }

    /// A file, which is read while it is sent.
    pub async fn file(path: impl AsRef<Path>) -> io::Result<Self> {
        Ok(Self::of(Piece::file(path.as_ref()).await?))
    }

    /// The items of a stream. A stream can be sent only once, so such a call is never retried.
    pub fn stream<S, E>(stream: S) -> Self
    where
        S: Stream<Item = Result<Bytes, E>> + Send + 'static,
        E: Into<Box<dyn Error + Send + Sync>> + 'static,
    {
        Self::of(Piece::stream(stream))
    }

    /// Sets the media type; the default is the one that the description declares.
    #[must_use]
    pub fn content_type(mut self, content_type: impl Into<String>) -> Self {
        self.content_type = Some(content_type.into());
        self
    }

    /// Sets the length of a stream, which is sent as `Content-Length`.
    #[must_use]
    pub fn length(mut self, length: u64) -> Self {
        self.pieces.iter_mut().for_each(|piece| piece.set_length(length));
        self
    }

    fn of(piece: Piece) -> Self {
        Self { content_type: None, pieces: vec![piece] }
    }

    /// The length of all pieces; `None` if the length of a stream is unknown.
    pub(super) fn total(&self) -> Option<u64> {
        self.pieces.iter().try_fold(0_u64, |total, piece| total.checked_add(piece.length()?))
    }

    /// A copy of the body; `None` if it contains a stream.
    pub(super) fn again(&self) -> Option<Self> {
        let pieces = self.pieces.iter().map(Piece::again).collect::<Option<_>>()?;
        Some(Self { content_type: self.content_type.clone(), pieces })
    }

    pub(super) fn into_sent(mut self) -> reqwest::Body {
        match self.pieces.as_mut_slice() {
            [] => reqwest::Body::from(Bytes::new()),
            [Piece::Bytes(bytes)] => reqwest::Body::from(std::mem::take(bytes)),
            _ => reqwest::Body::wrap_stream(Sending { waiting: self.pieces.into(), current: None }),
        }
    }
}

impl<B: Into<Bytes>> From<B> for Body {
    fn from(bytes: B) -> Self {
        Self::bytes(bytes)
    }
}

impl Piece {
    pub(super) async fn file(path: &Path) -> io::Result<Self> {
        let metadata = File::open(path).await?.metadata().await?;
        if metadata.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        Ok(Self::File { path: path.to_owned(), length: metadata.len() })
    }

    pub(super) fn stream<S, E>(stream: S) -> Self
    where
        S: Stream<Item = Result<Bytes, E>> + Send + 'static,
        E: Into<Box<dyn Error + Send + Sync>> + 'static,
    {
        Self::Stream { stream: Box::pin(Erased(Box::pin(stream))), length: None }
    }

    pub(super) fn set_length(&mut self, known: u64) {
        match self {
            Self::Stream { length, .. } => *length = Some(known),
            Self::Bytes(_) | Self::File { .. } => {}
        }
    }

    fn length(&self) -> Option<u64> {
        match self {
            Self::Bytes(bytes) => u64::try_from(bytes.len()).ok(),
            Self::File { length, .. } => Some(*length),
            Self::Stream { length, .. } => *length,
        }
    }

    fn again(&self) -> Option<Self> {
        match self {
            Self::Bytes(bytes) => Some(Self::Bytes(bytes.clone())),
            Self::File { path, length } => Some(Self::File { path: path.clone(), length: *length }),
            Self::Stream { .. } => None,
        }
    }
}

impl Debug for Piece {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bytes(bytes) => write!(formatter, "{} bytes", bytes.len()),
            Self::File { path, length } => write!(formatter, "{} bytes of {}", length, path.display()),
            Self::Stream { length: Some(length), .. } => write!(formatter, "a stream of {length} bytes"),
            Self::Stream { length: None, .. } => write!(formatter, "a stream"),
        }
    }
}

/// A stream whose errors are boxed.
struct Erased<S>(Pin<Box<S>>);

impl<S, E> Stream for Erased<S>
where
    S: Stream<Item = Result<Bytes, E>>,
    E: Into<Box<dyn Error + Send + Sync>>,
{
    type Item = Result<Bytes, Box<dyn Error + Send + Sync>>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.as_mut().poll_next(context).map(|item| item.map(|chunk| chunk.map_err(Into::into)))
    }
}

/// The pieces that are being sent.
struct Sending {
    waiting: VecDeque<Piece>,
    current: Option<Current>,
}

enum Current {
    Opening(Pin<Box<dyn Future<Output = io::Result<File>> + Send>>),
    Reading(Box<ReaderStream<File>>),
    Stream(BoxStream),
}

impl Stream for Sending {
    type Item = Result<Bytes, Box<dyn Error + Send + Sync>>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            let chunk = match &mut self.current {
                None => match self.waiting.pop_front() {
                    None => return Poll::Ready(None),
                    Some(Piece::Bytes(bytes)) => return Poll::Ready(Some(Ok(bytes))),
                    Some(Piece::File { path, .. }) => {
                        self.current = Some(Current::Opening(Box::pin(File::open(path))));
                        continue;
                    }
                    Some(Piece::Stream { stream, .. }) => {
                        self.current = Some(Current::Stream(stream));
                        continue;
                    }
                },
                Some(Current::Opening(opening)) => match ready!(opening.as_mut().poll(context)) {
                    Ok(file) => {
                        let reading = ReaderStream::with_capacity(file, CHUNK);
                        self.current = Some(Current::Reading(Box::new(reading)));
                        continue;
                    }
                    Err(error) => Some(Err(error.into())),
                },
                Some(Current::Reading(reading)) => {
                    ready!(Pin::new(reading.as_mut()).poll_next(context)).map(|chunk| chunk.map_err(Into::into))
                }
                Some(Current::Stream(stream)) => ready!(stream.as_mut().poll_next(context)),
            };
            match chunk {
                Some(chunk) => return Poll::Ready(Some(chunk)),
                None => self.current = None,
            }
        }
    }
}
