//! `use` lines.

use super::{Kind, Printer, known};
use crate::layout::{Done, INDENT, Shape, WIDTH};
use crate::order::path;

impl Printer<'_, '_> {
    pub(super) fn use_(&mut self, shape: Shape) -> Done {
        self.keyword("use ")?;
        let start = self.at;
        let is_flat = self.flat(shape.end - 3, |printer| printer.use_tree(shape))?;
        if !is_flat {
            self.at = start;
            self.use_tree(shape)?;
        }
        self.semicolon()
    }

    fn use_tree(&mut self, shape: Shape) -> Done {
        while !self.is("{") {
            if self.keyword("*")? {
                return Ok(());
            }
            self.print(Kind::Word)?;
            if self.skip("as") {
                self.word(" as ")?;
                return self.print(Kind::Word);
            }
            if !self.keyword("::")? {
                return Ok(());
            }
        }
        let end = self.open("{")?;
        let mut names = self.split(end, false)?;
        known(names.len() > 1)?;
        names.sort_by_cached_key(|&(start, after)| {
            let text: String = self.tokens[start..after].iter().map(|token| token.text).collect();
            path(&text)
        });
        self.word("{")?;
        let nested = Shape { indent: shape.indent + INDENT, end: WIDTH };
        let mut lines = 0;
        for (index, &(start, after)) in names.iter().enumerate() {
            self.at = start;
            if self.flat.is_some() {
                if index > 0 {
                    self.word(", ")?;
                }
                self.use_tree(shape)?;
                self.expect_end(after)?;
                continue;
            }
            // Names share lines.
            known(!(start..after).any(|index| self.is_at(index, "{")))?;
            // rustfmt does not count the comma behind the last one when all are on the first line.
            let is_last_of_one_line = lines == 1 && index + 1 == names.len();
            let fits = index > 0
                && self.flat(nested.end - if is_last_of_one_line { 1 } else { 2 }, |printer| {
                    printer.word(" ")?;
                    printer.use_tree(shape)
                })?;
            if !fits {
                lines += 1;
                self.line(nested.indent)?;
                self.use_tree(shape)?;
            }
            self.expect_end(after)?;
            self.word(",")?;
        }
        if self.flat.is_none() {
            self.line(shape.indent)?;
        }
        self.at = end;
        self.close(end, "}")
    }
}
