//! Gives a header to parts without any, which the parser cannot read.

use bytes::{Bytes, BytesMut};
use memchr::memmem;

/// What HTTP means in any case.
const HEADER: &[u8] = b"Content-Transfer-Encoding: binary\r\n";

/// Passes on the chunks of a body, with a header in each part without any.
pub(super) struct Headless {
    /// `CRLF--boundary CRLF CRLF`
    delimiter: Vec<u8>,
    /// The end of the chunks so far that may be the start of a delimiter.
    held: Bytes,
}

impl Headless {
    pub(super) fn new(boundary: &str) -> Self {
        // The first delimiter of a body may be its start. A line break before it has no meaning.
        Self { delimiter: format!("\r\n--{boundary}\r\n\r\n").into_bytes(), held: Bytes::from_static(b"\r\n") }
    }

    /// What to pass on of another chunk and the bytes before it.
    pub(super) fn push(&mut self, chunk: Bytes) -> Bytes {
        let mut rest = if self.held.is_empty() {
            chunk
        } else {
            let mut both = BytesMut::from(std::mem::take(&mut self.held));
            both.extend_from_slice(&chunk);
            both.freeze()
        };
        let mut passed = BytesMut::new();
        while let Some(start) = memmem::find(&rest, &self.delimiter) {
            // The last line break ends the headers.
            passed.extend_from_slice(&rest.split_to(start + self.delimiter.len() - 2));
            passed.extend_from_slice(HEADER);
            // It may also be the one before the next delimiter.
            passed.extend_from_slice(&rest.split_to(2));
        }
        let most = rest.len().min(self.delimiter.len() - 1);
        let held = (1..=most).rev().find(|length| rest.ends_with(&self.delimiter[..*length])).unwrap_or(0);
        self.held = rest.split_off(rest.len() - held);
        if passed.is_empty() {
            return rest;
        }
        passed.extend_from_slice(&rest);
        passed.freeze()
    }

    /// The bytes after the last chunk.
    pub(super) fn finish(&mut self) -> Bytes {
        std::mem::take(&mut self.held)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_chunks(text: &str, size: usize) -> String {
        let mut headless = Headless::new("x");
        let mut passed = Vec::new();
        for chunk in text.as_bytes().chunks(size) {
            passed.extend(headless.push(Bytes::copy_from_slice(chunk)));
        }
        passed.extend(headless.finish());
        String::from_utf8(passed).unwrap()
    }

    #[test]
    fn only_parts_without_headers_get_one() {
        let own = "--x\r\nA: 1\r\n\r\none\r\n";
        let bare = ["--x\r\n\r\ntwo\r\n", "--x\r\n\r\n\r\n"];
        let given = bare.map(|part| part.replacen("\r\n", "\r\nContent-Transfer-Encoding: binary\r\n", 1));
        let like = "--x\r\nA: 1\r\n\r\n--x\r\n\r\n-\r\n--y\r\n\r\n\r\n";
        for (text, expected) in [
            (
                format!("{own}{}{}{own}--x--\r\n", bare[0], bare[1]),
                format!("\r\n{own}{}{}{own}--x--\r\n", given[0], given[1]),
            ),
            (format!("{}{}--x--", bare[1], bare[0]), format!("\r\n{}{}--x--", given[1], given[0])),
            (format!("{own}--x--\r\n\r\n"), format!("\r\n{own}--x--\r\n\r\n")),
            (
                like.replace("--x\r\n\r\n-", "-x\r\n\r\n-"),
                format!("\r\n{}", like.replace("--x\r\n\r\n-", "-x\r\n\r\n-")),
            ),
            (String::new(), "\r\n".to_owned()),
        ] {
            for size in 1..=text.len().max(1) {
                assert_eq!(in_chunks(&text, size), expected, "in chunks of {size}");
            }
        }
    }
}
