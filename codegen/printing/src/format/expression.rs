//! Expressions.

use super::ty::Path;
use super::{Kind, Printer};
use crate::layout::INDENT;

/// Operators of two operands, the weakest first. All take what is on their left as far as it goes.
const OPERATORS: &[&[&str]] =
    &[&["||"], &["&&"], &["==", "!=", "<", ">", "<=", ">="], &["|"], &["&"], &["+", "-"], &["*", "/", "%"]];

impl Printer<'_, '_> {
    /// An expression that stands somewhere in a line.
    pub(super) fn expression(&mut self) -> Option<()> {
        self.expression_at(false)
    }

    /// The same; `leads` when it is the first of its line.
    pub(super) fn expression_at(&mut self, leads: bool) -> Option<()> {
        match (self.kind(), self.token(self.at).text) {
            (Kind::Word, "move") | (Kind::Punctuation, "|" | "||") => return self.closure(),
            (Kind::Word, "return") => {
                self.keyword("return");
                if self.is_end_of_expression() {
                    return Some(());
                }
                self.layout.word(" ");
                return self.expression();
            }
            (Kind::Word, "let" | "break" | "unsafe" | "while" | "loop" | "for") => return None,
            _ => {}
        }
        let after = self.after_operand(self.at)?;
        if self.is_at(after, "=") {
            self.layout.inconsistent(0);
            self.operand(false)?;
            self.expect("=")?;
            self.layout.word(" = ");
            self.layout.never();
            self.expression()?;
            self.layout.end();
            return Some(());
        }
        if self.is_at(after, "as") {
            self.layout.inconsistent(INDENT);
            self.layout.inconsistent(-INDENT);
            self.operand(false)?;
            self.layout.end();
            self.expect("as")?;
            self.layout.space();
            self.layout.word("as ");
            self.ty()?;
            self.layout.end();
            return self.is_end_of_expression().then_some(());
        }
        if self.is_operator(after) {
            self.binary(0)?;
            return self.is_end_of_expression().then_some(());
        }
        self.operand(leads)?;
        self.is_end_of_expression().then_some(())
    }

    pub(super) fn is_operator(&self, index: usize) -> bool {
        let token = self.token(index);
        token.kind == Kind::Punctuation && OPERATORS.iter().any(|level| level.contains(&token.text))
    }

    fn is_end_of_expression(&self) -> bool {
        let token = self.token(self.at);
        match token.kind {
            Kind::Close | Kind::End | Kind::Open => true,
            Kind::Punctuation => matches!(token.text, "," | ";" | "=>"),
            Kind::Word => token.text == "else",
            Kind::Literal | Kind::Lifetime => false,
        }
    }

    /// `a && b`, with operators that bind at least as tight as those of `level`.
    fn binary(&mut self, level: usize) -> Option<()> {
        let Some(operators) = OPERATORS.get(level) else { return self.operand(false) };
        let count = self.count_operators(level, operators)?;
        for _ in 0..count {
            self.layout.inconsistent(INDENT);
            self.layout.inconsistent(-INDENT);
        }
        self.binary(level + 1)?;
        for _ in 0..count {
            self.layout.end();
            self.layout.space();
            let operator = self.token(self.at).text;
            self.layout.word(operator);
            self.at += 1;
            self.layout.word(" ");
            self.binary(level + 1)?;
            self.layout.end();
        }
        Some(())
    }

    /// How many of the operators follow before a weaker one.
    fn count_operators(&self, level: usize, operators: &[&str]) -> Option<usize> {
        let mut index = self.after_operand(self.at)?;
        let mut count = 0;
        while self.is_operator(index) {
            let text = self.token(index).text;
            if OPERATORS[..level].iter().any(|weaker| weaker.contains(&text)) {
                break;
            }
            count += usize::from(operators.contains(&text));
            index = self.after_operand(index + 1)?;
        }
        Some(count)
    }

    /// `&a`, `!a`, `*a`, `-a`, and what they stand before.
    fn operand(&mut self, leads: bool) -> Option<()> {
        for sign in ["&", "!", "*", "-"] {
            if self.keyword(sign) {
                if sign == "&" {
                    self.keyword("mut ");
                }
                return match (self.kind(), self.token(self.at).text) {
                    (Kind::Word, "move") | (Kind::Punctuation, "|" | "||") if sign == "&" => self.closure(),
                    _ => self.operand(false),
                };
            }
        }
        self.chain(leads)
    }

