//! Code → its smallest parts.

use crate::import;

/// A part of code.
#[derive(Clone, Copy, Debug)]
pub struct Token<'a> {
    pub kind: Kind,
    pub text: &'a str,
    /// Where it starts.
    pub start: usize,
    /// For what opens a group, the token that closes it.
    pub mate: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A name or a keyword.
    Word,
    /// `'a`
    Lifetime,
    /// A text, a character or a number.
    Literal,
    Punctuation,
    Open,
    Close,
    /// Behind the last token.
    End,
}

/// Signs of more than one character. Those with `<` and `>` are left apart: most of them close generic arguments.
const SIGNS: &[&str] =
    &["::", "..=", "->", "=>", "..", "&&", "||", "==", "!=", "<=", ">=", "+=", "-=", "*=", "/=", "|="];

/// The tokens of `code`, with one of the kind [`Kind::End`] at the end; `None` when it is no code.
pub fn tokens(code: &str) -> Option<Vec<Token<'_>>> {
    let bytes = code.as_bytes();
    let mut tokens: Vec<Token<'_>> = Vec::with_capacity(code.len() / 4);
    let mut open: Vec<usize> = Vec::new();
    let mut start = 0;
    while let Some(&first) = bytes.get(start) {
        if first.is_ascii_whitespace() {
            start += 1;
            continue;
        }
        let (kind, end) = match first {
            b'(' | b'[' | b'{' => {
                open.push(tokens.len());
                (Kind::Open, start + 1)
            }
            b')' | b']' | b'}' => {
                let opener = open.pop()?;
                tokens[opener].mate = tokens.len();
                (Kind::Close, start + 1)
            }
            b'"' => (Kind::Literal, quoted(bytes, start, b'"')?),
            b'b' if bytes.get(start + 1) == Some(&b'"') => (Kind::Literal, quoted(bytes, start + 1, b'"')?),
            b'b' if bytes.get(start + 1) == Some(&b'\'') => (Kind::Literal, quoted(bytes, start + 1, b'\'')?),
            b'r' if matches!(bytes.get(start + 1), Some(b'"' | b'#')) => match raw(bytes, start + 1) {
                Some(end) => (Kind::Literal, end),
                None => (Kind::Word, word(bytes, start + 2)),
            },
            b'\'' => {
                let end = word(bytes, start + 1);
                if end > start + 1 && bytes.get(end) != Some(&b'\'') {
                    (Kind::Lifetime, end)
                } else {
                    (Kind::Literal, quoted(bytes, start, b'\'')?)
                }
            }
            b'0'..=b'9' => (Kind::Literal, number(bytes, start)),
            import::NAME | import::IN_MODULE => {
                let end = start + 1 + bytes[start + 1..].iter().position(|byte| *byte == first)?;
                let text = import::written(first, code.get(start + 1..end)?);
                tokens.push(Token { kind: Kind::Word, text, start, mate: 0 });
                start = end + 1;
                continue;
            }
            _ if is_word(first) => (Kind::Word, word(bytes, start)),
            _ => {
                let may_go_on = matches!(bytes.get(start + 1), Some(b'=' | b':' | b'>' | b'.' | b'&' | b'|'));
                let sign = || SIGNS.iter().find(|sign| bytes[start..].starts_with(sign.as_bytes()));
                let sign = if may_go_on { sign() } else { None };
                (Kind::Punctuation, start + sign.map_or(1, |sign| sign.len()))
            }
        };
        tokens.push(Token { kind, text: code.get(start..end)?, start, mate: 0 });
        start = end;
    }
    tokens.push(Token { kind: Kind::End, text: "", start: code.len(), mate: 0 });
    open.is_empty().then_some(tokens)
}

/// The end of what starts with a quote at `start`.
fn quoted(bytes: &[u8], start: usize, quote: u8) -> Option<usize> {
    let mut index = start + 1;
    loop {
        match *bytes.get(index)? {
            b'\\' => index += 2,
            byte if byte == quote => return Some(index + 1),
            _ => index += 1,
        }
    }
}

/// The end of a text without escapes, whose number signs or quote stand at `start`.
fn raw(bytes: &[u8], start: usize) -> Option<usize> {
    let signs = bytes[start..].iter().take_while(|byte| **byte == b'#').count();
    let open = start + signs;
    if bytes.get(open) != Some(&b'"') {
        return None;
    }
    let closes = |index: &usize| {
        bytes[*index] == b'"' && bytes[index + 1..].iter().take(signs).filter(|byte| **byte == b'#').count() == signs
    };
    (open + 1..bytes.len()).find(closes).map(|index| index + 1 + signs)
}

fn word(bytes: &[u8], start: usize) -> usize {
    bytes[start..].iter().position(|byte| !is_word(*byte)).map_or(bytes.len(), |length| start + length)
}

fn number(bytes: &[u8], start: usize) -> usize {
    let end = word(bytes, start);
    // `1.5`, but neither `1..5` nor `1.max(5)`.
    let is_fraction = bytes.get(end) == Some(&b'.') && bytes.get(end + 1).is_some_and(u8::is_ascii_digit);
    let end = if is_fraction { word(bytes, end + 1) } else { end };
    let is_exponent = matches!(bytes.get(end - 1), Some(b'e' | b'E')) && matches!(bytes.get(end), Some(b'-' | b'+'));
    if is_exponent { word(bytes, end + 1) } else { end }
}

/// Names are ASCII, or of letters that other scripts have.
fn is_word(byte: u8) -> bool {
    IS_WORD[usize::from(byte)]
}

/// Looked up for every byte of all generated code, which takes less than comparing with one range after another.
static IS_WORD: [bool; 256] = {
    let mut is_word = [false; 256];
    let mut byte = u8::MAX;
    loop {
        is_word[byte as usize] = byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii();
        if byte == 0 {
            break is_word;
        }
        byte -= 1;
    }
};
