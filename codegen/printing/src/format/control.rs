//! What decides and repeats: `match`, `if`, `for`.

use super::expression::is_better_below;
use super::form::Form;
use super::{Printer, known};
use crate::layout::{Done, Shape, Stop, ends_with_closers};

/// How wide an `if` with an `else` may be on one line.
const WIDEST_IF_ELSE: usize = 50;

impl Printer<'_, '_> {
    /// `match a { … }`
    pub(super) fn match_(&mut self, shape: Shape) -> Done {
        self.keyword("match ")?;
        let end = self.condition(shape)?;
        if self.at == end {
            return self.close(end, "}");
        }
        let inner = Shape::lines(shape.indent).deeper();
        while self.at < end {
            self.line(inner.indent)?;
            self.arm(inner)?;
        }
        self.line(shape.indent)?;
        self.close(end, "}")
    }

    /// `for a in b { … }`
    pub(super) fn for_(&mut self, shape: Shape) -> Done {
        self.keyword("for ")?;
        self.pattern(shape)?;
        self.expect("in")?;
        self.word(" in ")?;
        let end = self.condition(shape)?;
        if self.at == end {
            return self.close(end, "}");
        }
        self.block_behind_brace(end, shape)
    }

    /// What is asked in front of a block, and the brace: the end of the block.
    fn condition(&mut self, shape: Shape) -> Done<usize> {
        let block = self.block_behind(self.at).ok_or(Stop::Unknown)?;
        let outer = self.block_of_condition.replace(block);
        let start = self.out.len();
        let done = self.condition_before(shape.less(2));
        self.block_of_condition = outer;
        done?;
        self.expect_end(block)?;
        let text = &self.out[start..];
        if text.contains('\n') && !ends_with_closers(text) {
            self.line(shape.indent)?;
        } else {
            self.word(" ")?;
        }
        self.word("{")?;
        self.open("{")
    }

    fn condition_before(&mut self, shape: Shape) -> Done {
        if !self.keyword("let ")? {
            return self.expression(shape);
        }
        self.pattern(shape)?;
        self.expect("=")?;
        self.word(" =")?;
        let after = self.after_operand(self.at).ok_or(Stop::Unknown)?;
        known(!self.is_operator(after))?;
        self.right_side(shape, Self::expression)
    }

    pub(super) fn if_(&mut self, shape: Shape, is_statement: bool) -> Done {
        if self.flat.is_some() {
            return if is_statement { Err(Stop::Wide) } else { self.flat_if(shape) };
        }
        self.keyword("if ")?;
        loop {
            let end = self.condition(shape)?;
            if self.at == end {
                self.close(end, "}")?;
            } else {
                self.block_behind_brace(end, shape)?;
            }
            if !self.skip("else") {
                return Ok(());
            }
            self.word(" else ")?;
            if self.keyword("if ")? {
                continue;
            }
            let end = self.open("{")?;
            self.word("{")?;
            return if self.at == end { self.close(end, "}") } else { self.block_behind_brace(end, shape) };
        }
    }

    /// `if a { b } else { c }`
    fn flat_if(&mut self, shape: Shape) -> Done {
        let start = self.column();
        self.keyword("if ")?;
        let end = self.condition(shape)?;
        for is_last in [false, true] {
            let end = if is_last { self.open("{")? } else { end };
            if !self.is_one_expression(self.at, end) {
                return Err(Stop::Wide);
            }
            self.word(if is_last { "{ " } else { " " })?;
            self.expression(shape)?;
            self.word(" ")?;
            self.close(end, "}")?;
            if !is_last {
                if !self.skip("else") || self.is("if") {
                    return Err(Stop::Wide);
                }
                self.word(" else ")?;
            }
        }
        if self.column() - start > WIDEST_IF_ELSE { Err(Stop::Wide) } else { Ok(()) }
    }

    /// `a => b,`
    fn arm(&mut self, shape: Shape) -> Done {
        self.attributes(shape.indent)?;
        self.pattern(shape.less(" => {".len()))?;
        if self.skip("if") {
            let is_flat = self.flat(shape.end - " => {".len(), |printer| {
                printer.word(" if ")?;
                printer.expression(shape)
            })?;
            if !is_flat {
                let nested = shape.deeper();
                self.line(nested.indent)?;
                self.word("if ")?;
                self.expression(nested.less(" => {".len()))?;
            }
        }
        self.expect("=>")?;
        self.word(" =>")?;

        // A block of nothing but an expression is printed as the expression.
        let mut closers = Vec::new();
        while self.is("{") {
            let end = self.token(self.at).mate;
            known(!self.is_at(self.at + 1, "#"))?;
            if !self.is_one_expression(self.at + 1, end) {
                break;
            }
            closers.push(end);
            self.at += 1;
        }
        let is_unit = self.is("(") && self.is_at(self.at + 1, ")") && self.is_end_of_arm(self.at + 2);
        if is_unit {
            self.at += 2;
            self.word(" {}")?;
        } else if self.is("{") {
            let end = self.token(self.at).mate;
            known(self.after_chain(self.at) == Some(end + 1))?;
            self.word(" {")?;
            self.at += 1;
            if self.at == end {
                self.close(end, "}")?;
            } else {
                self.block_behind_brace(end, shape)?;
            }
        } else {
            self.value_of_arm(shape)?;
        }
        for end in closers.into_iter().rev() {
            self.expect_end(end)?;
            self.at += 1;
        }
        self.skip(",");
        Ok(())
    }

    fn value_of_arm(&mut self, shape: Shape) -> Done {
        let form = self.form(self.at, self.after_expression(self.at));
        let may_stay = !matches!(form, Form::Control | Form::Literal | Form::Name | Form::Other);
        let wants_semicolon = self.wants_semicolon();
        let value = shape.less(1);
        let same = self.attempt(" ", |printer| printer.expression_of(value, true))?;
        let fits = same.as_ref().is_some_and(|same| self.column() + 1 + same.first_width() <= value.end);
        if let Some(same) = same.as_ref().filter(|same| fits && same.is_one_line()) {
            self.word(" ")?;
            self.accept(same);
            return self.word(",");
        }
        let nested = Shape::lines(shape.indent).deeper();
        let below = self.attempt_below(nested.indent, |printer| printer.expression_of(nested, true))?;
        let is_below = match (&same, &below) {
            (Some(same), Some(below)) => is_better_below(&same.text, &below.text) || !(may_stay && fits),
            (same, _) => same.is_none(),
        };
        if is_below {
            self.word(" {")?;
            self.line(nested.indent)?;
            self.accept(&below.ok_or(Stop::Wide)?);
            if wants_semicolon {
                self.word(";")?;
            }
            self.line(shape.indent)?;
            return self.word("}");
        }
        self.word(" ")?;
        self.accept(&same.ok_or(Stop::Wide)?);
        self.word(",")
    }

    fn is_end_of_arm(&self, index: usize) -> bool {
        self.is_at(index, ",") || self.is_at(index, "}")
    }
}
