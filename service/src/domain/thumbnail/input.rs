//! The bytes of a picture, which look around while they are read.

use std::io::{self, BufRead, Cursor, Read, Seek, SeekFrom};

/// So many bytes are read between two looks: of a picture that is all of one colour they hold 250,000 bytes of pixels.
const BYTES: usize = 256;

/// What reads the bytes of a picture, and ends with an error once `go_on` says so.
pub(super) struct Input<'a> {
    bytes: Cursor<&'a [u8]>,
    go_on: &'a dyn Fn() -> bool,
    /// Until the next look.
    left: usize,
}

impl<'a> Input<'a> {
    pub(super) fn new(bytes: &'a [u8], go_on: &'a dyn Fn() -> bool) -> Self {
        Self { bytes: Cursor::new(bytes), go_on, left: BYTES }
    }
}

impl Read for Input<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

impl BufRead for Input<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.left == 0 {
            if !(self.go_on)() {
                return Err(io::Error::other("it is broken off"));
            }
            self.left = BYTES;
        }
        let rest = self.bytes.fill_buf()?;
        Ok(&rest[..rest.len().min(self.left)])
    }

    fn consume(&mut self, amount: usize) {
        self.bytes.consume(amount);
        self.left -= amount;
    }
}

impl Seek for Input<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.bytes.seek(to)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn it_looks_around_once_for_so_many_bytes_and_can_end_there() {
        let bytes: Vec<u8> = (0..=255).cycle().take(10 * BYTES).collect();
        let looks = Cell::new(0);
        let count = || {
            looks.set(looks.get() + 1);
            looks.get() < 15
        };
        let mut read = Vec::new();
        let mut input = Input::new(&bytes, &count);
        input.read_to_end(&mut read).unwrap();
        assert_eq!((read == bytes, looks.get()), (true, 10));
        input.seek(SeekFrom::Start(0)).unwrap();
        let mut read = Vec::new();
        assert!(input.read_to_end(&mut read).is_err());
        assert!(read == bytes[..5 * BYTES], "{}", read.len());
    }
}
