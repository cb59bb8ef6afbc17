//! Blocks and their statements.

use super::{Kind, Printer, known};
use crate::layout::{Done, INDENT, Shape, Stop, ends_with_closers};

/// How wide `let a = b else { c };` may be on a line.
const WIDEST_LET_ELSE: usize = 50;

impl Printer<'_, '_> {
    /// `{ … }`, on one line where it is an expression that fits.
    pub(super) fn block(&mut self, shape: Shape) -> Done {
        let end = self.open("{")?;
        self.word("{")?;
        if self.at == end {
            return self.close(end, "}");
        }
        if self.is_one_expression(self.at, end) {
            let is_flat = self.flat(shape.end, |printer| {
                printer.word(" ")?;
                printer.expression(shape)?;
                printer.word(" ")?;
                printer.close(end, "}")
            })?;
            if is_flat {
                return Ok(());
            }
        }
        self.block_behind_brace(end, shape)
    }

    /// The rest of a block with a line for each statement.
    pub(super) fn block_behind_brace(&mut self, end: usize, shape: Shape) -> Done {
        self.statements(end, shape.indent + INDENT)?;
        self.line(shape.indent)?;
        self.close(end, "}")
    }

    fn statements(&mut self, end: usize, indent: usize) -> Done {
        let is_one_line_chain = std::mem::take(&mut self.is_one_line_chain);
        while self.at < end {
            self.line(indent)?;
            let (at, length, line) = (self.at, self.out.len(), self.line);
            let mut done = self.statement(end, indent);
            if done == Err(Stop::Wide) && !self.is_lenient {
                self.out.truncate(length);
                (self.at, self.line) = (at, line);
                self.is_lenient = true;
                done = self.statement(end, indent);
                self.is_lenient = false;
            }
            done?;
        }
        self.is_one_line_chain = is_one_line_chain;
        self.expect_end(end)
    }

    fn statement(&mut self, end: usize, indent: usize) -> Done {
        self.attributes(indent)?;
        let shape = Shape::lines(indent);
        if self.is("let") {
            return self.let_(shape);
        }
        known(!self.starts_item())?;
        // Behind their blocks a `;` would be taken away.
        let is_unended = self.is("if") || self.is("for");
        let wants_semicolon = self.wants_semicolon();
        let after = self.after_expression(self.at);
        if self.is_block_statement() && self.after_primary(self.at) == self.after_chain(self.at) {
            // A block ends the statement, whatever follows.
            let is_last = self.after_primary(self.at) == Some(end);
            match self.token(self.at).text {
                "for" => self.for_(shape)?,
                "if" => {
                    let is_flat = is_last && self.flat(shape.end, |printer| printer.if_(shape, false))?;
                    if !is_flat {
                        self.if_(shape, true)?;
                    }
                }
                "{" => {
                    let end = self.open("{")?;
                    self.word("{")?;
                    self.block_behind_brace(end, shape)?;
                }
                _ => self.primary(shape)?,
            }
        } else {
            let has_semicolon = self.is_at(after, ";") || wants_semicolon;
            self.expression(shape.less(usize::from(has_semicolon)))?;
        }
        if self.skip(";") {
            known(!is_unended)?;
            self.word(";")
        } else if self.at == end || self.is_after_block() {
            if wants_semicolon { self.word(";") } else { Ok(()) }
        } else {
            Err(Stop::Unknown)
        }
    }

    fn starts_item(&self) -> bool {
        matches!(
            self.token(self.at).text,
            "use" | "fn" | "const" | "static" | "struct" | "enum" | "impl" | "type" | "trait" | "mod" | "pub"
        ) && self.kind() == Kind::Word
    }

    fn is_block_statement(&self) -> bool {
        self.is("match") || self.is("if") || self.is("for") || self.is("{")
    }

    fn is_after_block(&self) -> bool {
        self.at.checked_sub(1).is_some_and(|before| self.is_at(before, "}"))
    }

    /// `let a = b;`
    fn let_(&mut self, shape: Shape) -> Done {
        self.expect("let")?;
        self.word("let ")?;
        self.pattern(shape.less(1))?;
        if self.skip(":") {
            self.word(":")?;
            self.right_side(shape.less(1), Self::ty)?;
        }
        if self.skip("=") {
            self.word(" =")?;
            let start = self.line + shape.indent;
            if self.has_else() {
                self.let_else(start, shape)?;
            } else {
                self.right_side(shape.less(1), Self::expression)?;
            }
        }
        self.expect(";")?;
        self.word(";")
    }

    fn has_else(&self) -> bool {
        self.after_operand(self.at).is_some_and(|after| self.is_at(after, "else"))
    }

    fn let_else(&mut self, start: usize, shape: Shape) -> Done {
        let before = self.out.len();
        self.right_side(shape, Self::expression)?;
        known(!self.is_after_block())?;
        self.expect("else")?;
        let end = self.token(self.at).mate;
        let is_one_line = !self.out[start..].contains('\n');
        if is_one_line && self.is_one_expression(self.at + 1, end) {
            let most = shape.indent + WIDEST_LET_ELSE - 1;
            let is_flat = self.flat(most, |printer| {
                printer.word(" else ")?;
                printer.block(shape)
            })?;
            if is_flat {
                return Ok(());
            }
        }
        let is_same_line = if self.out[before..].contains('\n') {
            let text = &self.out[before..];
            text.ends_with([')', ']', '}']) && ends_with_closers(text)
        } else {
            self.column() + " else {".len() <= shape.end
        };
        if is_same_line {
            self.word(" ")?;
        } else {
            self.line(shape.indent)?;
        }
        self.word("else {")?;
        let end = self.open("{")?;
        if self.at == end {
            return self.close(end, "}");
        }
        self.block_behind_brace(end, shape)
    }

    /// Nothing but an expression stands between two tokens.
    pub(super) fn is_one_expression(&self, start: usize, end: usize) -> bool {
        if start == end || self.is_at(start, "let") || self.is_at(start, "for") || self.is_at(start, "#") {
            return false;
        }
        let is_block = ["match", "if", "{"].iter().any(|word| self.is_at(start, word));
        if is_block {
            return self.after_chain(start) == Some(end);
        }
        let mut index = start;
        while index < end {
            let token = self.token(index);
            match (token.kind, token.text) {
                (Kind::Punctuation, ";") => return false,
                (Kind::Open, _) => index = token.mate,
                _ => {}
            }
            index += 1;
        }
        true
    }
}
