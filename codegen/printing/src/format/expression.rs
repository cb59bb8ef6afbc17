//! Expressions.

use super::{Kind, Printer, known};
use crate::layout::{Done, INDENT, Shape, Stop, WIDTH, Written, width};

/// Operators of two operands, the weakest first. All take what is on their left as far as it goes.
const OPERATORS: &[&[&str]] =
    &[&["||"], &["&&"], &["==", "!=", "<", ">", "<=", ">="], &["|"], &["&"], &["+", "-"], &["*", "/", "%"]];

const ASSIGNMENTS: &[&str] = &["=", "+=", "-=", "*=", "/=", "|="];

impl Printer<'_, '_> {
    /// An expression that is part of something.
    pub(super) fn expression(&mut self, shape: Shape) -> Done {
        self.expression_of(shape, false)
    }

    /// An expression, which may be a statement.
    pub(super) fn expression_of(&mut self, shape: Shape, is_statement: bool) -> Done {
        let is_tall = self.is("match") || is_statement && (self.is("if") || self.is("for"));
        if self.flat.is_none() && !is_tall && self.flat(shape.end, |printer| printer.any(shape, is_statement))? {
            return Ok(());
        }
        self.any(shape, is_statement)
    }

    fn any(&mut self, shape: Shape, is_statement: bool) -> Done {
        match (self.kind(), self.token(self.at).text) {
            (Kind::Word, "move") | (Kind::Punctuation, "|" | "||") => return self.closure(shape),
            (Kind::Word, "return") => {
                self.keyword("return")?;
                if self.is_end_of_expression() {
                    return Ok(());
                }
                self.word(" ")?;
                return self.expression(shape);
            }
            (Kind::Word, "let" | "break" | "while" | "loop") => return Err(Stop::Unknown),
            (Kind::Word, "for" | "if") if is_statement && self.after_primary(self.at) == self.after_chain(self.at) => {
                return if self.is("for") { self.for_(shape) } else { self.if_(shape, true) };
            }
            _ => {}
        }
        let after = self.after_operand(self.at).ok_or(Stop::Unknown)?;
        let sign = self.token(after);
        if ASSIGNMENTS.contains(&sign.text) && sign.kind == Kind::Punctuation {
            self.operand(shape)?;
            self.word(" ")?;
            self.print(Kind::Punctuation)?;
            return self.right_side(shape, Self::expression);
        }
        if self.is_at(after, "as") {
            let is_flat = self.flat(shape.end, |printer| {
                printer.operand(shape)?;
                printer.expect("as")?;
                printer.word(" as ")?;
                printer.ty(shape)
            })?;
            if !is_flat {
                return Err(Stop::Wide);
            }
            return known(self.is_end_of_expression());
        }
        if self.is_operator(after) {
            self.binary(0, shape)?;
            return known(self.is_end_of_expression());
        }
        self.operand(shape)?;
        known(self.is_end_of_expression())
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
    fn binary(&mut self, level: usize, shape: Shape) -> Done {
        let Some(operators) = OPERATORS.get(level) else { return self.operand(shape) };
        let count = self.count_operators(level, operators)?;
        if count == 0 {
            return self.binary(level + 1, shape);
        }
        if self.flat.is_none() && self.flat(shape.end, |printer| printer.binary(level, shape))? {
            return Ok(());
        }
        self.binary(level + 1, shape)?;
        let nested = Shape { indent: shape.indent + INDENT, end: shape.end };
        for index in 0..count {
            let operator = self.token(self.at).text;
            self.at += 1;
            if self.flat.is_some() || index == 0 && self.column() <= nested.indent {
                self.word(" ")?;
            } else {
                self.line(nested.indent)?;
            }
            self.word(operator)?;
            self.word(" ")?;
            self.binary(level + 1, nested)?;
        }
        Ok(())
    }

    /// How many of the operators follow before a weaker one.
    fn count_operators(&self, level: usize, operators: &[&str]) -> Done<usize> {
        let mut index = self.after_operand(self.at).ok_or(Stop::Unknown)?;
        let mut count = 0;
        while self.is_operator(index) {
            let text = self.token(index).text;
            if OPERATORS[..level].iter().any(|weaker| weaker.contains(&text)) {
                break;
            }
            count += usize::from(operators.contains(&text));
            index = self.after_operand(index + 1).ok_or(Stop::Unknown)?;
        }
        Ok(count)
    }

    /// `&a`, `!a`, `*a`, `-a`, and what they stand before.
    fn operand(&mut self, shape: Shape) -> Done {
        for sign in ["&", "!", "*", "-"] {
            if self.keyword(sign)? {
                if sign == "&" {
                    self.keyword("mut ")?;
                }
                return match (self.kind(), self.token(self.at).text) {
                    (Kind::Word, "move") | (Kind::Punctuation, "|" | "||") if sign == "&" => self.closure(shape),
                    _ => self.operand(shape),
                };
            }
        }
        self.chain(shape)
    }

    /// What stands behind a `=`: on its line, or on the next one where that reads better.
    pub(super) fn right_side(&mut self, shape: Shape, mut print: impl FnMut(&mut Self, Shape) -> Done) -> Done {
        if self.flat.is_some() {
            self.word(" ")?;
            return print(self, shape);
        }
        let same = self.attempt(" ", |printer| print(printer, shape))?;
        if let Some(same) = &same
            && (same.is_one_line() && self.column() + 1 + same.first_width() <= shape.end || self.is("match"))
        {
            self.word(" ")?;
            self.accept(same);
            return Ok(());
        }
        let nested = shape.deeper();
        let next = self.attempt_below(nested.indent, |printer| print(printer, nested))?;
        let same = same.filter(|_| self.column() < shape.end);
        let fits = |next: &Written| {
            let fits = next.text.split('\n').skip(1).all(|line| width(line) <= WIDTH);
            fits && nested.indent + next.first_width() <= nested.end
        };
        match (same, next) {
            (Some(same), Some(next)) if fits(&next) && is_better_below(&same.text, &next.text) => {
                self.line(nested.indent)?;
                self.accept(&next);
            }
            (None, Some(next)) => {
                self.line(nested.indent)?;
                self.accept(&next);
            }
            (Some(same), _) => {
                self.word(" ")?;
                self.accept(&same);
            }
            (None, None) => return Err(Stop::Wide),
        }
        Ok(())
    }
}

/// Something reads better on the next line than behind what comes before it.
pub(super) fn is_better_below(same: &str, below: &str) -> bool {
    let lines = |text: &str| memchr::memchr_iter(b'\n', text.as_bytes()).count();
    let opens = |text: &str, bracket| text.split('\n').next().is_some_and(|line| line.ends_with(bracket));
    !below.contains('\n')
        || lines(same) > lines(below) + 1
        || ['(', '{', '['].into_iter().any(|bracket| opens(same, bracket) && !opens(below, bracket))
}
