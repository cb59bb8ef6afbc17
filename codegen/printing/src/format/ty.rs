//! Types, paths, and what is generic.

use super::list::Elements;
use super::{Kind, Printer, known};
use crate::layout::{Done, INDENT, Shape, Stop, WIDTH, ends_with_closers};

/// Where a path stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Path {
    /// `a::B<T>`
    Type,
    /// `a::B::<T>`
    Expression,
}

impl Printer<'_, '_> {
    pub(super) fn ty(&mut self, shape: Shape) -> Done {
        if self.flat.is_none() {
            // rustfmt does not count the keyword.
            let end = if self.is("impl") { shape.end + "impl ".len() } else { shape.end };
            if self.flat(end, |printer| printer.any_ty(shape))? {
                return Ok(());
            }
        }
        self.any_ty(shape)
    }

    fn any_ty(&mut self, shape: Shape) -> Done {
        match self.token(self.at).text {
            "&" => {
                self.keyword("&")?;
                if self.kind() == Kind::Lifetime {
                    self.print(Kind::Lifetime)?;
                    self.word(" ")?;
                }
                self.keyword("mut ")?;
                self.ty(shape)
            }
            "[" => {
                let end = self.open("[")?;
                self.word("[")?;
                self.ty(shape.less(1))?;
                if self.skip(";") {
                    self.word("; ")?;
                    self.expression(shape)?;
                }
                self.close(end, "]")
            }
            "(" => {
                let end = self.token(self.at).mate;
                // One type in parentheses is no list of one.
                known(self.at + 1 == end || self.has_comma_of_types(end)?)?;
                self.list(Elements::Types, 0, shape)
            }
            "impl" => {
                self.keyword("impl ")?;
                self.bounds_of_impl(Shape { end: shape.end + "impl ".len(), ..shape })
            }
            "dyn" => {
                self.keyword("dyn ")?;
                self.bounds_of_impl(shape)
            }
            "fn" => {
                self.keyword("fn")?;
                self.list(Elements::Types, 2, shape)?;
                self.return_type(shape)
            }
            _ => self.path(Path::Type, shape),
        }
    }

    fn has_comma_of_types(&self, end: usize) -> Done<bool> {
        let mut index = self.at + 1;
        while index < end {
            let token = self.token(index);
            match (token.kind, token.text) {
                (Kind::Open, _) => index = token.mate,
                (Kind::Punctuation, "<") => index = self.after_angles(index)? - 1,
                (Kind::Punctuation, ",") => return Ok(index + 1 < end),
                _ => {}
            }
            index += 1;
        }
        Ok(false)
    }

    /// `A + B` behind `impl` or `dyn`.
    fn bounds_of_impl(&mut self, shape: Shape) -> Done {
        let start = self.out.len();
        if self.flat.is_some() {
            self.bound(shape)?;
        } else if !self.flat(shape.end - "impl  ".len(), |printer| printer.bound(shape))? {
            // Not all of it has room, nor what comes first.
            self.print(Kind::Word)?;
            known(self.is("<"))?;
            self.list(Elements::BrokenGenerics, INDENT, shape)?;
        }
        while self.skip("+") {
            if self.flat.is_some() || ends_with_closers(&self.out[start..]) {
                self.word(" + ")?;
            } else {
                self.line(shape.indent)?;
                self.word("+ ")?;
            }
            self.bound(shape)?;
        }
        Ok(())
    }

    pub(super) fn bound(&mut self, shape: Shape) -> Done {
        match self.kind() {
            Kind::Lifetime => self.print(Kind::Lifetime),
            Kind::Word if !self.is("for") => self.path(Path::Type, shape),
            Kind::Punctuation if self.keyword("?")? => self.path(Path::Type, shape),
            _ => Err(Stop::Unknown),
        }
    }

    /// `A + B`, each on a line of its own if not all are on one.
    pub(super) fn bounds(&mut self, shape: Shape) -> Done {
        let is_flat = self.flat(shape.end, |printer| {
            printer.word(" ")?;
            printer.bounds_of_impl(shape)
        })?;
        if is_flat {
            return Ok(());
        }
        let nested = shape.deeper();
        self.word(" ")?;
        self.bound(nested)?;
        while self.skip("+") {
            self.line(nested.indent)?;
            self.word("+ ")?;
            self.bound(nested)?;
        }
        Ok(())
    }

