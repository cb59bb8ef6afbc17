//! What can be put into code, and how it reads there.

use std::borrow::Cow;
use std::fmt::Write as _;

use crate::{Ident, Tokens};

/// What `#name` may stand for: a text becomes a literal, nothing no token at all.
pub trait ToTokens {
    /// Writes it behind the tokens.
    fn append(&self, tokens: &mut Tokens);
}

impl ToTokens for Tokens {
    fn append(&self, tokens: &mut Tokens) {
        tokens.push(&self.0);
    }
}

impl ToTokens for Ident {
    fn append(&self, tokens: &mut Tokens) {
        tokens.push(self.as_str());
    }
}

impl ToTokens for str {
    fn append(&self, tokens: &mut Tokens) {
        let text = &mut tokens.0;
        text.push('"');
        // What needs no escapes is sooner seen than asked for them letter by letter.
        if self.bytes().all(|byte| matches!(byte, b' '..=b'~') && !matches!(byte, b'"' | b'\\')) {
            text.push_str(self);
        } else {
            escape(self, text);
        }
        text.push('"');
    }
}

fn escape(literal: &str, text: &mut String) {
    let mut rest = literal.chars();
    while let Some(character) = rest.next() {
        match character {
            // Clippy takes `\01` for the octal number of another language.
            '\0' if rest.as_str().starts_with(|next| matches!(next, '0'..='7')) => text.push_str(r"\x00"),
            '\'' => text.push('\''),
            _ => text.extend(character.escape_debug()),
        }
    }
}

impl ToTokens for String {
    fn append(&self, tokens: &mut Tokens) {
        self.as_str().append(tokens);
    }
}

impl ToTokens for Cow<'_, str> {
    fn append(&self, tokens: &mut Tokens) {
        str::append(self, tokens);
    }
}

impl<T: ToTokens + ?Sized> ToTokens for &T {
    fn append(&self, tokens: &mut Tokens) {
        (**self).append(tokens);
    }
}

impl<T: ToTokens> ToTokens for Option<T> {
    fn append(&self, tokens: &mut Tokens) {
        if let Some(some) = self {
            some.append(tokens);
        }
    }
}

impl ToTokens for bool {
    fn append(&self, tokens: &mut Tokens) {
        tokens.push(if *self { "true" } else { "false" });
    }
}

/// Numbers have no suffix: what they are for says which type they are of.
macro_rules! number {
    ($($number:ty)*) => {
        $(impl ToTokens for $number {
            fn append(&self, tokens: &mut Tokens) {
                let start = tokens.0.len();
                let _ = write!(tokens.0, "{self}");
                separate_digits(&mut tokens.0, start);
            }
        })*
    };
}
number!(u8 u16 u32 u64 u128 usize i64);

/// Digits from which on a number is read in groups; clippy wants it so (`unreadable_literal`).
const MANY_DIGITS: usize = 6;

/// Puts a `_` before every three digits of the number that `text` ends with, if it is long.
fn separate_digits(text: &mut String, start: usize) {
    let first = start + usize::from(text[start..].starts_with('-'));
    if text.len() - first < MANY_DIGITS {
        return;
    }
    let mut place = text.len();
    while place > first + 3 {
        place -= 3;
        text.insert(place, '_');
    }
}
