//! What kind of expression something is, as far as its layout depends on it.

use super::{Kind, Printer};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Closure,
    Match,
    /// `if`, `for`
    Control,
    /// `{ … }`, `async { … }`
    Block,
    Array,
    Tuple,
    Struct,
    /// `a(b)`
    Call,
    /// `a.b(c)`
    MethodCall,
    Literal,
    /// A name without a path.
    Name,
    Other,
}

impl Printer<'_, '_> {
    /// What the expression between two tokens is behind the signs in front of it, and without `?`.
    pub(super) fn form(&self, mut start: usize, mut end: usize) -> Form {
        while matches!(self.token(start).text, "&" | "!" | "*" | "-" | "mut") && self.token(start).kind != Kind::Literal
        {
            start += 1;
        }
        if matches!(self.token(start).text, "|" | "||" | "move") {
            return Form::Closure;
        }
        if self.after_chain(start) != Some(end) {
            return Form::Other;
        }
        while end > start && self.is_at(end - 1, "?") {
            end -= 1;
        }
        self.form_of_chain(start, end)
    }

    /// The same for what a chain starts with.
    pub(super) fn form_of_chain(&self, start: usize, end: usize) -> Form {
        let Some(mut after) = self.after_primary(start) else { return Form::Other };
        if after == end {
            return self.form_of_primary(start, end);
        }
        let mut form = Form::Other;
        while after < end {
            let Some(next) = self.after_link(after) else { return Form::Other };
            form = match self.token(after).text {
                "(" => Form::Call,
                "." if self.is_at(next - 1, ")") => Form::MethodCall,
                "?" => form,
                _ => Form::Other,
            };
            after = next;
        }
        form
    }

    fn form_of_primary(&self, start: usize, end: usize) -> Form {
        let token = self.token(start);
        match (token.kind, token.text) {
            (Kind::Literal, _) => Form::Literal,
            (Kind::Open, "(") if start + 2 == end || self.has_comma(start + 1, end - 1) => Form::Tuple,
            (Kind::Open, "[") => Form::Array,
            (Kind::Open, "{") | (Kind::Word, "async" | "unsafe") => Form::Block,
            (Kind::Word, "match") => Form::Match,
            (Kind::Word, "if" | "for") => Form::Control,
            (Kind::Word, _) if self.is_at(end - 1, "}") => Form::Struct,
            (Kind::Word, _) if start + 1 == end => Form::Name,
            _ => Form::Other,
        }
    }

    /// The only element of a list may be broken on the line of its bracket.
    pub(super) fn may_overflow(&self, start: usize, end: usize, count: usize) -> bool {
        match self.form(start, end) {
            Form::Block | Form::Closure => true,
            Form::Array | Form::Struct | Form::Call | Form::MethodCall | Form::Tuple | Form::Match => count == 1,
            Form::Control | Form::Literal | Form::Name | Form::Other => false,
        }
    }
}
