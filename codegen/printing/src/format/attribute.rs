//! Attributes, of which documentation and comments are the most.

use std::borrow::Cow;

use super::{Kind, Printer, known};
use crate::layout::{Done, Shape, Stop, WIDTH};

/// How wide what is in the brackets of an attribute may be on one line.
const WIDEST: usize = 70;

impl Printer<'_, '_> {
    /// `#[a]` in front of something, and comments, each on a line of its own.
    pub(super) fn attributes(&mut self, indent: usize) -> Done {
        while self.skip("#") {
            self.attribute("#", "///", indent)?;
            self.line(indent)?;
        }
        Ok(())
    }

    /// The same behind `#!`.
    pub(super) fn inner_attributes(&mut self) -> Done {
        while self.is("#") && self.is_at(self.at + 1, "!") {
            self.at += 2;
            self.attribute("#!", "//!", 0)?;
            self.line(0)?;
        }
        Ok(())
    }

    fn attribute(&mut self, sign: &str, doc: &str, indent: usize) -> Done {
        let end = self.open("[")?;
        let token = self.token(self.at);
        let comment = match token.text {
            "doc" => Some(doc),
            "comment" => Some("//"),
            _ => None,
        };
        if let Some(slashes) = comment.filter(|_| self.is_at(self.at + 1, "=")) {
            let text = unquoted(self.token(self.at + 2).text).ok_or(Stop::Unknown)?;
            known(!(text.contains('\n') || slashes == "///" && text.starts_with('/')))?;
            self.word(slashes)?;
            self.word(&without_trailing_spaces(text))?;
            self.at = end + 1;
            return Ok(());
        }
        self.word(sign)?;
        self.word("[")?;
        // Derived traits have all of the line.
        let widest = if self.is("derive") { WIDTH } else { WIDEST };
        self.print(Kind::Word)?;
        if self.is("(") {
            let shape = Shape { indent, end: WIDTH - 1 };
            self.attribute_list(widest, shape)?;
        } else if self.keyword(" = ")? {
            self.print(Kind::Literal)?;
        }
        self.close(end, "]")
    }

    /// `(a, b = "c", d(e))`
    fn attribute_list(&mut self, widest: usize, shape: Shape) -> Done {
        let end = self.open("(")?;
        self.word("(")?;
        let items = self.split(end, false)?;
        let is_flat = self.flat(shape.end, |printer| {
            let start = printer.column();
            for (index, &item) in items.iter().enumerate() {
                if index > 0 {
                    printer.word(", ")?;
                }
                printer.attribute_item(item, shape)?;
            }
            let is_wide = items.len() > 1 && printer.column() - start > widest;
            if is_wide {
                return Err(Stop::Wide);
            }
            printer.at = end;
            printer.close(end, ")")
        })?;
        if is_flat {
            return Ok(());
        }
        // A single one is broken on this line.
        if let &[item] = items.as_slice() {
            self.attribute_item(item, shape)?;
        } else {
            let nested = shape.deeper();
            for (index, &item) in items.iter().enumerate() {
                self.line(nested.indent)?;
                self.attribute_item(item, nested)?;
                if index + 1 < items.len() || widest == WIDTH {
                    self.word(",")?;
                }
            }
            self.line(shape.indent)?;
        }
        self.at = end;
        self.close(end, ")")
    }

    fn attribute_item(&mut self, (start, end): (usize, usize), shape: Shape) -> Done {
        self.at = start;
        let mut behind_word = false;
        while self.at < end {
            if behind_word && self.is("(") {
                self.attribute_list(WIDEST, shape)?;
                continue;
            }
            let token = self.token(self.at);
            match token.kind {
                Kind::Word | Kind::Literal => {
                    if behind_word {
                        self.word(" ")?;
                    }
                    self.word(token.text)?;
                    behind_word = true;
                }
                Kind::Punctuation if token.text == "=" => {
                    self.word(if behind_word { " = " } else { "= " })?;
                    behind_word = false;
                }
                Kind::Punctuation if token.text == "::" => {
                    self.word("::")?;
                    behind_word = false;
                }
                _ => return Err(Stop::Unknown),
            }
            self.at += 1;
        }
        self.expect_end(end)
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
