//! How far expressions go, before they are printed.

use super::{Kind, Printer};

impl Printer<'_, '_> {
    /// The token behind a path.
    pub(super) fn after_path(&self, mut index: usize) -> Option<usize> {
        if self.is_at(index, "<") {
            index = self.after_angles(index).ok()?;
        } else {
            index += usize::from(self.is_at(index, "::"));
            if self.token(index).kind != Kind::Word {
                return None;
            }
            index += 1;
        }
        while self.is_at(index, "::") {
            index = if self.is_at(index + 1, "<") { self.after_angles(index + 1).ok()? } else { index + 2 };
        }
        Some(index)
    }

    /// The token behind what a chain starts with.
    pub(super) fn after_primary(&self, index: usize) -> Option<usize> {
        let token = self.token(index);
        match (token.kind, token.text) {
            (Kind::Literal, _) => Some(index + 1),
            (Kind::Open, _) => Some(token.mate + 1),
            (Kind::Word, "match" | "async" | "for" | "unsafe") => {
                Some(self.token(self.block_behind(index + 1)?).mate + 1)
            }
            (Kind::Word, "if") => {
                let mut after = self.token(self.block_behind(index + 1)?).mate + 1;
                while self.is_at(after, "else") {
                    after = self.token(self.block_behind(after + 1)?).mate + 1;
                }
                Some(after)
            }
            (Kind::Word, _) | (Kind::Punctuation, "<" | "::") => {
                let after = self.after_path(index)?;
                if self.is_at(after, "!") {
                    // `concat!(a)`, but no other brackets.
                    return self.is_at(after + 1, "(").then_some(after + 1);
                }
                let is_struct = self.is_at(after, "{") && self.block_of_condition != Some(after);
                Some(if is_struct { self.token(after).mate + 1 } else { after })
            }
            _ => None,
        }
    }

    /// The brace that opens the block behind a condition.
    pub(super) fn block_behind(&self, mut index: usize) -> Option<usize> {
        loop {
            let token = self.token(index);
            match (token.kind, token.text) {
                (Kind::Open, "{") => return Some(index),
                (Kind::Open, _) => index = token.mate,
                (Kind::Close | Kind::End, _) | (Kind::Punctuation, ";") => return None,
                _ => {}
            }
            index += 1;
        }
    }

    /// The token behind `.a`, `.a(b)`, `?`, `(a)` or `[a]`, if one of them stands here.
    pub(super) fn after_link(&self, index: usize) -> Option<usize> {
        let token = self.token(index);
        match (token.kind, token.text) {
            (Kind::Punctuation, "?") => Some(index + 1),
            (Kind::Open, "(" | "[") => Some(token.mate + 1),
            (Kind::Punctuation, ".") => {
                let after = index + 2;
                let after = if self.is_at(after, "::") { self.after_angles(after + 1).ok()? } else { after };
                let arguments = self.token(after);
                let is_call = arguments.kind == Kind::Open && arguments.text == "(";
                Some(if is_call { arguments.mate + 1 } else { after })
            }
            _ => None,
        }
    }

    /// The token behind a chain of them.
    pub(super) fn after_chain(&self, index: usize) -> Option<usize> {
        let mut after = self.after_primary(index)?;
        while let Some(next) = self.after_link(after) {
            after = next;
        }
        Some(after)
    }

    /// The token behind an operand: a chain with the signs in front of it.
    pub(super) fn after_operand(&self, mut index: usize) -> Option<usize> {
        loop {
            match self.token(index).text {
                "&" | "!" | "*" | "-" | "mut" => index += 1,
                "|" | "||" | "move" => return Some(self.after_expression(index)),
                _ => return self.after_chain(index),
            }
        }
    }

    /// The token behind an expression of a list, or of a statement.
    pub(super) fn after_expression(&self, mut index: usize) -> usize {
        if let "|" | "move" = self.token(index).text {
            index = self.after_parameters(index);
        }
        loop {
            let token = self.token(index);
            match (token.kind, token.text) {
                (Kind::Close | Kind::End, _) | (Kind::Punctuation, "," | ";") => return index,
                (Kind::Open, _) => index = token.mate,
                _ => {}
            }
            index += 1;
        }
    }

    /// The token behind the parameters of a closure.
    pub(super) fn after_parameters(&self, index: usize) -> usize {
        let start = index + usize::from(self.is_at(index, "move"));
        if self.is_at(start, "||") {
            return start + 1;
        }
        let mut index = start + 1;
        while !self.is_at(index, "|") && self.token(index).kind != Kind::End {
            index += 1;
        }
        index + 1
    }

    /// A comma stands between two tokens, with something behind it.
    pub(super) fn has_comma(&self, mut index: usize, end: usize) -> bool {
        while index < end {
            let token = self.token(index);
            match (token.kind, token.text) {
                (Kind::Punctuation, ",") => return index + 1 < end,
                (Kind::Open, _) => index = token.mate,
                _ => {}
            }
            index += 1;
        }
        false
    }
}
