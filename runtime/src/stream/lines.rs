//! Bytes that come in chunks, cut into pieces.

use bytes::{Buf, Bytes};

use super::TooLong;

/// Cuts bytes at separators, wherever the borders of the chunks are.
#[derive(Debug)]
pub(super) struct Lines {
    /// What has come of the current line.
    line: Vec<u8>,
    is_separator: fn(u8) -> bool,
    /// A line feed that comes next belongs to the separator before it.
    after_return: bool,
    /// How many line ends have come.
    count: u64,
    limit: u64,
}

impl Lines {
    /// No line may be longer than `limit` bytes.
    pub(super) fn new(is_separator: fn(u8) -> bool, limit: u64) -> Self {
        Self { line: Vec::new(), is_separator, after_return: false, count: 0, limit }
    }

    /// Takes the rest of a line, and the byte that ends it, off the front of `chunk`; none: the chunk is used up.
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

    /// What stands behind the last separator.
    pub(super) fn rest(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.line)
    }

    /// How many line ends have come.
    pub(super) fn count(&self) -> u64 {
        self.count
    }
}
