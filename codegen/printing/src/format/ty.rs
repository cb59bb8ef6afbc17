//! Types, paths, and what is generic.

use super::{Kind, Printer};
use crate::layout::INDENT;

/// Where a path stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Path {
    /// `a::B<T>`
    Type,
    /// `a::B::<T>`
    Expression,
}

impl Printer<'_, '_> {
    pub(super) fn ty(&mut self) -> Option<()> {
        match self.token(self.at).text {
            "&" => {
                self.keyword("&");
                if self.print(Kind::Lifetime).is_some() {
                    self.layout.word(" ");
                }
                self.keyword("mut ");
                self.ty()
            }
            "[" => {
                let end = self.open("[")?;
                self.layout.word("[");
                self.ty()?;
                if self.skip(";") {
                    self.layout.word("; ");
                    self.expression()?;
                }
                self.close(end, "]")
            }
            "(" => {
                let end = self.open("(")?;
                self.layout.word("(");
                self.layout.consistent(INDENT);
                self.layout.zero();
                let mut count = 0;
                self.list(end, |printer| {
                    count += 1;
                    printer.ty()
                })?;
                // One type in parentheses is no list of one.
                if count == 1 {
                    return None;
                }
                self.layout.offset(-INDENT);
                self.layout.end();
                self.close(end, ")")
            }
            "impl" => {
                self.keyword("impl ");
                self.bounds()
            }
            "dyn" => {
                self.keyword("dyn ");
                self.bounds()
            }
            "fn" => {
                self.keyword("fn");
                let end = self.open("(")?;
                self.layout.word("(");
                self.layout.consistent(INDENT);
                self.layout.zero();
                self.list(end, Self::ty)?;
                self.layout.offset(-INDENT);
                self.layout.end();
                self.close(end, ")")?;
                self.return_type()
            }
            _ => self.path(Path::Type),
        }
    }

    /// Prints what closes a group.
    pub(super) fn close(&mut self, end: usize, text: &'static str) -> Option<()> {
        (self.at == end).then(|| {
            self.layout.word(text);
            self.at += 1;
        })
    }

    /// `A + B`
    fn bounds(&mut self) -> Option<()> {
        self.bound()?;
        while self.skip("+") {
            self.layout.word(" + ");
            self.bound()?;
        }
        Some(())
    }

    pub(super) fn bound(&mut self) -> Option<()> {
        match self.kind() {
            Kind::Lifetime => self.print(Kind::Lifetime),
            Kind::Word if !self.is("for") => self.path(Path::Type),
            Kind::Punctuation if self.keyword("?") => self.path(Path::Type),
            _ => None,
        }
    }

    /// `: A + B`, which may be broken.
    fn breaking_bounds(&mut self, first: &'static str) -> Option<()> {
        if self.is(",") || self.is(">") {
            return Some(());
        }
        self.layout.word(first);
        self.bound()?;
        while self.skip("+") {
            self.layout.space();
            self.layout.word("+ ");
            self.bound()?;
        }
        Some(())
    }

    /// `-> T`
    pub(super) fn return_type(&mut self) -> Option<()> {
        if self.skip("->") {
            self.layout.word(" -> ");
            self.ty()?;
        }
        Some(())
    }

    /// `a::b`, `a::B<T>`, `<A as B>::C`
    pub(super) fn path(&mut self, place: Path) -> Option<()> {
        if self.skip("<") {
            self.layout.word("<");
            self.ty()?;
            if self.keyword(" as ") {
                self.path(Path::Type)?;
            }
            self.expect(">")?;
            self.expect("::")?;
            self.layout.word(">::");
        }
        loop {
            self.print(Kind::Word)?;
            let is_generic = match place {
                Path::Type => self.is("<"),
                Path::Expression => self.is("::") && self.is_at(self.at + 1, "<"),
            };
            if is_generic {
                self.generic_arguments(place)?;
            } else if place == Path::Type && self.is("(") {
                self.function_arguments()?;
            }
            if !self.is("::") {
                return Some(());
            }
            self.keyword("::");
        }
    }

