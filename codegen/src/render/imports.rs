//! The `use` lines that a file lacks, found from the names it mentions.

use std::collections::BTreeSet;
use std::ops::Range;

use super::format::{Kind, Token};

/// The modules, and the names in them, that emitted code may mention without saying where they are from.
const KNOWN: &[(&str, &[&str])] = &[
    ("std::borrow", &["Cow"]),
    ("std::collections", &["BTreeMap"]),
    ("std::fmt", &[]),
    ("std::net", &["Ipv4Addr", "Ipv6Addr"]),
    ("std::str", &["FromStr"]),
    ("bytes", &["Bytes"]),
    ("jiff", &["SpanFieldwise", "Timestamp"]),
    ("jiff::civil", &["Date", "DateTime", "Time"]),
    ("rust_decimal", &["Decimal"]),
    ("uuid", &["Uuid"]),
    ("http", &["StatusCode"]),
    ("crate::models", &[]),
    ("crate::runtime::decimal", &["DecimalNumber"]),
    ("crate::runtime::foreign", &[]),
    ("crate::runtime::foreign_json", &[]),
    (
        "crate::runtime::json",
        &["Base64", "Entries", "Kind", "Maybe", "Member", "Members", "Read", "Reader", "Write", "Writer"],
    ),
    ("crate::runtime::parameter", &["Fields", "FromParameter", "Raw", "Shape", "Style", "ToParameter"]),
    (
        "crate::runtime::rule",
        &["Bound", "Check", "Format", "Pattern", "Rule", "Together", "read_checked", "text_checked"],
    ),
    ("crate::runtime::client", &[]),
    // A file of the client brings its own `Body`, `Download` and streams of items.
    ("crate::runtime::server", &["Body", "Download"]),
    ("crate::runtime::server_stream", &["ItemBody", "ItemStream"]),
    ("crate::runtime::stream", &[]),
    ("crate::runtime::text", &["FromText", "Refusal", "ToText"]),
    ("crate::runtime::unknown", &["Unknown"]),
    ("crate::runtime::violation", &["Notes"]),
    ("crate::security", &[]),
];

/// The lines for what is mentioned from the token `start` on, and not brought by the file itself.
pub(super) fn added(tokens: &[Token<'_>], start: usize) -> Vec<String> {
    let mut names = Names::default();
    names.read(tokens, start..tokens.len() - 1, false);
    KNOWN.iter().filter_map(|(module, known)| use_line(module, known, &names)).collect()
}

/// `use crate::runtime::json::{self, Read};`, or nothing when none of the names is needed.
fn use_line(path: &str, known: &[&str], names: &Names<'_>) -> Option<String> {
    // Other crates need no line to be mentioned.
    let module = path.rsplit_once("::").map(|(_, module)| module).filter(|module| names.lack(module));
    let needed: Vec<_> = known.iter().copied().filter(|name| names.lack(name)).collect();
    Some(match (module, needed.as_slice()) {
        (None, []) => return None,
        (Some(_), []) => format!("use {path};"),
        (None, [name]) => format!("use {path}::{name};"),
        (None, names) => format!("use {path}::{{{}}};", names.join(", ")),
        (Some(_), names) => format!("use {path}::{{self, {}}};", names.join(", ")),
    })
}

/// What a file mentions, and what it brings itself.
#[derive(Default)]
struct Names<'a> {
    mentioned: BTreeSet<&'a str>,
    brought: BTreeSet<&'a str>,
}

impl<'a> Names<'a> {
    fn lack(&self, name: &str) -> bool {
        self.mentioned.contains(name) && !self.brought.contains(name)
    }

    /// `is_enum`: they are the variants of one, whose names mention nothing.
    fn read(&mut self, tokens: &[Token<'a>], range: Range<usize>, is_enum: bool) {
        let mut index = range.start;
        let mut before = "";
        let mut is_next_enum = false;
        while index < range.end {
            let token = tokens[index];
            let after = tokens[index + 1].text;
            match (token.kind, token.text) {
                (Kind::Word, "use") => {
                    index = self.read_use(tokens, index + 1);
                    continue;
                }
                (Kind::Word, "struct" | "enum" | "type" | "trait" | "mod") => {
                    self.brought.insert(after);
                    is_next_enum |= token.text == "enum";
                }
                (Kind::Word, name) => {
                    let is_variant = is_enum && matches!(before, "" | "," | "]");
                    let is_defined = matches!(before, "struct" | "enum" | "type" | "trait" | "mod" | "fn");
                    // A lower-case name alone is a variable; a module is followed by what it holds.
                    let is_path = after == "::" || name.starts_with(char::is_uppercase) || name.contains('_');
                    let is_member = matches!(before, "." | "::") || after == ":";
                    if is_path && !is_variant && !is_defined && !is_member {
                        self.mentioned.insert(name);
                    }
                }
                (Kind::Open, _) => {
                    // What attributes say is no path of the file.
                    if before != "#" {
                        let is_enum = token.text == "{" && std::mem::take(&mut is_next_enum);
                        self.read(tokens, index + 1..token.mate, is_enum);
                    }
                    index = token.mate;
                }
                _ => {}
            }
            before = tokens[index].text;
            index += 1;
        }
    }

    /// The names that a `use` brings; the token behind it.
    fn read_use(&mut self, tokens: &[Token<'a>], mut index: usize) -> usize {
        let mut modules = Vec::new();
        let mut module = "";
        loop {
            let Some(token) = tokens.get(index) else { return index };
            let after = tokens.get(index + 1).map_or("", |token| token.text);
            match (token.kind, token.text) {
                (Kind::Punctuation, ";") | (Kind::End, _) => return index + 1,
                (Kind::Open, _) => modules.push(module),
                (Kind::Close, _) => {
                    modules.pop();
                }
                (Kind::Word, name) if after == "::" => module = name,
                (Kind::Word, "self") => {
                    self.brought.extend(modules.last());
                }
                (Kind::Word, name) if after != "as" && name != "as" => {
                    self.brought.insert(name);
                }
                _ => {}
            }
            index += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::KNOWN;
    use crate::lower::TAKEN;

    #[test]
    fn no_model_is_called_what_its_file_imports() {
        // Only operations mention statuses and streams.
        let other = ["http", "crate::runtime::server", "crate::runtime::server_stream"];
        for (module, names) in KNOWN.iter().filter(|(module, _)| !other.contains(module)) {
            let types = names.iter().filter(|name| name.starts_with(char::is_uppercase));
            let free: Vec<_> = types.filter(|name| !TAKEN.contains(name)).collect();
            assert!(free.is_empty(), "a model may be called like these of {module}: {free:?}");
        }
    }
}
