//! Code → its items, each with the text that belongs to it.

use std::ops::Range;

use printing::{Kind, Token, tokens};

/// An item of a file, or a member of an `impl` block.
#[derive(Debug)]
pub(super) struct Item<'a> {
    pub(super) kind: ItemKind<'a>,
    /// Its tokens, attributes first.
    pub(super) tokens: Range<usize>,
    /// The tokens behind its attributes.
    pub(super) head: usize,
    /// Its text, with the comments above it.
    pub(super) text: Range<usize>,
    /// A blank line stands above it.
    pub(super) is_apart: bool,
    pub(super) is_public: bool,
}

#[derive(Debug)]
pub(super) enum ItemKind<'a> {
    /// `mod name;`
    Module(&'a str),
    /// `use …;`
    Use,
    /// A type, a trait, a function, a constant or a macro.
    Named(&'a str),
    /// `impl … { … }`
    Impl,
    /// `name!(…);`
    Call(&'a str),
    /// Its feature is off, or it is a test.
    Left,
}

/// The tokens of a text with comments: what is in those that have a line to themselves is no code.
pub(super) fn without_comments(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        if line.trim_start().starts_with("//") {
            code.extend(std::iter::repeat_n(' ', line.len() - 1));
            code.push('\n');
        } else {
            code.push_str(line);
        }
    }
    code
}

/// The items among `range` of the tokens of a file, whose first one's comments begin at the byte `start` of `text`.
pub(super) fn items<'a>(text: &str, tokens: &[Token<'a>], range: Range<usize>, mut start: usize) -> Vec<Item<'a>> {
    let mut items = Vec::new();
    let mut index = range.start;
    while index < range.end {
        let first = index;
        let head = after_attributes(tokens, first);
        let is_test =
            tokens[first..head].array_windows().any(|[cfg, _, test]| cfg.text == "cfg" && test.text == "test");
        let (kind, is_public) = kind(&tokens[head..range.end]);
        let ends_with_semicolon = match kind {
            ItemKind::Use => true,
            _ => is_value(&tokens[head..range.end]),
        };
        index = head;
        loop {
            let token = tokens[index];
            index = if token.kind == Kind::Open { token.mate + 1 } else { index + 1 };
            let is_last = match token.text {
                ";" => true,
                "{" => !ends_with_semicolon,
                _ => false,
            };
            if is_last || index >= range.end {
                break;
            }
        }
        let last = tokens[index - 1];
        let end = last.start + last.text.len();
        let gap = &text[start..tokens[first].start];
        let comment = gap.find(|letter: char| !letter.is_whitespace()).map_or(tokens[first].start, |at| start + at);
        items.push(Item {
            kind: if is_test { ItemKind::Left } else { kind },
            tokens: first..index,
            head,
            text: comment..end,
            is_apart: text[start..comment].contains("\n\n"),
            is_public,
        });
        start = end;
    }
    items
}

/// The tokens of `code`, which is a file of the runtime, or was generated.
pub(super) fn read(code: &str) -> Vec<Token<'_>> {
    tokens(code).unwrap_or_default()
}

fn after_attributes(tokens: &[Token<'_>], mut index: usize) -> usize {
    while let [Token { text: "#", .. }, group, ..] = &tokens[index..]
        && group.kind == Kind::Open
    {
        index = group.mate + 1;
    }
    index
}

/// What an item is that begins with these tokens, and whether it is `pub`.
fn kind<'a>(tokens: &[Token<'a>]) -> (ItemKind<'a>, bool) {
    let mut is_public = false;
    let mut index = 0;
    loop {
        let text = |offset: usize| tokens.get(index + offset).map_or("", |token| token.text);
        let kind = match text(0) {
            "pub" if text(1) == "(" => {
                index += 4;
                continue;
            }
            "pub" => {
                is_public = true;
                index += 1;
                continue;
            }
            "async" | "unsafe" => {
                index += 1;
                continue;
            }
            "const" if text(1) == "fn" => {
                index += 1;
                continue;
            }
            "use" => ItemKind::Use,
            "mod" if text(2) == ";" => ItemKind::Module(text(1)),
            "mod" => ItemKind::Left,
            "impl" => ItemKind::Impl,
            "macro_rules" => ItemKind::Named(text(2)),
            "struct" | "enum" | "trait" | "fn" | "type" | "const" | "static" => ItemKind::Named(text(1)),
            name if text(1) == "!" => ItemKind::Call(name),
            _ => ItemKind::Left,
        };
        return (kind, is_public);
    }
}

/// The braces of a value do not end its item.
fn is_value(tokens: &[Token<'_>]) -> bool {
    let words = tokens.iter().take_while(|token| !matches!(token.text, ":" | "=" | "{" | ";"));
    let words: Vec<_> = words.filter(|token| token.kind == Kind::Word).map(|token| token.text).collect();
    !words.contains(&"fn") && words.iter().any(|word| matches!(*word, "const" | "static" | "type"))
}
