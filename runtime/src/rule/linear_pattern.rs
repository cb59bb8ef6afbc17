//! Translates ECMA-262 expressions for an engine that does not backtrack.

use std::iter::Peekable;
use std::str::Chars;

/// An equivalent expression.
pub(super) struct Translated {
    pub(super) text: String,
    /// Backtracking may take superlinear time: with several loops, or with one that can start anywhere in the
    /// text or repeats something variable.
    pub(super) is_slow: bool,
}

/// Translates a valid expression; `None` if the engine cannot express it.
pub(super) fn translate(pattern: &str) -> Option<Translated> {
    let mut text = String::with_capacity(pattern.len());
    let mut is_nested = false;
    let mut loops = 0;
    let is_anchored = pattern.starts_with('^') && !pattern.contains('|');
    // For each open group, the outermost first: whether it can match in several ways.
    let mut groups = vec![false];
    let mut characters = pattern.chars().peekable();
    let mut closed = false;
    while let Some(character) = characters.next() {
        let repeated = std::mem::take(&mut closed);
        match character {
            '\\' => escape(&mut characters, &mut text)?,
            '[' => class(&mut characters, &mut text)?,
            '.' => text.push_str(r"[^\n\r\u{2028}\u{2029}]"),
            '(' => {
                groups.push(false);
                text.push('(');
                if characters.next_if_eq(&'?').is_some() {
                    text.push_str(kind_of_group(&mut characters)?);
                }
            }
            ')' => {
                let inner = groups.pop()?;
                *groups.last_mut()? |= inner;
                closed = inner;
                text.push(')');
            }
            '*' | '+' | '{' => {
                let varies =
                    character != '{' || characters.clone().take_while(|next| *next != '}').any(|next| next == ',');
                *groups.last_mut()? |= varies;
                is_nested |= repeated;
                loops += usize::from(varies);
                text.push(character);
            }
            '?' | '|' => {
                *groups.last_mut()? = true;
                text.push(character);
            }
            _ => text.push(character),
        }
    }
    Some(Translated { text, is_slow: is_nested || loops > usize::from(is_anchored) })
}

/// The part after `(?`.
fn kind_of_group(characters: &mut Peekable<Chars<'_>>) -> Option<&'static str> {
    match characters.next()? {
        ':' => Some("?:"),
        '<' if !matches!(characters.peek(), Some('=' | '!')) => Some("?<"),
        _ => None,
    }
}

/// The part after `\`, outside of brackets.
fn escape(characters: &mut Peekable<Chars<'_>>, text: &mut String) -> Option<()> {
    match characters.next()? {
        's' => text.extend(["[", SPACES, "]"]),
        'S' => text.extend(["[^", SPACES, "]"]),
        letter @ ('b' | 'B' | 'd' | 'D' | 'w' | 'W') => text.extend(['\\', letter]),
        other => character(other, characters, text)?,
    }
    Some(())
}

/// The part after `[`.
fn class(characters: &mut Peekable<Chars<'_>>, text: &mut String) -> Option<()> {
    text.push('[');
    if characters.next_if_eq(&'^').is_some() {
        text.push('^');
    }
    // The engine rejects an empty class.
    if characters.peek() == Some(&']') {
        return None;
    }
    loop {
        match characters.next()? {
            ']' => break,
            '\\' => match characters.next()? {
                's' => text.push_str(SPACES),
                'b' => text.push_str(r"\x08"),
                letter @ ('d' | 'D' | 'w' | 'W') => text.extend(['\\', letter]),
                '-' => text.push_str(r"\-"),
                other => character(other, characters, text)?,
            },
            character @ ('[' | '&' | '~') => text.extend(['\\', character]),
            character => text.push(character),
        }
    }
    text.push(']');
    Some(())
}

/// One character after `\`.
fn character(letter: char, characters: &mut Peekable<Chars<'_>>, text: &mut String) -> Option<()> {
    match letter {
        't' | 'n' | 'v' | 'f' | 'r' => text.extend(['\\', letter]),
        '0' if !characters.peek().is_some_and(char::is_ascii_digit) => text.push_str(r"\x00"),
        'x' | 'u' => {
            let length = if letter == 'x' { 2 } else { 4 };
            let digits: String = characters.by_ref().take(length).collect();
            if digits.len() != length || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
                return None;
            }
            text.extend(['\\', letter]);
            text.push_str(&digits);
        }
        letter if letter.is_ascii_alphanumeric() => return None,
        itself => text.push_str(&regex_lite::escape(itself.encode_utf8(&mut [0; 4]))),
    }
    Some(())
}

/// `WhiteSpace` and `LineTerminator` of ECMA-262.
const SPACES: &str = r"\t\n\v\f\r \u{a0}\u{1680}\u{2000}-\u{200a}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}\u{feff}";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_engine_knows_what_patterns_are_made_of() {
        let cases = [
            (r"^[a-z]+$", r"^[a-z]+$", false),
            (r"^[a-z]+([._]?[a-z]+)*$", r"^[a-z]+([._]?[a-z]+)*$", true),
            (r"^(\w\-\/)*\0\.$", r"^(\w\-/)*\x00\.$", false),
            (r"(a|b){2}", "(a|b){2}", true),
            (r"(?<year>\d{4})?", r"(?<year>\d{4})?", false),
            (r"[\b[&\-\]]", r"[\x08\[\&\-\]]", false),
            (r"\u00e9\xe9\v", r"\u00e9\xe9\v", false),
            (r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$", r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$", false),
            (r"^a{2}b+$", r"^a{2}b+$", false),
            (r"^a*b+$", r"^a*b+$", true),
            (r"^a|b+$", r"^a|b+$", true),
            (r"b+$", r"b+$", true),
        ];
        for (pattern, text, is_slow) in cases {
            let translated = translate(pattern).unwrap();
            assert_eq!((translated.text.as_str(), translated.is_slow), (text, is_slow), "{pattern}");
            assert!(regex_lite::Regex::new(text).is_ok(), "{pattern}");
        }
    }

    #[test]
    fn what_it_does_not_know_is_left() {
        for pattern in [r"(?=a)", r"(?!a)", r"(?<=a)", r"(?<!a)", r"(a)\1", r"\p{L}", r"[^]", r"[]", r"\cA", r"(?i:a)"]
        {
            assert!(translate(pattern).is_none(), "{pattern}");
        }
    }
}
