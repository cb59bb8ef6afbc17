//! What decides and repeats: `match`, `if`, `for`.

use super::Printer;
use crate::layout::INDENT;

impl Printer<'_, '_> {
    /// `match a { … }`
    pub(super) fn match_(&mut self) -> Option<()> {
        self.layout.inconsistent(0);
        self.keyword("match ");
        let end = self.condition()?;
        self.layout.word("{");
        self.layout.never();
        self.layout.consistent(INDENT);
        self.layout.line_if_nonempty();
        while self.at < end {
            self.arm()?;
            self.layout.line();
        }
        self.layout.offset(-INDENT);
        self.layout.end();
        self.close(end, "}")?;
        self.layout.end();
        Some(())
    }

    /// `for a in b { … }`
    pub(super) fn for_(&mut self) -> Option<()> {
        self.layout.inconsistent(0);
        self.keyword("for ");
        self.pattern()?;
        self.expect("in")?;
        self.layout.word(" in ");
        self.layout.never();
        let end = self.condition()?;
        self.layout.word("{");
        self.layout.never();
        self.layout.consistent(INDENT);
        self.layout.line_if_nonempty();
        self.statements(end)?;
        self.layout.offset(-INDENT);
        self.layout.end();
        self.close(end, "}")?;
        self.layout.end();
        Some(())
    }

    /// What is asked in front of a block, which is then open: its end.
    fn condition(&mut self) -> Option<usize> {
        let block = self.block_behind(self.at)?;
        let outer = self.block_of_condition.replace(block);
        self.layout.consistent(0);
        let breaks = self.breaks(self.at, block);
        if self.keyword("let ") {
            self.layout.inconsistent(0);
            self.layout.inconsistent(0);
            self.pattern()?;
            self.layout.end();
            self.expect("=")?;
            self.layout.word(" = ");
            self.layout.never();
            self.layout.inconsistent(0);
            if self.is_operator(self.after_operand(self.at)?) {
                return None;
            }
            self.expression()?;
            self.layout.end();
            self.layout.end();
        } else {
            self.expression()?;
        }
        if breaks {
            self.layout.space();
        } else {
            self.layout.word(" ");
        }
        self.layout.end();
        self.block_of_condition = outer;
        if self.at != block {
            return None;
        }
        self.open("{")
    }

    /// Behind such a condition the block may begin a line.
    fn breaks(&self, mut start: usize, end: usize) -> bool {
        if self.is_at(start, "let") {
            while start < end && !self.is_at(start, "=") {
                start += 1;
            }
            start += 1;
        }
        while matches!(self.token(start).text, "&" | "mut" | "!" | "*" | "-") {
            start += 1;
        }
        if self.after_chain(start) != Some(end) {
            return true;
        }
        let Some(mut after) = self.after_primary(start) else { return false };
        let is_paren = self.is_at(start, "(");
        let mut breaks = is_paren && self.breaks(start + 1, self.token(start).mate);
        while after < end {
            breaks = match self.token(after).text {
                "." | "[" => true,
                _ => breaks,
            };
            match self.after_link(after) {
                Some(next) => after = next,
                None => return breaks,
            }
        }
        breaks
    }

    pub(super) fn if_(&mut self) -> Option<()> {
        self.layout.consistent(INDENT);
        self.keyword("if ");
        self.layout.consistent(-INDENT);
        let mut end = self.condition()?;
        self.layout.end();
        if !self.is_at(end + 1, "else") {
            if self.at == end {
                self.layout.word("{}");
                self.at += 1;
            } else {
                self.layout.word("{");
                self.layout.line();
                self.statements(end)?;
                self.layout.offset(-INDENT);
                self.close(end, "}")?;
            }
            self.layout.end();
            return Some(());
        }
        self.small_block_until(end)?;
        while self.skip("else") {
            self.layout.word(" else ");
            if self.keyword("if ") {
                self.layout.consistent(-INDENT);
                end = self.condition()?;
                self.layout.end();
                self.small_block_until(end)?;
            } else {
                self.small_block()?;
            }
        }
        self.layout.end();
        Some(())
    }
}
