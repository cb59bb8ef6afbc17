//! Items: of files, of implementations and of traits.

use super::ty::Path;
use super::{Kind, Printer};
use crate::layout::INDENT;

impl<'a> Printer<'a, '_> {
    /// An item, wherever it stands.
    pub(super) fn item(&mut self) -> Option<()> {
        self.attributes()?;
        let keyword = self.after_visibility()?;
        // The depth of the lines inside.
        let is_flat = matches!(keyword, "const" | "static") && !self.is_function() || self.is_call();
        let offset = if is_flat { 0 } else { INDENT };
        if keyword == "use" {
            self.visibility()?;
            return self.use_();
        }
        self.layout.consistent(offset);
        self.visibility()?;
        match keyword {
            "struct" => self.struct_item()?,
            "enum" => self.enum_()?,
            "impl" => self.impl_()?,
            "trait" => self.trait_()?,
            "type" => self.type_item()?,
            "mod" => {
                self.keyword("mod ");
                self.print(Kind::Word)?;
                if self.is("{") {
                    self.layout.word(" ");
                    self.items()?;
                } else {
                    self.semicolon()?;
                }
            }
            _ if self.is_function() => self.function()?,
            "const" | "static" => self.constant()?,
            "json" if self.is_call() => self.macro_call()?,
            "json" => self.table()?,
            _ => return None,
        }
        self.layout.line();
        Some(())
    }

    /// A macro of the runtime in parentheses follows: `json::serde_traits!(…);`
    fn is_call(&self) -> bool {
        self.is("json") && self.is_at(self.at + 1, "::") && self.is_at(self.at + 4, "(")
    }

    /// `json::object` of a macro.
    fn macro_name(&mut self) -> Option<()> {
        self.print(Kind::Word)?;
        self.expect("::")?;
        self.layout.word("::");
        self.print(Kind::Word)?;
        self.expect("!")
    }

    /// `json::object! { Pet, read, write { optional name = "name", } }`, whose entries have a line each, and an enum in a
    /// macro. No other printer knows these forms.
    fn table(&mut self) -> Option<()> {
        self.macro_name()?;
        let end = self.open("{")?;
        self.layout.word("! {");
        self.layout.line();
        if self.is("#") || self.is("pub") {
            self.item()?;
        } else {
            self.layout.consistent(INDENT);
            self.layout.inconsistent(0);
            while self.at < end && !self.is("{") {
                self.table_token()?;
            }
            self.layout.end();
            let entries = self.open("{")?;
            self.layout.word(" {");
            self.layout.line_if_nonempty();
            while self.at < entries {
                self.table_entry()?;
            }
            self.layout.offset(-INDENT);
            self.layout.end();
            self.close(entries, "}")?;
            self.layout.line();
        }
        self.layout.offset(-INDENT);
        self.layout.end();
        self.close(end, "}")
    }

    /// What stands next in a table, with the space in front of it.
    fn table_token(&mut self) -> Option<()> {
        if self.keyword(",") {
            return Some(());
        }
        if self.token(self.at - 1).kind != Kind::Open && !self.is("(") {
            self.layout.space();
        }
        self.table_word()
    }

    /// `optional name = "name" [Rule::MaxLength(255)],`
    fn table_entry(&mut self) -> Option<()> {
        self.print(Kind::Word)?;
        while !self.is(",") {
            self.layout.word(" ");
            self.table_word()?;
        }
        self.keyword(",");
        self.layout.line();
        Some(())
    }

    fn table_word(&mut self) -> Option<()> {
        match (self.kind(), self.token(self.at).text) {
            (Kind::Open, "(") => {
                let end = self.open("(")?;
                self.layout.word("(");
                while self.at < end {
                    self.table_token()?;
                }
                self.close(end, ")")
            }
            (Kind::Open, "[") => self.primary(),
            (Kind::Punctuation, "=") => self.keyword("=").then_some(()),
            (Kind::Punctuation, "-") => {
                self.keyword("-");
                self.print(Kind::Literal)
            }
            (Kind::Literal, _) => self.print(Kind::Literal),
            _ => self.print(Kind::Word),
        }
    }

    /// `json::serde_traits!(Serialize for Pet);`
    fn macro_call(&mut self) -> Option<()> {
        self.macro_name()?;
        self.layout.word("!(");
        let end = self.open("(")?;
        self.layout.consistent(INDENT);
        self.layout.zero();
        self.layout.inconsistent(0);
        while self.at < end {
            let is_first = self.is_at(self.at - 1, "(");
            if self.keyword(",") {
                continue;
            }
            if !is_first {
                self.layout.space();
            }
            self.print(Kind::Word)?;
        }
        self.layout.end();
        self.layout.zero();
        self.layout.offset(-INDENT);
        self.layout.end();
        self.layout.word(")");
        self.expect(")")?;
        self.semicolon()
    }

    /// The keyword behind `pub`.
    fn after_visibility(&self) -> Option<&'a str> {
        let mut index = self.at;
        if self.is_at(index, "pub") {
            index += 1;
            if self.is_at(index, "(") {
                index = self.token(index).mate + 1;
            }
        }
        let token = self.token(index);
        (token.kind == Kind::Word).then_some(token.text)
    }

    fn visibility(&mut self) -> Option<()> {
        if !self.skip("pub") {
            return Some(());
        }
        let Some(end) = self.open("(") else {
            self.layout.word("pub ");
            return Some(());
        };
        let path = self.token(self.at).text;
        if !matches!(path, "crate" | "self" | "super") {
            return None;
        }
        self.layout.word("pub(");
        self.print(Kind::Word)?;
        self.layout.word(") ");
        self.expect(")")?;
        (self.at == end + 1).then_some(())
    }

    /// Ends an item without a block, and its group.
    fn semicolon(&mut self) -> Option<()> {
        self.expect(";")?;
        self.layout.word(";");
        self.layout.end();
        Some(())
    }

    /// `{ … }` with items, and the end of the group around it.
    fn items(&mut self) -> Option<()> {
        let end = self.open("{")?;
        self.layout.word("{");
        self.layout.line_if_nonempty();
        while self.at < end {
            self.item()?;
        }
        self.layout.offset(-INDENT);
        self.layout.end();
        self.close(end, "}")
    }

    fn is_function(&self) -> bool {
        let mut index = self.at;
        if self.is_at(index, "pub") {
            index += 1;
            if self.is_at(index, "(") {
                index = self.token(index).mate + 1;
            }
        }
        while self.is_at(index, "const") || self.is_at(index, "async") {
            index += 1;
        }
        self.is_at(index, "fn")
    }

    fn function(&mut self) -> Option<()> {
        self.keyword("const ");
        self.keyword("async ");
        self.keyword("fn ");
        self.print(Kind::Word)?;
        self.generics()?;
        let end = self.open("(")?;
        self.layout.word("(");
        self.layout.never();
        self.layout.consistent(0);
        self.layout.zero();
        self.list(end, Self::parameter)?;
        self.layout.offset(-INDENT);
        self.layout.end();
        self.close(end, ")")?;
        self.layout.consistent(-INDENT);
        self.return_type()?;
        self.layout.end();
        let is_declared = self.is_declared();
        self.where_clause(is_declared)?;
        if is_declared {
            self.expect(";")?;
            self.layout.end();
            return Some(());
        }
        let end = self.open("{")?;
        self.layout.word("{");
        self.layout.line_if_nonempty();
        self.statements(end)?;
        self.layout.offset(-INDENT);
        self.layout.end();
        self.close(end, "}")
    }

    /// No block follows, but a `;`.
    fn is_declared(&self) -> bool {
        let mut index = self.at;
        loop {
            let token = self.token(index);
            match (token.kind, token.text) {
                (Kind::Punctuation, ";") => return true,
                (Kind::Open, "{") | (Kind::Close | Kind::End, _) => return false,
                (Kind::Open, _) => index = token.mate,
                _ => {}
            }
            index += 1;
        }
    }

    fn parameter(&mut self) -> Option<()> {
        self.attributes()?;
        let is_receiver = {
            let mut index = self.at;
            while self.is_at(index, "&") || self.token(index).kind == Kind::Lifetime || self.is_at(index, "mut") {
                index += 1;
            }
            self.is_at(index, "self")
        };
        if is_receiver {
            if self.keyword("&") && self.print(Kind::Lifetime).is_some() {
                self.layout.word(" ");
            }
            self.keyword("mut ");
            self.print(Kind::Word)?;
            if !self.is(":") {
                return Some(());
            }
        } else {
            self.one_pattern()?;
        }
        self.expect(":")?;
        self.layout.word(": ");
        self.ty()
    }

    /// `const A: B = c;` and `static A: B = c;`
    fn constant(&mut self) -> Option<()> {
        let _ = self.keyword("const ") || self.keyword("static ");
        self.print(Kind::Word)?;
        self.expect(":")?;
        self.layout.word(": ");
        self.ty()?;
        if self.skip("=") {
            self.layout.word(" = ");
            self.layout.never();
            self.expression()?;
        }
        self.semicolon()
    }

    /// `type A = B;` and `type A: B;`
    fn type_item(&mut self) -> Option<()> {
        self.keyword("type ");
        self.print(Kind::Word)?;
        self.generics()?;
        if self.skip(":") {
            self.layout.word(": ");
            self.bound()?;
            while self.skip("+") {
                self.layout.space();
                self.layout.word("+ ");
                self.bound()?;
            }
        }
        if self.skip("=") {
            self.layout.word(" = ");
            self.layout.never();
            self.layout.inconsistent(-INDENT);
            self.ty()?;
            self.layout.end();
        }
        self.semicolon()
    }

    fn struct_item(&mut self) -> Option<()> {
        self.keyword("struct ");
        self.print(Kind::Word)?;
        self.generics()?;
        if self.is("(") {
            self.unnamed_fields()?;
        }
        if !self.is("{") && !self.is("where") {
            return self.semicolon();
        }
        self.where_clause(false)?;
        let end = self.open("{")?;
        self.layout.word("{");
        self.layout.line_if_nonempty();
        while self.at < end {
            self.field()?;
            self.skip(",");
            self.layout.word(",");
            self.layout.line();
        }
        self.layout.offset(-INDENT);
        self.layout.end();
        self.close(end, "}")
    }

    fn field(&mut self) -> Option<()> {
        self.attributes()?;
        self.visibility()?;
        self.print(Kind::Word)?;
        self.expect(":")?;
        self.layout.word(": ");
        self.ty()
    }

    /// `(A, B)` of a struct or a variant
    fn unnamed_fields(&mut self) -> Option<()> {
        let end = self.open("(")?;
        self.layout.word("(");
        self.layout.zero();
        self.list(end, |printer| {
            printer.attributes()?;
            printer.visibility()?;
            printer.ty()
        })?;
        self.layout.offset(-INDENT);
        self.close(end, ")")
    }

    fn enum_(&mut self) -> Option<()> {
        self.keyword("enum ");
        self.print(Kind::Word)?;
        self.generics()?;
        if self.keyword(": ") {
            // In a macro: what its values are.
            self.print(Kind::Word)?;
            if self.keyword(" or ") {
                self.print(Kind::Word)?;
            }
        }
        self.where_clause(false)?;
        let end = self.open("{")?;
        self.layout.word("{");
        self.layout.line_if_nonempty();
        while self.at < end {
            self.variant()?;
            self.skip(",");
            self.layout.word(",");
            self.layout.line();
        }
        self.layout.offset(-INDENT);
        self.layout.end();
        self.close(end, "}")
    }

    fn variant(&mut self) -> Option<()> {
        self.attributes()?;
        if self.keyword("..") {
            self.print(Kind::Word)?;
            return if self.keyword(" in ") { self.print(Kind::Word) } else { Some(()) };
        }
        self.print(Kind::Word)?;
        if self.is("(") {
            self.layout.consistent(INDENT);
            self.unnamed_fields()?;
            self.layout.end();
        } else if let Some(end) = self.open("{") {
            self.layout.word(" {");
            self.layout.consistent(INDENT);
            self.layout.space();
            while self.at < end {
                self.field()?;
                if self.at < end {
                    self.expect(",")?;
                }
                self.layout.comma(self.at == end, 1);
            }
            self.layout.offset(-INDENT);
            self.layout.end();
            self.close(end, "}")?;
        }
        if self.skip("=") {
            self.layout.word(" = ");
            self.expression()?;
        }
        Some(())
    }

    fn impl_(&mut self) -> Option<()> {
        self.layout.inconsistent(-INDENT);
        self.layout.consistent(INDENT);
        self.keyword("impl");
        self.generics()?;
        self.layout.end();
        self.layout.word(" ");
        if self.has_trait() {
            self.path(Path::Type)?;
            self.layout.space();
            self.expect("for")?;
            self.layout.word("for ");
        }
        self.ty()?;
        self.layout.end();
        self.where_clause(false)?;
        self.items()
    }

    /// `for` stands before the block.
    fn has_trait(&self) -> bool {
        let mut index = self.at;
        loop {
            let token = self.token(index);
            match (token.kind, token.text) {
                (Kind::Word, "for") => return true,
                (Kind::Word, "where") | (Kind::Open, "{") | (Kind::Close | Kind::End, _) => return false,
                (Kind::Punctuation, "<") => match self.after_angles(index) {
                    Some(after) => index = after - 1,
                    None => return false,
                },
                (Kind::Open, _) => index = token.mate,
                _ => {}
            }
            index += 1;
        }
    }

    fn trait_(&mut self) -> Option<()> {
        self.keyword("trait ");
        self.print(Kind::Word)?;
        self.generics()?;
        if self.skip(":") {
            self.layout.word(": ");
            self.bound()?;
            while self.skip("+") {
                self.layout.word(" + ");
                self.bound()?;
            }
        }
        self.where_clause(false)?;
        self.items()
    }

    fn use_(&mut self) -> Option<()> {
        self.keyword("use ");
        self.use_tree()?;
        self.expect(";")?;
        self.layout.word(";");
        self.layout.line();
        Some(())
    }

    fn use_tree(&mut self) -> Option<()> {
        if let Some(end) = self.open("{") {
            if !self.has_comma(self.at, end) {
                return None;
            }
            self.layout.consistent(INDENT);
            self.layout.word("{");
            self.layout.zero();
            self.layout.inconsistent(0);
            while self.at < end {
                let start = self.at;
                self.use_tree()?;
                let is_group = self.is_at(self.at - 1, "}");
                self.skip(",");
                if self.at < end {
                    self.layout.word(",");
                    if is_group { self.layout.line() } else { self.layout.space() }
                }
                debug_assert!(self.at > start);
            }
            self.layout.end();
            self.layout.comma(true, 0);
            self.layout.offset(-INDENT);
            self.close(end, "}")?;
            self.layout.end();
            return Some(());
        }
        if self.keyword("*") {
            return Some(());
        }
        self.print(Kind::Word)?;
        if self.keyword("::") {
            return self.use_tree();
        }
        if self.skip("as") {
            self.layout.word(" as ");
            return self.print(Kind::Word);
        }
        Some(())
    }
}
