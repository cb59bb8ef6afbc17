//! Parses JSON Lines and JSON text sequences.

use bytes::Bytes;

use super::lines::Lines;
use super::{Event, Frame, TooLong};

/// Precedes each text of a JSON text sequence (RFC 7464).
pub(super) const RECORD_SEPARATOR: u8 = 0x1E;

/// A partial text, and whether it is complete.
#[derive(Debug, Default)]
struct Sequence {
    text: Vec<u8>,
    /// The number of open brackets.
    depth: usize,
    in_string: bool,
    escaped: bool,
}

/// Splits bytes into JSON texts. The bytes show which of the two formats is used.
#[derive(Debug)]
pub(crate) struct JsonDecoder {
    lines: Lines,
    /// A text after a record separator, which may have several lines.
    sequence: Option<Sequence>,
    limit: u64,
}

impl JsonDecoder {
    /// A decoder with a maximum size of a text in bytes.
    pub(crate) fn new(limit: u64) -> Self {
        let lines = Lines::new(|byte| matches!(byte, b'\n' | RECORD_SEPARATOR), limit);
        Self { lines, sequence: None, limit }
    }

    /// Takes a text from the front of `chunk`; `None`: the chunk is used up.
    pub(crate) fn next(&mut self, chunk: &mut Bytes) -> Result<Option<Frame>, TooLong> {
        while let Some((line, separator)) = self.lines.next(chunk)? {
            let ends = separator == RECORD_SEPARATOR;
            let text = match &mut self.sequence {
                None => line,
                Some(sequence) => {
                    sequence.push(&line);
                    if sequence.text.len() as u64 > self.limit {
                        return Err(TooLong);
                    }
                    if !ends && !sequence.is_whole() {
                        sequence.push(&[separator]);
                        continue;
                    }
                    std::mem::take(sequence).text
                }
            };
            if ends {
                self.sequence = Some(Sequence::default());
            }
            let line = self.lines.count() + u64::from(ends);
            if let Some(frame) = frame(text, line) {
                return Ok(Some(frame));
            }
        }
        Ok(None)
    }

    /// The last text, which no separator ends.
    pub(crate) fn finish(&mut self) -> Option<Frame> {
        let mut text = self.sequence.take().unwrap_or_default().text;
        text.extend(self.lines.rest());
        frame(text, self.lines.count() + 1)
    }
}

/// A text, unless it is only white space.
fn frame(data: Vec<u8>, line: u64) -> Option<Frame> {
    let is_blank = data.trim_ascii().is_empty();
    (!is_blank).then(|| Frame { line, data, about: Event::default() })
}

impl Sequence {
    fn push(&mut self, bytes: &[u8]) {
        self.text.extend_from_slice(bytes);
        for byte in bytes {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' if self.in_string => self.escaped = true,
                b'"' => self.in_string = !self.in_string,
                b'[' | b'{' if !self.in_string => self.depth += 1,
                b']' | b'}' if !self.in_string => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
        }
    }

    /// Whether all brackets and strings are closed.
    fn is_whole(&self) -> bool {
        self.depth == 0 && !self.in_string
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_chunks(text: &str, size: usize) -> Vec<(u64, String)> {
        let mut decoder = JsonDecoder::new(1000);
        let mut frames = Vec::new();
        for chunk in text.as_bytes().chunks(size) {
            let mut chunk = Bytes::copy_from_slice(chunk);
            while let Some(frame) = decoder.next(&mut chunk).unwrap() {
                frames.push(frame);
            }
        }
        frames.extend(decoder.finish());
        let shown = |frame: Frame| (frame.line, frame.raw().data.trim().to_owned());
        frames.into_iter().map(shown).collect()
    }

    fn texts(text: &str) -> Vec<(u64, String)> {
        let whole = in_chunks(text, usize::MAX);
        for size in 1..=5 {
            assert_eq!(in_chunks(text, size), whole, "in chunks of {size}");
        }
        whole
    }

    fn numbered(expected: &[(u64, &str)]) -> Vec<(u64, String)> {
        expected.iter().map(|(line, text)| (*line, (*text).to_owned())).collect()
    }

    #[test]
    fn a_text_per_line() {
        assert_eq!(texts("1\n{\"a\":\"ü\"}\r\n\n \n[2]"), numbered(&[(1, "1"), (2, "{\"a\":\"ü\"}"), (5, "[2]")]));
        assert_eq!(texts("{\n}\n"), numbered(&[(1, "{"), (2, "}")]), "a text has one line");
        assert_eq!(texts(""), []);
    }

    #[test]
    fn a_text_behind_each_record_separator() {
        assert_eq!(
            texts("\u{1E}{\"a\":\n\"]\\\"\"}\n\u{1E}\"x\"\n\u{1E}[1\u{1E}2\n"),
            numbered(&[(2, "{\"a\":\n\"]\\\"\"}"), (3, "\"x\""), (4, "[1"), (4, "2")])
        );
    }

    #[test]
    fn a_text_of_a_sequence_is_there_with_its_last_line() {
        let mut decoder = JsonDecoder::new(100);
        assert!(decoder.next(&mut Bytes::from_static(b"\x1E[1,\n2]\n")).unwrap().is_some());
    }

    #[test]
    fn texts_are_not_held_beyond_the_limit() {
        for text in ["12345678901", "\u{1E}[1,\n2,\n3,\n4,\n5,\n"] {
            let mut chunk = Bytes::copy_from_slice(text.as_bytes());
            assert_eq!(JsonDecoder::new(10).next(&mut chunk), Err(TooLong), "{text:?}");
        }
    }
}