    /// `-> T` on the line of what comes before.
    pub(super) fn return_type(&mut self, shape: Shape) -> Done {
        if self.skip("->") {
            self.word(" -> ")?;
            self.ty(shape)?;
        }
        Ok(())
    }

    /// `a::b`, `a::B<T>`, `<A as B>::C`
    pub(super) fn path(&mut self, place: Path, shape: Shape) -> Done {
        if self.skip("<") {
            self.word("<")?;
            self.ty(shape)?;
            if self.keyword(" as ")? {
                self.path(Path::Type, shape)?;
            }
            self.expect(">")?;
            self.expect("::")?;
            self.word(">::")?;
        }
        self.keyword("::")?;
        loop {
            self.print(Kind::Word)?;
            match place {
                Path::Type if self.is("<") => self.list(Elements::Generics, INDENT, shape)?,
                Path::Type if self.is("(") => {
                    let is_flat = self.flat(WIDTH, |printer| {
                        printer.list(Elements::Types, INDENT, shape)?;
                        printer.return_type(shape)
                    })?;
                    known(is_flat)?;
                }
                Path::Expression if self.is("::") && self.is_at(self.at + 1, "<") => {
                    self.keyword("::")?;
                    self.list(Elements::Generics, INDENT, shape)?;
                }
                _ => {}
            }
            if !self.is("::") {
                return Ok(());
            }
            self.keyword("::")?;
        }
    }

    pub(super) fn generic_argument(&mut self, shape: Shape) -> Done {
        match self.kind() {
            Kind::Lifetime => self.print(Kind::Lifetime),
            Kind::Literal => self.print(Kind::Literal),
            Kind::Word if self.is_at(self.at + 1, "=") => {
                self.print(Kind::Word)?;
                self.expect("=")?;
                self.word(" = ")?;
                self.ty(shape)
            }
            Kind::Word if self.is_at(self.at + 1, ":") => {
                self.print(Kind::Word)?;
                self.expect(":")?;
                self.word(":")?;
                self.bounds(shape)
            }
            _ => self.ty(shape),
        }
    }

    /// `<'a, T: B>` of an item
    pub(super) fn generics(&mut self, shape: Shape) -> Done {
        if !self.is("<") {
            return Ok(());
        }
        let end = self.after_angles(self.at)? - 1;
        self.keyword("<")?;
        let is_flat = self.flat(shape.end, |printer| {
            let mut is_first = true;
            while printer.at < end {
                if !is_first {
                    printer.expect(",")?;
                    if printer.at == end {
                        break;
                    }
                    printer.word(", ")?;
                }
                is_first = false;
                printer.generic_parameter(shape)?;
            }
            Ok(())
        })?;
        known(is_flat)?;
        self.close(end, ">")
    }

    fn generic_parameter(&mut self, shape: Shape) -> Done {
        if self.kind() == Kind::Lifetime {
            self.print(Kind::Lifetime)?;
            return known(self.is(",") || self.is(">"));
        }
        known(!self.is("const"))?;
        self.print(Kind::Word)?;
        if self.skip(":") && !self.is(",") && !self.is(">") {
            self.word(":")?;
            self.bounds(shape)?;
        }
        Ok(())
    }

    /// `where T: B`
    pub(super) fn where_clause(&mut self, indent: usize) -> Done {
        if !self.skip("where") {
            return Ok(());
        }
        self.line(indent)?;
        self.word("where")?;
        let shape = Shape::lines(indent).deeper().less(1);
        while !self.is("{") && !self.is(";") {
            self.line(shape.indent)?;
            self.ty(shape)?;
            self.expect(":")?;
            self.word(":")?;
            if !self.is(",") && !self.is("{") && !self.is(";") {
                self.bounds(shape)?;
            }
            self.skip(",");
            if !self.is(";") {
                self.word(",")?;
            }
        }
        Ok(())
    }
}
