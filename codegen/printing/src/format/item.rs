//! Items: of files, of implementations and of traits.

use super::list::Elements;
use super::ty::Path;
use super::{Kind, Printer, known};
use crate::layout::{Done, INDENT, Shape, Stop, Written};

/// How wide the fields of a variant may be on one line.
const WIDEST_VARIANT: usize = 35;

impl<'a> Printer<'a, '_> {
    /// An item and the end of its line, wherever it stands.
    pub(super) fn item(&mut self, indent: usize) -> Done {
        self.attributes(indent)?;
        let shape = Shape::lines(indent);
        let keyword = self.after_visibility()?;
        self.visibility()?;
        match keyword {
            "use" => self.use_(shape)?,
            "struct" => self.struct_item(shape)?,
            "enum" => self.enum_(shape)?,
            "impl" => self.impl_(shape)?,
            "trait" => self.trait_(shape)?,
            "type" => self.type_item(shape)?,
            "mod" => {
                self.keyword("mod ")?;
                self.print(Kind::Word)?;
                if self.is("{") {
                    self.word(" ")?;
                    self.items(shape)?;
                } else {
                    self.semicolon()?;
                }
            }
            _ if self.is_function() => self.function(shape)?,
            "const" | "static" => self.constant(shape)?,
            "json" if self.is_call() => self.macro_call(indent)?,
            "json" | "unknown" => self.table(indent)?,
            _ => return Err(Stop::Unknown),
        }
        if indent == 0 {
            self.line(0)?;
        }
        Ok(())
    }

    /// The keyword behind `pub`.
    fn after_visibility(&self) -> Done<&'a str> {
        let mut index = self.at;
        if self.is_at(index, "pub") {
            index += 1;
            if self.is_at(index, "(") {
                index = self.token(index).mate + 1;
            }
        }
        let token = self.token(index);
        known(token.kind == Kind::Word)?;
        Ok(token.text)
    }

    pub(super) fn visibility(&mut self) -> Done {
        if !self.skip("pub") {
            return Ok(());
        }
        if !self.is("(") {
            return self.word("pub ");
        }
        let end = self.open("(")?;
        known(matches!(self.token(self.at).text, "crate" | "self" | "super"))?;
        self.word("pub(")?;
        self.print(Kind::Word)?;
        self.word(") ")?;
        self.expect(")")?;
        self.expect_end(end + 1)
    }

    /// Ends an item without a block.
    pub(super) fn semicolon(&mut self) -> Done {
        self.expect(";")?;
        self.word(";")
    }

    /// `{ … }` with a line or more for each part.
    fn lines(&mut self, shape: Shape, mut part: impl FnMut(&mut Self, Shape) -> Done) -> Done {
        let end = self.open("{")?;
        self.word("{")?;
        if self.at < end {
            let inner = Shape::lines(shape.indent).deeper();
            while self.at < end {
                self.line(inner.indent)?;
                part(self, inner)?;
            }
            self.line(shape.indent)?;
        }
        self.close(end, "}")
    }

    fn items(&mut self, shape: Shape) -> Done {
        self.lines(shape, |printer, inner| printer.item(inner.indent))
    }

    /// What stands between a head and the brace of its block.
    fn where_before_brace(&mut self, shape: Shape) -> Done {
        if !self.is("where") && self.column() + " {".len() <= shape.end {
            return self.word(" ");
        }
        self.where_clause(shape.indent)?;
        self.line(shape.indent)
    }

    fn is_function(&self) -> bool {
        let mut index = self.at;
        while self.is_at(index, "const") || self.is_at(index, "async") {
            index += 1;
        }
        self.is_at(index, "fn")
    }

    fn function(&mut self, shape: Shape) -> Done {
        self.keyword("const ")?;
        self.keyword("async ")?;
        self.keyword("fn ")?;
        self.print(Kind::Word)?;
        self.generics(shape)?;
        let end = self.open("(")?;
        let parameters = self.split(end, true)?;
        self.at = end + 1;
        // rustfmt measures the result where a line starts, with the arrow in front of it.
        let result = if self.is("->") {
            let column = shape.indent + "-> ".len();
            let result = self.attempt_below(column, |printer| {
                printer.expect("->")?;
                printer.ty(shape)
            })?;
            Some(result.ok_or(Stop::Wide)?)
        } else {
            None
        };
        let mut index = end;
        while !matches!(self.token(index).text, "{" | ";" | "where") {
            index += 1;
        }
        let suffix = match self.token(index).text {
            "{" => " {".len(),
            ";" => 1,
            _ => 0,
        };
        let is_flat = result.as_ref().is_none_or(Written::is_one_line)
            && self.flat(shape.end - suffix, |printer| {
                printer.word("(")?;
                for (index, &parameter) in parameters.iter().enumerate() {
                    if index > 0 {
                        printer.word(", ")?;
                    }
                    printer.parameter(parameter, shape)?;
                }
                printer.word(")")?;
                if let Some(result) = &result {
                    printer.word(" -> ")?;
                    printer.word(&result.text)?;
                }
                Ok(())
            })?;
        if !is_flat {
            self.word("(")?;
            if !parameters.is_empty() {
                let nested = shape.deeper().less(1);
                for &parameter in &parameters {
                    self.line(nested.indent)?;
                    self.parameter(parameter, nested)?;
                    self.word(",")?;
                }
                self.line(shape.indent)?;
            }
            self.word(")")?;
            if let Some(result) = &result {
                self.word(" -> ")?;
                self.put(&result.text);
            }
        }
        self.at = end + 1;
        if let Some(result) = &result {
            self.at = result.at;
        }
        if self.is("where") {
            self.where_clause(shape.indent)?;
            if !self.is(";") {
                self.line(shape.indent)?;
            }
        } else if self.is("{") && !is_flat && self.column() + " {".len() > shape.end - shape.indent {
            // rustfmt counts the depth of the line twice.
            self.line(shape.indent)?;
        } else if self.is("{") {
            self.word(" ")?;
        }
        if self.is(";") {
            return self.semicolon();
        }
        let end = self.open("{")?;
        self.word("{")?;
        if self.at == end { self.close(end, "}") } else { self.block_behind_brace(end, shape) }
    }

    fn parameter(&mut self, (start, end): (usize, usize), shape: Shape) -> Done {
        self.at = start;
        known(!self.is("#"))?;
        let mut index = self.at;
        while self.is_at(index, "&") || self.token(index).kind == Kind::Lifetime || self.is_at(index, "mut") {
            index += 1;
        }
        if self.is_at(index, "self") {
            if self.keyword("&")? && self.kind() == Kind::Lifetime {
                self.print(Kind::Lifetime)?;
                self.word(" ")?;
            }
            self.keyword("mut ")?;
            self.print(Kind::Word)?;
            if !self.is(":") {
                return self.expect_end(end);
            }
        } else {
            self.one_pattern(shape)?;
        }
        self.expect(":")?;
        self.word(": ")?;
        self.ty(shape)?;
        self.expect_end(end)
    }

    /// `const A: B = c;` and `static A: B = c;`
    fn constant(&mut self, shape: Shape) -> Done {
        let _ = self.keyword("const ")? || self.keyword("static ")?;
        self.print(Kind::Word)?;
        self.expect(":")?;
        self.word(": ")?;
        self.ty(shape.less(" =".len()))?;
        if self.skip("=") {
            self.word(" =")?;
            let (at, length, line) = (self.at, self.out.len(), self.line);
            let mut done = self.right_side(shape.less(1), Self::expression);
            if done == Err(Stop::Wide) {
                self.out.truncate(length);
                (self.at, self.line) = (at, line);
                self.is_lenient = true;
                done = self.right_side(shape.less(1), Self::expression);
                self.is_lenient = false;
            }
            done?;
        }
        self.semicolon()
    }

    /// `type A = B;` and `type A: B;`
    fn type_item(&mut self, shape: Shape) -> Done {
        self.keyword("type ")?;
        self.print(Kind::Word)?;
        self.generics(shape)?;
        if self.skip(":") {
            self.word(":")?;
            self.bounds(shape.less(1))?;
        }
        if self.skip("=") {
            self.word(" =")?;
            self.right_side(shape.less(1), Self::ty)?;
        }
        self.semicolon()
    }

    fn struct_item(&mut self, shape: Shape) -> Done {
        self.keyword("struct ")?;
        self.print(Kind::Word)?;
        self.generics(shape)?;
        if self.is("(") {
            self.list(Elements::Fields, INDENT, shape.less(1))?;
        }
        if !self.is("{") && !self.is("where") {
            return self.semicolon();
        }
        self.where_before_brace(shape)?;
        self.lines(shape, |printer, inner| {
            printer.attributes(inner.indent)?;
            printer.field(inner.less(1))?;
            printer.skip(",");
            printer.word(",")
        })
    }

    fn field(&mut self, shape: Shape) -> Done {
        self.visibility()?;
        self.print(Kind::Word)?;
        self.expect(":")?;
        self.word(":")?;
        self.right_side(shape, Self::ty)
    }

    fn enum_(&mut self, shape: Shape) -> Done {
        self.keyword("enum ")?;
        self.print(Kind::Word)?;
        self.generics(shape)?;
        if self.keyword(": ")? {
            // In a macro: what its values are.
            self.print(Kind::Word)?;
            if self.keyword(" or ")? {
                self.print(Kind::Word)?;
            }
        }
        self.where_before_brace(shape)?;
        self.lines(shape, |printer, inner| {
            printer.attributes(inner.indent)?;
            printer.variant(inner.less(1))?;
            printer.skip(",");
            printer.word(",")
        })
    }

    fn variant(&mut self, shape: Shape) -> Done {
        if self.keyword("..")? {
            self.print(Kind::Word)?;
            return if self.keyword(" in ")? { self.print(Kind::Word) } else { Ok(()) };
        }
        let start = self.column();
        self.print(Kind::Word)?;
        if self.is("(") {
            let before = self.column() - start;
            self.list(Elements::Fields, before, shape)?;
        } else if self.is("{") {
            self.fields_of_variant(shape)?;
        }
        if self.skip("=") {
            self.word(" = ")?;
            self.expression(shape)?;
        }
        Ok(())
    }

    fn fields_of_variant(&mut self, shape: Shape) -> Done {
        let start = self.at;
        let end = self.open("{")?;
        let fields = self.split(end, true)?;
        self.word(" ")?;
        let is_flat = !fields.iter().any(|field| self.is_at(field.0, "#"))
            && self.flat(shape.end, |printer| {
                printer.word("{ ")?;
                let start = printer.column();
                for (index, &(field, after)) in fields.iter().enumerate() {
                    if index > 0 {
                        printer.word(", ")?;
                    }
                    printer.at = field;
                    printer.field(shape)?;
                    printer.expect_end(after)?;
                }
                if printer.column() - start > WIDEST_VARIANT {
                    return Err(Stop::Wide);
                }
                printer.word(" ")?;
                printer.at = end;
                printer.close(end, "}")
            })?;
        if is_flat {
            return Ok(());
        }
        self.at = start;
        self.lines(shape, |printer, inner| {
            printer.attributes(inner.indent)?;
            printer.field(inner.less(1))?;
            printer.skip(",");
            printer.word(",")
        })
    }

    fn impl_(&mut self, shape: Shape) -> Done {
        self.keyword("impl")?;
        self.generics(shape)?;
        self.word(" ")?;
        let suffix = if self.has_where() { 0 } else { " {".len() };
        let head = shape.less(suffix);
        let mut is_broken = false;
        if self.has_trait() {
            self.path(Path::Type, shape)?;
            self.expect("for")?;
            let is_flat = self.flat(head.end, |printer| {
                printer.word(" for ")?;
                printer.ty(head)
            })?;
            if !is_flat {
                is_broken = true;
                self.line(shape.indent + INDENT)?;
                self.word("for ")?;
                self.ty(head)?;
            }
        } else if !self.flat(head.end, |printer| printer.ty(head))? {
            is_broken = true;
            self.out.truncate(self.out.trim_end_matches(' ').len());
            self.line(shape.indent + INDENT)?;
            self.ty(head)?;
        }
        if is_broken && !self.is("where") {
            self.line(shape.indent)?;
        } else {
            self.where_before_brace(shape)?;
        }
        self.items(shape)
    }

    fn has_where(&self) -> bool {
        let mut index = self.at;
        while !matches!(self.token(index).text, "{" | ";" | "where") && self.token(index).kind != Kind::End {
            index += 1;
        }
        self.is_at(index, "where")
    }

    /// `for` stands before the block.
    fn has_trait(&self) -> bool {
        let mut index = self.at;
        loop {
            let token = self.token(index);
            match (token.kind, token.text) {
                (Kind::Word, "for") => return true,
                (Kind::Word, "where") | (Kind::Open, "{") | (Kind::Close | Kind::End, _) => return false,
                (Kind::Punctuation, "<") => match self.after_angles(index) {
                    Ok(after) => index = after - 1,
                    Err(_) => return false,
                },
                (Kind::Open, _) => index = token.mate,
                _ => {}
            }
            index += 1;
        }
    }

    fn trait_(&mut self, shape: Shape) -> Done {
        self.keyword("trait ")?;
        self.print(Kind::Word)?;
        self.generics(shape)?;
        if self.skip(":") {
            self.word(":")?;
            self.bounds(shape.less(" {".len()))?;
        }
        self.where_before_brace(shape)?;
        self.items(shape)
    }
}
