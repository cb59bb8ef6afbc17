//! What a chain starts with: literals, paths, and all that has brackets or parameters.

use super::form::Form;
use super::list::Elements;
use super::ty::Path;
use super::{Kind, Printer, known};
use crate::layout::{Done, Shape, Stop, Written, width};

/// How wide the fields of a struct may be on one line.
const WIDEST_STRUCT: usize = 18;

impl Printer<'_, '_> {
    /// What stands before the first `.`, `?`, `(` or `[` of a chain.
    pub(super) fn primary(&mut self, shape: Shape) -> Done {
        match (self.kind(), self.token(self.at).text) {
            (Kind::Literal, _) => self.print(Kind::Literal),
            (Kind::Open, "(") => self.parentheses(shape),
            (Kind::Open, "[") => self.array(shape),
            (Kind::Open, _) => self.block(shape),
            (Kind::Word, "match") => self.match_(shape),
            (Kind::Word, "if") => self.if_(shape, false),
            (Kind::Word, "async") => {
                self.keyword("async ")?;
                self.keyword("move ")?;
                self.block(shape)
            }
            (Kind::Word, "for" | "unsafe") => Err(Stop::Unknown),
            (Kind::Word, _) | (Kind::Punctuation, "<" | "::") => {
                let after = self.after_path(self.at).ok_or(Stop::Unknown)?;
                if self.is_at(after, "{") && !self.is_condition(after) {
                    return self.struct_(shape);
                }
                self.path(Path::Expression, shape)?;
                self.keyword("!").map(|_| ())
            }
            _ => Err(Stop::Unknown),
        }
    }

    /// The brace opens the block of a `match` or an `if`.
    fn is_condition(&self, brace: usize) -> bool {
        self.block_of_condition == Some(brace)
    }

    /// A tuple, or something in parentheses.
    fn parentheses(&mut self, shape: Shape) -> Done {
        let end = self.token(self.at).mate;
        if self.at + 1 == end || self.has_comma(self.at + 1, end) {
            return self.list(Elements::Expressions, 0, shape);
        }
        self.open("(")?;
        self.word("(")?;
        self.expression(shape.less(1))?;
        self.close(end, ")")
    }

    fn array(&mut self, shape: Shape) -> Done {
        let end = self.token(self.at).mate;
        let after = self.after_expression(self.at + 1);
        if self.at + 1 == end || !self.is_at(after, ";") {
            return self.list(Elements::Expressions, 0, shape);
        }
        self.open("[")?;
        self.word("[")?;
        self.expression(shape)?;
        self.expect(";")?;
        self.word("; ")?;
        self.expression(shape.less(1))?;
        self.close(end, "]")
    }

    fn struct_(&mut self, shape: Shape) -> Done {
        self.path(Path::Expression, shape)?;
        let end = self.open("{")?;
        if self.at == end {
            self.word(" {")?;
            return self.close(end, "}");
        }
        let fields = self.split(end, false)?;
        if self.flat.is_some() {
            self.word(" { ")?;
            let start = self.column();
            for (index, &field) in fields.iter().enumerate() {
                if index > 0 {
                    self.word(", ")?;
                }
                self.value_of_field(field, shape.less(2))?;
            }
            if self.column() - start > WIDEST_STRUCT {
                return Err(Stop::Wide);
            }
            self.word(" ")?;
        } else {
            self.word(" {")?;
            let nested = Shape::lines(shape.indent).deeper().less(1);
            for &field in &fields {
                self.line(nested.indent)?;
                self.value_of_field(field, nested)?;
                if !self.is_at(field.0, "..") {
                    self.word(",")?;
                }
            }
            self.line(shape.indent)?;
        }
        self.at = end;
        self.close(end, "}")
    }