    /// `a.b(c)?.await`: each call of the chain may begin a line.
    fn chain(&mut self, leads: bool) -> Option<()> {
        let base = self.at;
        let mut after = self.after_primary(base)?;
        let is_short = after == base + 1 && self.kind() == Kind::Word && self.token(base).text.len() <= 4;
        // What comes behind the last `.` belongs to no call of the chain.
        let mut last_dot = None;
        while let Some(next) = self.after_link(after) {
            if self.is_at(after, ".") {
                last_dot = Some(after);
            }
            after = next;
        }
        let Some(last_dot) = last_dot else {
            self.primary()?;
            return self.links(after);
        };
        self.layout.consistent(INDENT);
        self.layout.consistent(-INDENT);
        self.primary()?;
        self.layout.end();
        let mut is_first = true;
        while self.at <= last_dot {
            if !self.is(".") {
                let next = self.after_link(self.at)?;
                self.links(next)?;
                is_first = false;
                continue;
            }
            let is_joined = leads && is_short && is_first;
            let is_outermost = self.at == last_dot;
            if !is_joined {
                self.layout.zero();
            }
            self.keyword(".");
            if self.print(Kind::Literal).is_none() {
                self.print(Kind::Word)?;
            }
            if self.is("::") {
                self.generic_arguments(Path::Expression)?;
            }
            if self.is("(") {
                self.layout.consistent(if is_joined && is_outermost { -INDENT } else { 0 });
                self.arguments()?;
                self.layout.end();
            }
            is_first = false;
        }
        self.layout.end();
        self.links(after)
    }

    /// `?`, `(a)` and `[a]` behind an expression.
    fn links(&mut self, end: usize) -> Option<()> {
        while self.at < end {
            if self.keyword("?") {
                continue;
            }
            if self.is("(") {
                self.arguments()?;
                continue;
            }
            let close = self.open("[")?;
            self.layout.word("[");
            self.expression()?;
            self.close(close, "]")?;
        }
        Some(())
    }

    /// `(a, b)` of a call.
    fn arguments(&mut self) -> Option<()> {
        let end = self.open("(")?;
        self.layout.word("(");
        if self.is_blocklike(end) {
            self.expression()?;
            self.skip(",");
        } else {
            self.elements(end)?;
        }
        self.close(end, ")")
    }

    /// Expressions with commas between them, each on a line of its own if not all are on one.
    pub(super) fn elements(&mut self, end: usize) -> Option<()> {
        self.layout.consistent(INDENT);
        self.layout.zero();
        self.list(end, Self::expression)?;
        self.layout.offset(-INDENT);
        self.layout.end();
        Some(())
    }

    /// A single argument that brings its own lines.
    pub(super) fn is_blocklike(&self, end: usize) -> bool {
        let start = self.at;
        let is_whole = |after: Option<usize>| {
            after.is_some_and(|after| after == end || after + 1 == end && self.is_at(after, ","))
        };
        match (self.kind(), self.token(start).text) {
            (Kind::Punctuation, "|" | "||") | (Kind::Word, "move") => {
                !self.has_comma(self.after_parameters(start), end)
            }
            (Kind::Word, "async") | (Kind::Open, "{" | "[") => is_whole(self.after_primary(start)),
            (Kind::Open, "(") => {
                let mate = self.token(start).mate;
                let is_tuple = mate == start + 1 || self.has_comma(start + 1, mate);
                is_tuple && is_whole(Some(mate + 1))
            }
            (Kind::Word, word) if !matches!(word, "match" | "if") => {
                self.after_path(start).is_some_and(|after| self.is_at(after, "{"))
                    && is_whole(self.after_primary(start))
            }
            _ => false,
        }
    }

    /// As a statement, the expression ends with `;`.
    pub(super) fn wants_semicolon(&self) -> bool {
        self.is("return") || self.after_operand(self.at).is_some_and(|after| self.is_at(after, "="))
    }
}
