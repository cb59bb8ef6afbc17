//! Attributes, of which documentation and comments are the most.

use std::borrow::Cow;

use super::{Kind, Printer};
use crate::layout::INDENT;

impl Printer<'_, '_> {
    /// `#[a]` in front of something, and comments.
    pub(super) fn attributes(&mut self) -> Option<()> {
        while self.skip("#") {
            self.attribute("#", "///")?;
        }
        Some(())
    }

    /// The same behind `#!`.
    pub(super) fn inner_attributes(&mut self) -> Option<()> {
        while self.is("#") && self.is_at(self.at + 1, "!") {
            self.at += 2;
            self.attribute("#!", "//!")?;
        }
        Some(())
    }

    fn attribute(&mut self, sign: &'static str, doc: &'static str) -> Option<()> {
        let end = self.open("[")?;
        let token = self.token(self.at);
        let comment = match token.text {
            "doc" => Some(doc),
            "comment" => Some("//"),
            _ => None,
        };
        if let Some(slashes) = comment.filter(|_| self.is_at(self.at + 1, "=")) {
            let text = unquoted(self.token(self.at + 2).text)?;
            if text.contains('\n') || slashes == "///" && text.starts_with('/') {
                return None;
            }
            self.layout.word(slashes);
            self.layout.word(without_trailing_spaces(text));
            self.layout.line();
            self.at = end + 1;
            return Some(());
        }
        self.layout.word(sign);
        self.layout.word("[");
        self.print(Kind::Word)?;
        if self.is("(") {
            self.attribute_tokens()?;
        } else if self.keyword(" = ") {
            self.print(Kind::Literal)?;
        }
        self.close(end, "]")?;
        // Those of a file may have nothing behind them.
        if sign == "#!" {
            self.layout.line();
        } else {
            self.layout.space();
        }
        Some(())
    }

    /// `(a, b = "c", d(e))`
    fn attribute_tokens(&mut self) -> Option<()> {
        let end = self.open("(")?;
        self.layout.word("(");
        self.layout.consistent(INDENT);
        self.layout.zero();
        let mut behind_word = false;
        while self.at < end {
            if behind_word && self.is("(") {
                self.attribute_tokens()?;
                continue;
            }
            let token = self.token(self.at);
            match token.kind {
                Kind::Word | Kind::Literal => {
                    if behind_word {
                        self.layout.space();
                    }
                    self.layout.word(token.text);
                    behind_word = true;
                }
                Kind::Punctuation if token.text == "," && self.at + 1 < end => {
                    self.layout.word(",");
                    self.layout.space();
                    behind_word = false;
                }
                Kind::Punctuation if token.text == "=" => {
                    self.layout.word(if behind_word { " = " } else { "= " });
                    behind_word = false;
                }
                _ => return None,
            }
            self.at += 1;
        }
        self.layout.zero();
        self.layout.offset(-INDENT);
        self.layout.end();
        self.close(end, ")")
    }
}

fn without_trailing_spaces(text: Cow<'_, str>) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => Cow::Borrowed(text.trim_end_matches(' ')),
        Cow::Owned(text) => Cow::Owned(text.trim_end_matches(' ').to_owned()),
    }
}

/// What a literal in double quotes means.
fn unquoted(literal: &str) -> Option<Cow<'_, str>> {
    if let Some(raw) = literal.strip_prefix('r') {
        return raw.trim_matches('#').strip_prefix('"')?.strip_suffix('"').map(Cow::Borrowed);
    }
    let text = literal.strip_prefix('"')?.strip_suffix('"')?;
    if !text.contains('\\') {
        return Some(Cow::Borrowed(text));
    }
    let mut meant = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(index) = rest.find('\\') {
        meant.push_str(&rest[..index]);
        let mut characters = rest[index + 1..].chars();
        meant.push(match characters.next()? {
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            '0' => '\0',
            'u' => {
                let (digits, behind) = characters.as_str().strip_prefix('{')?.split_once('}')?;
                characters = behind.chars();
                char::from_u32(u32::from_str_radix(digits, 16).ok()?)?
            }
            same @ ('\\' | '"' | '\'') => same,
            _ => return None,
        });
        rest = characters.as_str();
    }
    meant.push_str(rest);
    Some(Cow::Owned(meant))
}
