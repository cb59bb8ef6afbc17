//! What a chain starts with: literals, paths, and all that has brackets or parameters.

use super::ty::Path;
use super::{Kind, Printer};
use crate::layout::{Break, INDENT};

impl Printer<'_, '_> {
    /// What stands before the first `.`, `?`, `(` or `[` of a chain.
    pub(super) fn primary(&mut self) -> Option<()> {
        match (self.kind(), self.token(self.at).text) {
            (Kind::Literal, _) => self.print(Kind::Literal),
            (Kind::Open, "(") => self.tuple(),
            (Kind::Open, "[") => self.array(),
            (Kind::Open, _) => {
                self.layout.consistent(INDENT);
                self.small_block()?;
                self.layout.end();
                Some(())
            }
            (Kind::Word, "match") => self.match_(),
            (Kind::Word, "if") => self.if_(),
            (Kind::Word, "async") => {
                self.keyword("async ");
                self.keyword("move ");
                self.layout.consistent(INDENT);
                self.small_block()?;
                self.layout.end();
                Some(())
            }
            (Kind::Word, _) | (Kind::Punctuation, "<") => {
                let after = self.after_path(self.at)?;
                if self.is_at(after, "{") && !self.is_condition(after) {
                    return self.struct_();
                }
                self.path(Path::Expression)
            }
            _ => None,
        }
    }

    /// The brace opens the block of a `match` or an `if`.
    fn is_condition(&self, brace: usize) -> bool {
        self.block_of_condition == Some(brace)
    }

    fn tuple(&mut self) -> Option<()> {
        let end = self.open("(")?;
        self.layout.word("(");
        if self.at < end && !self.has_comma(self.at, end) {
            self.expression()?;
        } else {
            self.elements(end)?;
        }
        self.close(end, ")")
    }

    fn array(&mut self) -> Option<()> {
        let end = self.open("[")?;
        let after = self.after_expression(self.at);
        if self.at < end && self.is_at(after, ";") {
            self.layout.word("[");
            self.expression()?;
            self.expect(";")?;
            self.layout.word("; ");
            self.expression()?;
            return self.close(end, "]");
        }
        if self.at == end {
            self.layout.word("[]");
            self.at += 1;
            return Some(());
        }
        let is_simple = |index: usize| {
            let token = self.token(index);
            match token.kind {
                Kind::Literal => token.text.bytes().all(|byte| byte.is_ascii_digit()) || token.text.ends_with('\''),
                Kind::Word => matches!(token.text, "true" | "false"),
                Kind::Punctuation => token.text == ",",
                Kind::Lifetime | Kind::Open | Kind::Close | Kind::End => false,
            }
        };
        if !(self.at..end).all(is_simple) {
            self.layout.word("[");
            self.elements(end)?;
            return self.close(end, "]");
        }
        // Numbers share lines.
        self.layout.consistent(INDENT);
        self.layout.word("[");
        self.layout.zero();
        self.layout.inconsistent(0);
        while self.at < end {
            self.expression()?;
            self.skip(",");
            if self.at < end {
                self.layout.word(",");
                self.layout.space();
            }
        }
        self.layout.end();
        self.layout.comma(true, 0);
        self.layout.offset(-INDENT);
        self.close(end, "]")?;
        self.layout.end();
        Some(())
    }

    fn struct_(&mut self) -> Option<()> {
        self.layout.consistent(INDENT);
        self.layout.inconsistent(-INDENT);
        self.path(Path::Expression)?;
        self.layout.end();
        let end = self.open("{")?;
        self.layout.word(" {");
        self.layout.place(Break { blank: 1, if_nonempty: true, ..Break::default() });
        while self.at < end {
            if self.keyword("..") {
                self.expression()?;
                self.layout.space();
                break;
            }
            self.attributes()?;
            self.print(Kind::Word)?;
            if self.skip(":") {
                self.layout.word(": ");
                self.layout.inconsistent(0);
                self.expression()?;
                self.layout.end();
            }
            if self.at < end {
                self.expect(",")?;
            }
            self.layout.comma(self.at == end, 1);
        }
        self.layout.offset(-INDENT);
        self.layout.end_within(34);
        self.close(end, "}")
    }

    /// `|a| b`
    pub(super) fn closure(&mut self) -> Option<()> {
        self.layout.inconsistent(0);
        self.keyword("move ");
        self.layout.consistent(INDENT);
        self.layout.word("|");
        if !self.skip("||") {
            self.expect("|")?;
            let mut is_first = true;
            while !self.is("|") {
                if is_first {
                    self.layout.zero();
                }
                is_first = false;
                self.one_pattern()?;
                if self.skip(":") {
                    self.layout.word(": ");
                    self.ty()?;
                }
                if self.skip(",") && !self.is("|") {
                    self.layout.word(",");
                    self.layout.space();
                }
            }
            self.expect("|")?;
        }
        if self.is("->") {
            return None;
        }
        self.layout.word("|");
        self.layout.space();
        self.layout.offset(-INDENT);
        self.layout.end();
        self.layout.never();
        if self.is_plain_body() {
            self.expression()?;
        } else {
            if matches!(self.token(self.at).text, "match" | "{") {
                return None;
            }
            self.layout.consistent(INDENT);
            self.layout.place(Break { before: Some('{'), ..Break::default() });
            let before = self.wants_semicolon().then_some(';');
            self.expression()?;
            self.layout.place(Break { offset: -INDENT, before, after: Some('}'), ..Break::default() });
            self.layout.end();
        }
        self.layout.end();
        Some(())
    }

    /// The body of a closure that is not put in braces when it is broken.
    fn is_plain_body(&self) -> bool {
        let end = self.after_expression(self.at);
        if self.is("match") {
            return self.after_primary(self.at) == Some(end);
        }
        // A call, but not one of a chain.
        let mut last = None;
        let mut after = self.after_primary(self.at);
        while let Some(index) = after.filter(|index| *index < end) {
            last = Some(index);
            after = self.after_link(index);
        }
        let is_call = after == Some(end) && last.is_some_and(|index| self.is_at(index, "("));
        is_call || self.is_blocklike(end)
    }
}
