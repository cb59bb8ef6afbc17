//! A position in a document: plain text is read here, everything else by jiter, which also explains errors.

use std::borrow::Cow;

use jiter::{Jiter, JiterError};

use super::escape::special_bytes;

/// A position in a document.
#[derive(Debug)]
pub(super) struct Cursor<'j> {
    data: &'j [u8],
    /// `data` up to the first byte that is not UTF-8.
    text: &'j str,
    index: usize,
    /// Memory for strings with escapes.
    tape: Vec<u8>,
}

impl<'j> Cursor<'j> {
    pub(super) fn new(data: &'j [u8]) -> Self {
        let text = std::str::from_utf8(data)
            .or_else(|error| std::str::from_utf8(&data[..error.valid_up_to()]))
            .unwrap_or_default();
        Self { data, text, index: 0, tape: Vec::new() }
    }

    /// The number of bytes before the position.
    pub(super) fn index(&self) -> usize {
        self.index
    }

    /// Moves to an earlier or later position.
    #[cfg(feature = "union")]
    pub(super) fn turn_to(&mut self, index: usize) {
        self.index = index;
    }

    /// Whether all bytes before the position are UTF-8.
    pub(super) fn is_in_text(&self) -> bool {
        self.index <= self.text.len()
    }

    pub(super) fn slice_from(&self, start: usize) -> &'j [u8] {
        &self.data[start..self.index]
    }

    /// A reader of the rest of the document.
    pub(super) fn ahead(&self) -> Jiter<'j> {
        Jiter::new(&self.data[self.index..])
    }

    /// Reads with jiter, and moves behind what was read.
    pub(super) fn with_jiter<T>(
        &mut self,
        read: impl FnOnce(&mut Jiter<'j>) -> Result<T, JiterError>,
    ) -> Result<T, JiterError> {
        let mut jiter = Jiter::with_tape(&self.data[self.index..], std::mem::take(&mut self.tape));
        let read = read(&mut jiter).map_err(|error| JiterError { index: self.index + error.index, ..error });
        self.index += jiter.current_index();
        self.tape = jiter.into_tape();
        read
    }

    /// Skips white space; the next byte, which is not consumed.
    #[inline]
    pub(super) fn peek(&mut self) -> Option<u8> {
        loop {
            match self.data.get(self.index) {
                Some(b' ' | b'\n' | b'\r' | b'\t') => self.index += 1,
                next => return next.copied(),
            }
        }
    }

    /// Goes into the array or object at the position, or past the comma after an item or a member. `false`: it ends
    /// with `close`, which is consumed.
    #[inline]
    fn step(&mut self, is_first: bool, close: u8) -> Option<bool> {
        if is_first {
            self.index += 1;
        }
        match self.peek()? {
            next if next == close => {
                self.index += 1;
                return Some(false);
            }
            _ if is_first => {}
            b',' => self.index += 1,
            _ => return None,
        }
        Some(true)
    }

    /// Goes to the next item of an array: to the first one from its bracket. `false`: there is none.
    pub(super) fn next_item(&mut self, is_first: bool) -> Result<bool, JiterError> {
        let start = self.index;
        match self.step(is_first, b']') {
            Some(false) => return Ok(false),
            Some(true) if self.peek().is_some_and(|next| next != b']') => return Ok(true),
            _ => self.index = start,
        }
        let read = |jiter: &mut Jiter<'j>| if is_first { jiter.known_array() } else { jiter.array_step() };
        self.with_jiter(read).map(|next| next.is_some())
    }

    /// Reads the name of the next member of an object, and its colon, if the name is `expected`, which has no escapes.
    #[inline]
    pub(super) fn skip_name(&mut self, is_first: bool, expected: &str) -> bool {
        let start = self.index;
        if self.step(is_first, b'}') == Some(true) && self.peek() == Some(b'"') {
            let end = self.index + 1 + expected.len();
            if self.data.get(self.index + 1..end) == Some(expected.as_bytes()) && self.data.get(end) == Some(&b'"') {
                self.index = end + 1;
                if self.peek() == Some(b':') {
                    self.index += 1;
                    return true;
                }
            }
        }
        self.index = start;
        false
    }

    /// Reads the name of the next member of an object, and its colon: of the first one from the brace.
    pub(super) fn next_name(&mut self, is_first: bool) -> Result<Option<Cow<'j, str>>, JiterError> {
        let start = self.index;
        match self.step(is_first, b'}') {
            Some(false) => return Ok(None),
            Some(true) if self.peek() == Some(b'"') => {
                if let Some(name) = self.plain_string()
                    && self.peek() == Some(b':')
                {
                    self.index += 1;
                    return Ok(Some(Cow::Borrowed(name)));
                }
            }
            _ => {}
        }
        self.index = start;
        self.with_jiter(|jiter| {
            let name = if is_first { jiter.known_object() } else { jiter.next_key() };
            name.map(|name| name.map(|name| Cow::Owned(name.to_owned())))
        })
    }

    /// Reads the string at the position, unless it has escapes.
    #[inline]
    pub(super) fn plain_string(&mut self) -> Option<&'j str> {
        let start = self.index + 1;
        let end = start + plain_length(self.text.as_bytes().get(start..)?)?;
        let text = self.text.get(start..end)?;
        self.index = end + 1;
        Some(text)
    }

    /// Reads the number at the position if it has no exponent and few digits: its digits as an integer, and how many of
    /// them are decimals. Minus zero is not an integer.
    pub(super) fn small_number(&mut self) -> Option<(i64, usize)> {
        let rest = &self.data[self.index..];
        let (is_negative, digits) = match rest {
            [b'-', digits @ ..] => (true, digits),
            digits => (false, digits),
        };
        let (mut number, mut length, mut point) = (0, 0, None);
        loop {
            match digits.get(length) {
                Some(digit @ b'0'..=b'9') if length < 16 => number = number * 10 + i64::from(digit - b'0'),
                Some(b'.') if point.is_none() => point = Some(length),
                Some(b'0'..=b'9' | b'.' | b'e' | b'E') => return None,
                _ => break,
            }
            length += 1;
        }
        let whole = point.unwrap_or(length);
        let decimals = point.map_or(0, |point| length - point - 1);
        let has_leading_zero = whole > 1 && digits[0] == b'0';
        if whole == 0 || point.is_some() && decimals == 0 || has_leading_zero || is_negative && number == 0 {
            return None;
        }
        self.index += usize::from(is_negative) + length;
        Some((if is_negative { -number } else { number }, decimals))
    }
}

/// The length of the string that `bytes` start with; `None` if jiter has to read it.
fn plain_length(bytes: &[u8]) -> Option<usize> {
    let (words, rest) = bytes.as_chunks();
    for (index, word) in words.iter().enumerate() {
        let found = special_bytes(*word);
        if found != 0 {
            let length = index * 8 + found.trailing_zeros() as usize / 8;
            return (bytes.get(length) == Some(&b'"')).then_some(length);
        }
    }
    let length = rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20))?;
    (rest[length] == b'"').then_some(bytes.len() - rest.len() + length)
}
