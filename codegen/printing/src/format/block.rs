//! Blocks, their statements, and the arms of a `match`.

use super::{Kind, Printer};
use crate::layout::{Break, INDENT};

impl Printer<'_, '_> {
    /// `{ … }` on one line where it fits.
    pub(super) fn small_block(&mut self) -> Option<()> {
        let end = self.open("{")?;
        self.small_block_until(end)
    }

    /// The same behind the brace.
    pub(super) fn small_block_until(&mut self, end: usize) -> Option<()> {
        self.layout.word("{");
        if self.at < end {
            self.layout.space();
            if self.is_one_expression(self.at, end) {
                self.layout.inconsistent(0);
                self.expression_at(true)?;
                self.layout.end();
                self.layout.space();
            } else {
                self.statements(end)?;
            }
            self.layout.offset(-INDENT);
        }
        self.close(end, "}")
    }

    pub(super) fn statements(&mut self, end: usize) -> Option<()> {
        while self.at < end {
            self.statement(end)?;
        }
        (self.at == end).then_some(())
    }

    fn statement(&mut self, end: usize) -> Option<()> {
        if self.is_let() {
            return self.let_();
        }
        if self.starts_item() {
            return None;
        }
        self.layout.inconsistent(0);
        self.attributes()?;
        // Behind their blocks a `;` would be taken away.
        let is_unended = self.is("if") || self.is("for");
        let wants_semicolon = self.wants_semicolon();
        if self.is_block_statement() && self.after_primary(self.at) == self.after_chain(self.at) {
            // A block ends the statement, whatever follows.
            if self.is("for") { self.for_()? } else { self.primary()? }
        } else {
            self.expression_at(true)?;
        }
        if self.skip(";") {
            if is_unended {
                return None;
            }
            self.layout.word(";");
        } else if self.at == end || self.is_after_block() {
            if wants_semicolon {
                self.layout.word(";");
            }
        } else {
            return None;
        }
        self.layout.end();
        self.layout.line();
        Some(())
    }

    fn is_let(&self) -> bool {
        let mut index = self.at;
        while self.is_at(index, "#") {
            index = self.token(index + 1).mate + 1;
        }
        self.is_at(index, "let")
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
    fn let_(&mut self) -> Option<()> {
        self.attributes()?;
        self.expect("let")?;
        self.layout.inconsistent(0);
        self.layout.word("let ");
        self.pattern()?;
        if self.skip(":") {
            self.layout.word(": ");
            self.ty()?;
        }
        if self.skip("=") {
            self.layout.word(" = ");
            self.layout.never();
            self.expression()?;
            if self.is("else") {
                if self.is_after_block() {
                    return None;
                }
                self.expect("else")?;
                self.layout.space();
                self.layout.word("else ");
                self.layout.end();
                self.layout.never();
                self.layout.consistent(INDENT);
                self.small_block()?;
            }
        }
        self.layout.end();
        self.expect(";")?;
        self.layout.word(";");
        self.layout.line();
        Some(())
    }

    /// `a => b`
    pub(super) fn arm(&mut self) -> Option<()> {
        self.attributes()?;
        self.layout.inconsistent(0);
        self.pattern()?;
        if self.skip("if") {
            self.layout.word(" if ");
            self.expression()?;
        }
        self.expect("=>")?;
        self.layout.word(" => ");

        // A block of nothing but an expression is printed as the expression.
        let mut closers = Vec::new();
        while self.is("{") {
            let end = self.token(self.at).mate;
            if self.is_at(self.at + 1, "#") {
                return None;
            }
            if !self.is_one_expression(self.at + 1, end) {
                break;
            }
            closers.push(end);
            self.at += 1;
        }
        if self.is("{") || self.is("(") && self.is_at(self.at + 1, ")") && self.is_end_of_arm(self.at + 2) {
            let end = self.token(self.at).mate;
            if self.after_chain(self.at) != Some(end + 1) {
                return None;
            }
            self.at += 1;
            self.layout.word("{");
            self.layout.never();
            self.layout.consistent(INDENT);
            self.layout.line_if_nonempty();
            self.statements(end)?;
            self.layout.offset(-INDENT);
            self.layout.end();
            self.layout.word("}");
            self.at = end + 1;
        } else {
            let is_block =
                (self.is("match") || self.is("if")) && self.after_primary(self.at) == self.after_chain(self.at);
            let before = self.wants_semicolon().then_some(';');
            self.layout.never();
            self.layout.consistent(INDENT);
            self.layout.place(Break { before: Some('{'), ..Break::default() });
            if is_block {
                self.primary()?;
            } else {
                self.expression_at(true)?;
            }
            let unbroken = (!is_block).then_some(',');
            self.layout.place(Break { offset: -INDENT, before, after: Some('}'), unbroken, ..Break::default() });
            self.layout.end();
        }
        for end in closers.into_iter().rev() {
            if self.at != end {
                return None;
            }
            self.at += 1;
        }
        self.skip(",");
        self.layout.end();
        Some(())
    }

    fn is_end_of_arm(&self, index: usize) -> bool {
        self.is_at(index, ",") || self.is_at(index, "}")
    }

    /// Nothing but an expression stands between two tokens.
    fn is_one_expression(&self, start: usize, end: usize) -> bool {
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
