//! Locations in JSON. The text has been parsed before, so invalid JSON just ends the walk.

use std::borrow::Cow;

use super::Wanted;
use crate::location;

/// Maximum depth, the same as the parser's.
const DEPTH: usize = 128;

/// Records the range of each requested node.
pub(super) fn walk(text: &str, wanted: &mut Wanted) {
    let mut walk = Walk { text, at: 0, wanted };
    walk.value(&mut String::new(), DEPTH);
}

struct Walk<'a> {
    text: &'a str,
    at: usize,
    wanted: &'a mut Wanted,
}

impl Walk<'_> {
    /// `None`: the text ends or is not JSON.
    fn value(&mut self, pointer: &mut String, depth: usize) -> Option<()> {
        let start = self.skip_space();
        match self.peek()? {
            b'{' => {
                self.wanted.value(pointer, start..self.text.len(), false);
                self.items(b'}', pointer, depth.checked_sub(1)?, |walk, _, pointer| {
                    let name_start = walk.skip_space();
                    walk.string()?;
                    let name = unescape(&walk.text[name_start..walk.at]);
                    location::push(pointer, &name);
                    walk.wanted.name(pointer, name_start..walk.at);
                    walk.skip_space();
                    walk.eat(b':')
                })
            }
            b'[' => {
                self.wanted.value(pointer, start..self.text.len(), false);
                self.items(b']', pointer, depth.checked_sub(1)?, |_, index, pointer| {
                    location::push(pointer, &index.to_string());
                    Some(())
                })
            }
            b'"' => {
                self.string()?;
                self.wanted.value(pointer, start..self.at, true);
                Some(())
            }
            _ => {
                let rest = &self.text[start..];
                let ends = |character: char| matches!(character, ',' | ']' | '}') || character.is_whitespace();
                self.at = start + rest.find(ends).unwrap_or(rest.len());
                self.wanted.value(pointer, start..self.at, true);
                (self.at > start).then_some(())
            }
        }
    }

    /// The items between brackets; `before` reads what precedes each value and extends the pointer.
    fn items(
        &mut self,
        close: u8,
        pointer: &mut String,
        depth: usize,
        before: impl Fn(&mut Self, usize, &mut String) -> Option<()>,
    ) -> Option<()> {
        self.at += 1;
        let length = pointer.len();
        self.skip_space();
        for index in 0.. {
            if self.peek()? == close {
                break;
            }
            before(self, index, pointer)?;
            self.value(pointer, depth)?;
            pointer.truncate(length);
            self.skip_space();
            if self.peek()? == b',' {
                self.at += 1;
                self.skip_space();
            }
        }
        self.at += 1;
        Some(())
    }

    fn string(&mut self) -> Option<()> {
        self.eat(b'"')?;
        loop {
            match self.peek()? {
                b'"' => break,
                b'\\' => self.at += 2,
                _ => self.at += 1,
            }
        }
        self.at += 1;
        Some(())
    }

    fn skip_space(&mut self) -> usize {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
        self.at
    }

    fn eat(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.at += 1)
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }
}

/// The text of a string literal.
fn unescape(literal: &str) -> Cow<'_, str> {
    match serde_json::from_str(literal) {
        Ok(text) if literal.contains('\\') => Cow::Owned(text),
        Ok(_) | Err(_) => Cow::Borrowed(literal.trim_matches('"')),
    }
}
