//! Patterns.

use super::ty::Path;
use super::{Kind, Printer};
use crate::layout::{Break, INDENT};

impl Printer<'_, '_> {
    /// A pattern, which may have alternatives.
    pub(super) fn pattern(&mut self) -> Option<()> {
        self.skip("|");
        if !self.has_alternatives() {
            return self.one_pattern();
        }
        // Literals share lines, everything else has one for itself.
        if self.are_literals() {
            self.layout.inconsistent(0);
        } else {
            self.layout.consistent(0);
        }
        self.one_pattern()?;
        while self.skip("|") {
            self.layout.space();
            self.layout.word("| ");
            self.one_pattern()?;
        }
        self.layout.end();
        Some(())
    }

    /// A pattern without alternatives.
    pub(super) fn one_pattern(&mut self) -> Option<()> {
        match (self.kind(), self.token(self.at).text) {
            (Kind::Literal, _) => {
                self.print(Kind::Literal)?;
                if self.keyword("..=") { self.print(Kind::Literal) } else { Some(()) }
            }
            (Kind::Punctuation, "-") => {
                self.keyword("-");
                self.print(Kind::Literal)
            }
            (Kind::Punctuation, "..") => self.keyword("..").then_some(()),
            (Kind::Punctuation, "&") => {
                self.keyword("&");
                self.keyword("mut ");
                self.one_pattern()
            }
            (Kind::Open, "(") => {
                let end = self.open("(")?;
                self.layout.word("(");
                let mut count = 0;
                self.patterns(end, &mut count)?;
                // One pattern in parentheses is no list of one.
                (count != 1).then_some(())
            }
            (Kind::Word, "ref" | "mut") => {
                self.keyword("ref ");
                self.keyword("mut ");
                self.print(Kind::Word)
            }
            (Kind::Word, _) => {
                self.path_pattern()?;
                (!self.is("@") && !self.is("..=") && !self.is("!")).then_some(())
            }
            _ => None,
        }
    }

    /// `a::B`, `A(b)`, `A { b }`
    fn path_pattern(&mut self) -> Option<()> {
        let is_struct = self.after_path(self.at).is_some_and(|after| self.is_at(after, "{"));
        if is_struct {
            self.layout.consistent(INDENT);
        }
        self.path(Path::Expression)?;
        if is_struct {
            return self.fields_of_pattern();
        }
        if self.is("(") {
            let end = self.open("(")?;
            self.layout.word("(");
            self.patterns(end, &mut 0)?;
        }
        Some(())
    }

    /// The patterns up to `)`.
    fn patterns(&mut self, end: usize, count: &mut usize) -> Option<()> {
        self.layout.consistent(INDENT);
        self.layout.zero();
        self.list(end, |printer| {
            *count += 1;
            printer.pattern()
        })?;
        self.layout.offset(-INDENT);
        self.layout.end();
        self.close(end, ")")
    }

    fn fields_of_pattern(&mut self) -> Option<()> {
        let end = self.open("{")?;
        self.layout.word(" {");
        self.layout.place(Break { blank: 1, if_nonempty: true, ..Break::default() });
        while self.at < end {
            if self.keyword("..") {
                self.layout.space();
                break;
            }
            self.print(Kind::Word)?;
            if self.skip(":") {
                self.layout.word(": ");
                self.pattern()?;
            }
            if self.at < end {
                self.expect(",")?;
            }
            self.layout.comma(self.at == end, 1);
        }
        self.layout.offset(-INDENT);
        self.layout.end();
        self.close(end, "}")
    }

    /// There is a `|` before what ends the pattern.
    fn has_alternatives(&self) -> bool {
        self.until_end_of_pattern().any(|index| self.is_at(index, "|"))
    }

    fn are_literals(&self) -> bool {
        self.until_end_of_pattern().all(|index| {
            let token = self.token(index);
            token.kind == Kind::Literal || matches!(token.text, "|" | "-" | "_")
        })
    }

    fn until_end_of_pattern(&self) -> impl Iterator<Item = usize> {
        let mut index = self.at;
        std::iter::from_fn(move || {
            let token = self.token(index);
            let ends = match token.kind {
                Kind::Close | Kind::End => true,
                Kind::Word => token.text == "if" || token.text == "in",
                Kind::Punctuation => matches!(token.text, "=>" | "=" | "," | ":"),
                Kind::Literal | Kind::Lifetime | Kind::Open => false,
            };
            let found = index;
            index = if token.kind == Kind::Open { token.mate + 1 } else { index + 1 };
            (!ends).then_some(found)
        })
    }
}
