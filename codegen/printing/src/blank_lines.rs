//! Blank lines between items.

/// The lines of code, with a blank line between items.
pub(crate) fn add(code: &str) -> String {
    let mut blocks = vec![Block::items(0)];
    let mut text = String::with_capacity(code.len() + code.len() / 16);

    for line in code.lines() {
        let trimmed = line.trim_start_matches(' ');
        let indent = line.len() - trimmed.len();

        while blocks.len() > 1 && trimmed.starts_with('}') && blocks.last().is_some_and(|block| indent < block.indent) {
            blocks.pop();
        }
        if let Some(block) = blocks.last_mut()
            && block.indent == indent
            && block.wants_blank_line_before(trimmed)
        {
            text.push('\n');
        }
        if let Some(block) = blocks.last_mut()
            && block.indent + 4 == indent
        {
            block.go_on(trimmed);
        }
        text.push_str(line);
        text.push('\n');
        if let Some(block) = blocks.last_mut()
            && block.indent == indent
            && block.opens_items(trimmed)
        {
            blocks.push(Block::items(indent + 4));
        }
    }
    text
}

/// A list of items: a file, a module, a trait or an implementation.
struct Block {
    indent: usize,
    /// The item that came before, when it is complete.
    previous: Option<Item>,
    /// The item that is being read.
    current: Option<Item>,
    /// The item that is being read holds items: a `{` on a line of its own, after `where`, opens them.
    is_container: bool,
    /// The item that is being read is a constant whose value is a chain of calls.
    is_chain: bool,
}

/// What decides on the blank line after an item.
#[derive(PartialEq)]
enum Item {
    /// `//!`
    InnerDoc,
    /// `#![…]`
    InnerAttribute,
    /// `use`, with what is imported from: the standard library, this crate, or another one.
    Use(Origin),
    /// One line without documentation: `mod`, `const`, `static`, `type`, or an `impl` of nothing.
    Line(&'static str),
    /// A `mod` or a `use` that is compiled with some cargo features only.
    Gated,
    /// Anything longer.
    Long,
}

#[derive(PartialEq)]
enum Origin {
    Std,
    Other,
    Own,
}

impl Block {
    fn items(indent: usize) -> Self {
        Self { indent, previous: None, current: None, is_container: false, is_chain: false }
    }

    fn wants_blank_line_before(&mut self, line: &str) -> bool {
        if let Some(item) = self.current.take() {
            self.current = Some(item);
            self.finish(line);
            return false;
        }
        if line.starts_with('}') {
            return false;
        }

        let item = Item::of(line);
        let wanted = self.previous.take().is_some_and(|previous| previous == Item::Long || previous != item);
        self.current = Some(item);
        self.is_container = false;
        self.is_chain = false;
        self.finish(line);
        wanted
    }

    /// Reads a line that stands one step deeper than the item.
    fn go_on(&mut self, line: &str) {
        // Inside a function, a call at the end of a chain stands deeper.
        self.is_chain |= line.starts_with('.');
        if self.is_chain && line.starts_with(['.', ')']) {
            self.finish(line);
        }
    }

    /// Notes that the item is complete, if `line` is its last one.
    fn finish(&mut self, line: &str) {
        let is_inner = match self.current {
            Some(Item::InnerDoc) => true,
            Some(Item::InnerAttribute) => line.ends_with(']'),
            _ => false,
        };
        let leads = line.starts_with("//") || line.starts_with("#[");
        if is_inner || !leads && (line.ends_with(';') || line.ends_with('}')) {
            self.previous = self.current.take();
            // Only a line of its own stands close to the next one.
            if self.previous == Some(Item::Gated) && !is_short(line) {
                self.previous = Some(Item::Long);
            }
        }
    }

    /// Whether `line` opens a block of items of its own.
    fn opens_items(&mut self, line: &str) -> bool {
        self.is_container |= is_container(line);
        self.current.is_some() && self.is_container && line.ends_with('{')
    }
}

/// A `mod` or a `use` on one line.
fn is_short(line: &str) -> bool {
    (line.contains("mod ") || line.starts_with("use ")) && line.ends_with(';')
}

fn is_container(line: &str) -> bool {
    let line = without_visibility(line);
    ["impl ", "impl<", "trait ", "mod ", "unsafe impl "].iter().any(|keyword| line.starts_with(keyword))
}

fn without_visibility(line: &str) -> &str {
    ["pub(crate) ", "pub(super) ", "pub "].iter().find_map(|visibility| line.strip_prefix(visibility)).unwrap_or(line)
}

impl Item {
    fn of(line: &str) -> Self {
        if line.starts_with("//!") {
            return Self::InnerDoc;
        }
        if line.starts_with("#![") {
            return Self::InnerAttribute;
        }
        if line.starts_with("#[cfg(") && line.ends_with(']') {
            return Self::Gated;
        }
        let line = without_visibility(line);
        if let Some(path) = line.strip_prefix("use ") {
            return Self::Use(Origin::of(path));
        }
        match line.split_once(' ') {
            Some((keyword, _)) if line.ends_with(';') => {
                let keyword = ["mod", "const", "static", "type"].into_iter().find(|known| *known == keyword);
                keyword.map_or(Self::Long, Self::Line)
            }
            Some(("impl", _)) if line.ends_with("{}") => Self::Line("impl"),
            _ => Self::Long,
        }
    }
}

impl Origin {
    fn of(path: &str) -> Self {
        match path.split("::").next() {
            Some("std" | "core" | "alloc") => Self::Std,
            Some("crate" | "self" | "super") => Self::Own,
            _ => Self::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::add;

    #[test]
    fn an_attribute_of_the_file_may_take_several_lines() {
        let code = "//! A.\n#![cfg(any(\n    feature = \"a\",\n    feature = \"b\"\n))]\nuse a::B;\n";
        let spaced = code.replace("#!", "\n#!").replace("use", "\nuse");
        assert_eq!(add(code), spaced);
    }

    #[test]
    fn the_last_call_of_a_constant_may_take_several_lines() {
        let code = "const A: B = B::new(\n        &[\n        ],\n    )\n    .and(\n        &[\n        ],\n    );\nimpl A {\n    fn a() {\n        b\n            .c(\n                d,\n            );\n        e();\n    }\n    fn b() {}\n}\n";
        let spaced = code.replace("impl A", "\nimpl A").replace("    fn b", "\n    fn b");
        assert_eq!(add(code), spaced);
    }
}
