//! Macros of the runtime, which no other printer lays out.

use super::list::Elements;
use super::{Kind, Printer};
use crate::layout::{Done, INDENT, Shape};

impl Printer<'_, '_> {
    /// A macro of the runtime in parentheses follows: `json::serde_traits!(…);`
    pub(super) fn is_call(&self) -> bool {
        self.is("json") && self.is_at(self.at + 1, "::") && self.is_at(self.at + 4, "(")
    }

    /// `json::object` of a macro.
    fn macro_name(&mut self) -> Done {
        self.print(Kind::Word)?;
        self.expect("::")?;
        self.word("::")?;
        self.print(Kind::Word)?;
        self.expect("!")
    }

    /// `json::object! { Pet, read, write { optional name = "name", } }`, whose entries have a line each, and an enum in a
    /// macro.
    pub(super) fn table(&mut self, indent: usize) -> Done {
        self.macro_name()?;
        let end = self.open("{")?;
        self.word("! {")?;
        let shape = Shape::lines(indent).deeper();
        self.line(shape.indent)?;
        if self.is("#") || self.is("pub") {
            self.item(shape.indent)?;
        } else {
            while self.at < end && !self.is("{") {
                self.table_token(shape)?;
            }
            let entries = self.open("{")?;
            self.word(" {")?;
            if self.at < entries {
                while self.at < entries {
                    self.line(shape.indent + INDENT)?;
                    self.table_entry(shape.deeper())?;
                }
                self.line(shape.indent)?;
            }
            self.close(entries, "}")?;
        }
        self.line(indent)?;
        self.close(end, "}")
    }

    /// What stands next in a table, with the space in front of it, or on the next line.
    fn table_token(&mut self, shape: Shape) -> Done {
        if self.keyword(",")? {
            return Ok(());
        }
        let is_first = self.token(self.at - 1).kind == Kind::Open;
        if is_first || self.is("(") {
            return self.table_word(shape);
        }
        let is_flat = self.flat(shape.end - " {".len(), |printer| {
            printer.word(" ")?;
            printer.table_words(shape)
        })?;
        if is_flat {
            return Ok(());
        }
        self.line(shape.indent + INDENT)?;
        self.table_words(shape.deeper())
    }

    /// A word and its list.
    fn table_words(&mut self, shape: Shape) -> Done {
        self.table_word(shape)?;
        while self.is("[") {
            self.word(" ")?;
            self.table_word(shape)?;
        }
        Ok(())
    }

    /// `optional name = "name" [Rule::MaxLength(255)],`
    fn table_entry(&mut self, shape: Shape) -> Done {
        self.print(Kind::Word)?;
        while !self.is(",") {
            self.word(" ")?;
            self.table_word(shape.less(1))?;
        }
        self.keyword(",")?;
        Ok(())
    }

    fn table_word(&mut self, shape: Shape) -> Done {
        match (self.kind(), self.token(self.at).text) {
            (Kind::Open, "(") => {
                let end = self.open("(")?;
                self.word("(")?;
                while self.at < end {
                    self.table_token(shape)?;
                }
                self.close(end, ")")
            }
            (Kind::Open, "[") => self.expression(shape),
            (Kind::Punctuation, "=") => self.keyword("=").map(|_| ()),
            (Kind::Punctuation, "-") => {
                self.keyword("-")?;
                self.print(Kind::Literal)
            }
            (Kind::Literal, _) => self.print(Kind::Literal),
            _ => self.print(Kind::Word),
        }
    }

    /// `json::serde_traits!(Serialize for Pet);`
    pub(super) fn macro_call(&mut self, indent: usize) -> Done {
        let start = self.column();
        self.macro_name()?;
        self.word("!")?;
        let before = self.column() - start;
        let shape = Shape::lines(indent).less(1);
        let end = self.token(self.at).mate;
        if (self.at..end).any(|index| self.is_at(index, "for")) {
            // These are no arguments: it stays as it is.
            self.open("(")?;
            self.word("(")?;
            self.words(end)?;
            self.close(end, ")")?;
        } else if !self.flat(shape.end, |printer| printer.list(Elements::Expressions, before, shape))? {
            self.list(Elements::Expressions, before, shape)?;
        }
        self.expect(";")?;
        self.word(";")
    }

    /// Names and commas.
    fn words(&mut self, end: usize) -> Done {
        while self.at < end {
            let is_first = self.is_at(self.at - 1, "(");
            if self.keyword(",")? {
                continue;
            }
            if !is_first {
                self.word(" ")?;
            }
            self.print(Kind::Word)?;
        }
        Ok(())
    }
}
