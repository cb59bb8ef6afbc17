//! Splits chunks of bytes at separators.

use bytes::{Buf, Bytes};

use super::TooLong;

/// Splits bytes at separators, independent of chunk borders.
#[derive(Debug)]
pub(super) struct Lines {
    /// The current line so far.
    line: Vec<u8>,
    is_separator: fn(u8) -> bool,
    /// A line feed that comes next belongs to the previous separator.
    after_return: bool,
    /// The number of line ends so far.
    count: u64,
    limit: u64,
}

impl Lines {
    /// A splitter with a maximum line length in bytes.
    pub(super) fn new(is_separator: fn(u8) -> bool, limit: u64) -> Self {
        Self { line: Vec::new(), is_separator, after_return: false, count: 0, limit }
    }

    /// Takes the rest of a line and its separator from the front of `chunk`; `None`: the chunk is used up.
    pub(super) fn next(&mut self, chunk: &mut Bytes) -> Result<Option<(Vec<u8>, u8)>, TooLong> {
        if self.after_return && !chunk.is_empty() {
            self.after_return = false;
            if chunk[0] == b'\n' {
                chunk.advance(1);
            }
        }
        let end = chunk.iter().position(|byte| (self.is_separator)(*byte));
        let piece = chunk.split_to(end.unwrap_or(chunk.len()));
        if (self.line.len() + piece.len()) as u64 > self.limit {
            return Err(TooLong);
        }
        self.line.extend_from_slice(&piece);
        if chunk.is_empty() {
            return Ok(None);
        }
        let separator = chunk.get_u8();
        self.after_return = separator == b'\r';
        self.count += u64::from(matches!(separator, b'\r' | b'\n'));
        Ok(Some((std::mem::take(&mut self.line), separator)))
    }

    /// The bytes after the last separator.
    pub(super) fn rest(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.line)
    }

    /// The number of line ends so far.
    pub(super) fn count(&self) -> u64 {
        self.count
    }
}