    /// `a: b`, `a` or `..a`
    fn value_of_field(&mut self, (start, end): (usize, usize), shape: Shape) -> Done {
        self.at = start;
        if self.keyword("..")? {
            self.expression(shape)?;
            return self.expect_end(end);
        }
        self.attributes(shape.indent)?;
        self.print(Kind::Word)?;
        if self.skip(":") {
            self.word(":")?;
            let same = if self.flat.is_some() {
                self.word(" ")?;
                self.expression(shape)?;
                return self.expect_end(end);
            } else {
                self.attempt(" ", |printer| printer.expression(shape))?
            };
            if let Some(same) = same {
                self.word(" ")?;
                self.accept(&same);
            } else {
                let nested = Shape::lines(shape.indent).deeper();
                self.line(nested.indent)?;
                self.expression(nested)?;
            }
        }
        self.expect_end(end)
    }

    /// `|a| b`
    pub(super) fn closure(&mut self, shape: Shape) -> Done {
        self.parameters_of_closure(shape)?;
        self.body_of_closure(shape, false)
    }

    /// The same at the end of a list.
    pub(super) fn last_closure(&mut self, shape: Shape) -> Done {
        self.parameters_of_closure(shape)?;
        self.body_of_closure(shape, true)
    }

    fn parameters_of_closure(&mut self, shape: Shape) -> Done {
        self.keyword("move ")?;
        self.word("|")?;
        let mut count = 0;
        if !self.skip("||") {
            self.expect("|")?;
            while !self.is("|") {
                if count > 0 {
                    self.word(", ")?;
                }
                count += 1;
                self.one_pattern(shape)?;
                if self.skip(":") {
                    self.word(": ")?;
                    self.ty(shape)?;
                }
                if !self.skip(",") && !self.is("|") {
                    return Err(Stop::Unknown);
                }
            }
            self.expect("|")?;
        }
        self.word("|")?;
        known(!self.is("->"))?;
        let is_wide = count > 1 && self.column() + " { ".len() > shape.end;
        if is_wide && !self.is_lenient { Err(Stop::Wide) } else { Ok(()) }
    }

    fn body_of_closure(&mut self, shape: Shape, is_last: bool) -> Done {
        self.word(" ")?;
        // A block of nothing but an expression is printed as the expression.
        let mut closers = Vec::new();
        while self.is("{") && !self.is_at(self.at + 1, "#") {
            let end = self.token(self.at).mate;
            if self.after_chain(self.at) != Some(end + 1) || !self.is_one_expression(self.at + 1, end) {
                break;
            }
            closers.push(end);
            self.at += 1;
        }
        if self.is("{") {
            self.block(shape)?;
        } else if self.flat.is_some() {
            self.expression(shape)?;
        } else {
            self.value_of_closure(shape, is_last, !closers.is_empty())?;
        }
        for end in closers.into_iter().rev() {
            self.expect_end(end)?;
            self.at += 1;
        }
        Ok(())
    }

    fn value_of_closure(&mut self, shape: Shape, is_last: bool, was_block: bool) -> Done {
        let end = self.after_expression(self.at);
        let form = self.form(self.at, end);
        let is_forced = form == Form::Control && (is_last || was_block);
        let value = self.attempt("", |printer| printer.expression(shape))?;
        let may_be_broken = matches!(form, Form::Match | Form::Block | Form::Struct);
        let fits = |value: &Written| value.is_one_line() && width(&value.text) + self.column() <= shape.end;
        match value {
            Some(value) if fits(&value) || may_be_broken && !is_forced => {
                self.accept(&value);
                Ok(())
            }
            _ => {
                self.word("{")?;
                let nested = Shape::lines(shape.indent).deeper();
                self.line(nested.indent)?;
                let semicolon = if self.wants_semicolon() { ";" } else { "" };
                self.expression(nested.less(semicolon.len()))?;
                self.word(semicolon)?;
                self.line(shape.indent)?;
                self.word("}")
            }
        }
    }

    /// As a statement, the expression ends with `;`.
    pub(super) fn wants_semicolon(&self) -> bool {
        self.is("return")
            || self.is("continue")
            || self.after_operand(self.at).is_some_and(|after| self.is_at(after, "="))
    }
}
