//! Patterns.

use super::list::Elements;
use super::ty::Path;
use super::{Kind, Printer, known};
use crate::layout::{Done, Shape, Stop, width};

/// How wide the fields of a struct may be on one line.
const WIDEST_STRUCT: usize = 18;

/// How wide alternatives may be that share lines.
const SHORT: usize = 20;

impl Printer<'_, '_> {
    /// A pattern, which may have alternatives.
    pub(super) fn pattern(&mut self, shape: Shape) -> Done {
        self.skip("|");
        if self.flat.is_none() && self.flat(shape.end, |printer| printer.alternatives(shape))? {
            return Ok(());
        }
        self.alternatives(shape)
    }

    fn alternatives(&mut self, shape: Shape) -> Done {
        let are_short = self.flat.is_none() && self.are_short();
        self.alternative(shape)?;
        while self.skip("|") {
            if self.flat.is_some() {
                self.word(" | ")?;
                self.one_pattern(shape)?;
                continue;
            }
            let is_beside = are_short
                && self.flat(shape.end, |printer| {
                    printer.word(" | ")?;
                    printer.one_pattern(shape)
                })?;
            if !is_beside {
                self.line(shape.indent)?;
                self.word("| ")?;
                self.alternative(shape)?;
            }
        }
        Ok(())
    }

    /// The same, on one line where it fits.
    fn alternative(&mut self, shape: Shape) -> Done {
        let is_flat = self.flat.is_none() && self.flat(shape.end, |printer| printer.one_pattern(shape))?;
        if is_flat { Ok(()) } else { self.one_pattern(shape) }
    }

    /// A pattern without alternatives.
    pub(super) fn one_pattern(&mut self, shape: Shape) -> Done {
        match (self.kind(), self.token(self.at).text) {
            (Kind::Literal, _) => {
                self.print(Kind::Literal)?;
                if self.keyword("..=")? { self.print(Kind::Literal) } else { Ok(()) }
            }
            (Kind::Punctuation, "-") => {
                self.keyword("-")?;
                self.print(Kind::Literal)
            }
            (Kind::Punctuation, "..") => self.keyword("..").map(|_| ()),
            (Kind::Punctuation, "&") => {
                self.keyword("&")?;
                self.keyword("mut ")?;
                self.one_pattern(shape)
            }
            (Kind::Open, "(") => {
                let end = self.token(self.at).mate;
                // One pattern in parentheses is no list of one.
                known(self.at + 1 == end || self.has_comma(self.at + 1, end))?;
                self.list(Elements::Patterns, 0, shape)
            }
            (Kind::Word, "ref" | "mut") => {
                self.keyword("ref ")?;
                self.keyword("mut ")?;
                self.print(Kind::Word)
            }
            (Kind::Word, _) => {
                self.path_pattern(shape)?;
                known(!self.is("@") && !self.is("..=") && !self.is("!"))
            }
            _ => Err(Stop::Unknown),
        }
    }

    /// `a::B`, `A(b)`, `A { b }`
    fn path_pattern(&mut self, shape: Shape) -> Done {
        let start = self.column();
        self.path(Path::Expression, shape)?;
        if self.is("{") {
            return self.fields_of_pattern(shape);
        }
        if self.is("(") {
            let before = self.column().saturating_sub(start);
            return self.list(Elements::Patterns, before, shape);
        }
        Ok(())
    }

    fn fields_of_pattern(&mut self, shape: Shape) -> Done {
        let end = self.open("{")?;
        let fields = self.split(end, false)?;
        if fields.is_empty() {
            self.word(" {")?;
            return self.close(end, "}");
        }
        let is_flat = self.flat.is_some();
        self.word(if is_flat { " { " } else { " {" })?;
        let start = self.column();
        let nested = Shape::lines(shape.indent).deeper().less(1);
        for (index, &field) in fields.iter().enumerate() {
            if !is_flat {
                self.line(nested.indent)?;
            } else if index > 0 {
                self.word(", ")?;
            }
            self.at = field.0;
            if !self.keyword("..")? {
                self.print(Kind::Word)?;
                if self.skip(":") {
                    self.word(": ")?;
                    self.pattern(if is_flat { shape } else { nested })?;
                }
                if !is_flat {
                    self.word(",")?;
                }
            }
            self.expect_end(field.1)?;
        }
        if !is_flat {
            self.line(shape.indent)?;
        } else if self.column() - start > WIDEST_STRUCT {
            return Err(Stop::Wide);
        } else {
            self.word(" ")?;
        }
        self.at = end;
        self.close(end, "}")
    }

    /// All alternatives are literals or names.
    fn are_short(&self) -> bool {
        let mut length = 0;
        let mut index = self.at;
        loop {
            let token = self.token(index);
            match (token.kind, token.text) {
                (Kind::Punctuation, "|") => length = 0,
                (Kind::Punctuation, "-") => length += 1,
                (Kind::Word, "if" | "in")
                | (Kind::Close | Kind::End, _)
                | (Kind::Punctuation, "=>" | "=" | "," | ":") => {
                    return true;
                }
                (Kind::Literal, text) => length += width(text),
                _ => return false,
            }
            if length > SHORT {
                return false;
            }
            index += 1;
        }
    }
}
