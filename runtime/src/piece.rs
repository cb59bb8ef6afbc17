//! Pieces of bodies that are sent: bytes, files and streams, one after the other.

use std::collections::VecDeque;
use std::fmt::{self, Debug, Formatter};
use std::io;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::{Mutex, PoisonError};
use std::task::{Context, Poll, ready};

use bytes::Bytes;
use futures_core::Stream;
use tokio::fs::File;
use tokio_util::io::ReaderStream;

use crate::byte_stream::{self, BoxError, ByteStream};

/// The number of bytes of a file that are read at once.
const CHUNK: usize = 64 * 1024;

/// A piece of a body.
pub(crate) enum Piece {
    Bytes(Bytes),
    /// Opened when it is sent, so that it can be sent again.
    File {
        path: PathBuf,
        length: u64,
    },
    /// In a mutex that is never locked: a stream is not `Sync`.
    Stream {
        stream: Mutex<ByteStream>,
        length: Option<u64>,
    },
}

/// The length of all pieces; `None` if the length of a stream is unknown.
pub(crate) fn total(pieces: &[Piece]) -> Option<u64> {
    pieces.iter().try_fold(0_u64, |total, piece| total.checked_add(piece.length()?))
}

impl Piece {
    pub(crate) async fn file(path: &Path) -> io::Result<Self> {
        let metadata = File::open(path).await?.metadata().await?;
        if metadata.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        Ok(Self::File { path: path.to_owned(), length: metadata.len() })
    }

    pub(crate) fn stream<S, E>(stream: S) -> Self
    where
        S: Stream<Item = Result<Bytes, E>> + Send + 'static,
        E: Into<BoxError> + 'static,
    {
        Self::Stream { stream: Mutex::new(byte_stream::boxed(stream)), length: None }
    }

    pub(crate) fn set_length(&mut self, known: u64) {
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

    #[cfg(feature = "client")]
    pub(crate) fn again(&self) -> Option<Self> {
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

/// The pieces that are being sent.
pub(crate) struct Sending {
    waiting: VecDeque<Piece>,
    current: Option<Current>,
}

enum Current {
    Opening(Pin<Box<dyn Future<Output = io::Result<File>> + Send>>),
    Reading(Box<ReaderStream<File>>),
    Stream(ByteStream),
}

impl Sending {
    /// The pieces as one stream.
    pub(crate) fn new(pieces: Vec<Piece>) -> Self {
        Self { waiting: pieces.into(), current: None }
    }
}

impl Stream for Sending {
    type Item = Result<Bytes, BoxError>;

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
                        let stream = stream.into_inner().unwrap_or_else(PoisonError::into_inner);
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