    /// `<T>`, or `::<T>` in an expression.
    pub(super) fn generic_arguments(&mut self, place: Path) -> Option<()> {
        if place == Path::Expression {
            self.expect("::")?;
            self.layout.word("::");
        }
        let end = self.after_angles(self.at)? - 1;
        self.expect("<")?;
        self.layout.word("<");
        self.layout.consistent(INDENT);
        self.layout.zero();
        self.list(end, Self::generic_argument)?;
        self.layout.offset(-INDENT);
        self.layout.end();
        self.close(end, ">")
    }

    fn generic_argument(&mut self) -> Option<()> {
        match self.kind() {
            Kind::Lifetime => self.print(Kind::Lifetime),
            Kind::Literal => self.print(Kind::Literal),
            Kind::Word if self.is_at(self.at + 1, "=") => {
                self.print(Kind::Word)?;
                self.expect("=")?;
                self.layout.word(" = ");
                self.ty()
            }
            Kind::Word if self.is_at(self.at + 1, ":") => {
                self.print(Kind::Word)?;
                self.expect(":")?;
                self.layout.inconsistent(INDENT);
                self.breaking_bounds(": ")?;
                self.layout.end();
                Some(())
            }
            _ => self.ty(),
        }
    }

    /// `(A) -> B` of `Fn(A) -> B`
    fn function_arguments(&mut self) -> Option<()> {
        let end = self.open("(")?;
        self.layout.consistent(INDENT);
        self.layout.word("(");
        self.layout.zero();
        self.list(end, Self::ty)?;
        self.layout.offset(-INDENT);
        self.close(end, ")")?;
        self.return_type()?;
        self.layout.end();
        Some(())
    }

    /// `<'a, T: B>` of an item
    pub(super) fn generics(&mut self) -> Option<()> {
        if !self.is("<") {
            return Some(());
        }
        let end = self.after_angles(self.at)? - 1;
        self.keyword("<");
        self.layout.consistent(0);
        self.layout.zero();
        self.list(end, Self::generic_parameter)?;
        self.layout.offset(-INDENT);
        self.layout.end();
        self.close(end, ">")
    }

    fn generic_parameter(&mut self) -> Option<()> {
        if self.print(Kind::Lifetime).is_some() {
            return (self.is(",") || self.is(">")).then_some(());
        }
        if self.is("const") {
            return None;
        }
        self.print(Kind::Word)?;
        self.layout.inconsistent(INDENT);
        if self.skip(":") {
            self.breaking_bounds(": ")?;
        }
        self.layout.end();
        Some(())
    }

    /// `where T: B`, and what stands in front of the block or the `;` behind it.
    pub(super) fn where_clause(&mut self, with_semicolon: bool) -> Option<()> {
        if !self.skip("where") {
            self.layout.word(if with_semicolon { ";" } else { " " });
            return Some(());
        }
        self.layout.line();
        self.layout.offset(-INDENT);
        self.layout.word("where");
        self.layout.line();
        while !self.is("{") && !self.is(";") {
            self.ty()?;
            self.expect(":")?;
            self.layout.word(":");
            let start = self.at;
            // A single bound stands on the line of the type.
            let is_single = !self.has_plus(start);
            self.layout.inconsistent(if is_single { 0 } else { INDENT });
            self.breaking_bounds(" ")?;
            self.layout.end();
            let is_last = !self.skip(",") || self.is("{") || self.is(";");
            if is_last && with_semicolon {
                self.layout.word(";");
            } else {
                self.layout.word(",");
                self.layout.line();
            }
        }
        if !with_semicolon {
            self.layout.offset(-INDENT);
        }
        Some(())
    }

    /// There is a `+` before the next `,` or block.
    fn has_plus(&self, mut index: usize) -> bool {
        loop {
            let token = self.token(index);
            match (token.kind, token.text) {
                (Kind::Punctuation, "+") => return true,
                (Kind::Punctuation, "<") => match self.after_angles(index) {
                    Some(after) => index = after - 1,
                    None => return false,
                },
                (Kind::Open, "(") => index = token.mate,
                (Kind::Punctuation, "," | ";") | (Kind::Open | Kind::Close | Kind::End, _) => return false,
                _ => {}
            }
            index += 1;
        }
    }
}
