//! The `use` lines that a file lacks, found from the names it mentions.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;

use printing::{Kind, Token};

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
    ("crate::runtime::rule", &["Bound", "Check", "Format", "Pattern", "Rule", "Together"]),
    ("crate::runtime::client", &[]),
    // A file of the client brings its own `Body`, `Download` and streams of items.
    ("crate::runtime::server", &["Body", "Download"]),
    ("crate::runtime::server_stream", &["ItemBody", "ItemStream"]),
    ("crate::runtime::stream", &[]),
    ("crate::runtime::text", &["FromText", "Refusal", "ToText"]),
    ("crate::runtime::unknown", &["Unknown"]),
    ("crate::runtime::violation", &["Notes"]),
    ("crate::runtime::wrapped", &[]),
    ("crate::security", &[]),
];

/// The lines for what the items mention, and the file does not bring itself. What only such items mention as are compiled
/// with a feature is brought with it.
pub(super) fn added(code: &str, tokens: &[Token<'_>], items: &[Range<usize>]) -> Vec<String> {
    let mut names = Names::default();
    let mut always = Set::default();
    let mut gated: BTreeMap<&str, Set> = BTreeMap::new();
    for item in items {
        names.read(tokens, item.clone(), false);
        let mentioned = std::mem::take(&mut names.mentioned);
        match condition(code, tokens, item.start) {
            None => always |= mentioned,
            Some(condition) => {
                // A name can be brought only once.
                let others = gated.iter().filter(|(other, _)| **other != condition);
                always |= others.fold(0, |others, (_, set)| others | set) & mentioned;
                *gated.entry(condition).or_default() |= mentioned;
            }
        }
    }
    let mut lines = use_lines("", always & !names.brought);
    for (condition, mentioned) in gated {
        lines.extend(use_lines(condition, mentioned & !always & !names.brought));
    }
    lines
}

/// The attribute `#[cfg(feature = "serde")]` in front of an item.
fn condition<'a>(code: &'a str, tokens: &[Token<'_>], mut index: usize) -> Option<&'a str> {
    while tokens[index].text == "#" {
        let end = tokens[index + 1].mate + 1;
        if tokens[index + 2].text == "cfg" {
            return Some(&code[tokens[index].start..tokens[end].start]);
        }
        index = end;
    }
    None
}

/// `use crate::runtime::json::{self, Read};` for each module of which some name is needed, with `attribute` in front.
fn use_lines(attribute: &str, needed: Set) -> Vec<String> {
    let line = |Module { path, set, names }: &Module| {
        let is_needed = |set: Set| needed & set != 0;
        let names: Vec<_> = names.iter().filter(|(_, set)| is_needed(*set)).map(|(name, _)| *name).collect();
        Some(match (is_needed(*set), names.as_slice()) {
            (false, []) => return None,
            (true, []) => format!("{attribute}use {path};"),
            (false, [name]) => format!("{attribute}use {path}::{name};"),
            (false, names) => format!("{attribute}use {path}::{{{}}};", names.join(", ")),
            (true, names) => format!("{attribute}use {path}::{{self, {}}};", names.join(", ")),
        })
    };
    if needed == 0 { Vec::new() } else { MODULES.iter().filter_map(line).collect() }
}

/// A module of [`KNOWN`], and what is known of it.
struct Module {
    path: &'static str,
    /// None for another crate, which needs no line to be mentioned.
    set: Set,
    names: Vec<(&'static str, Set)>,
}

static MODULES: LazyLock<Vec<Module>> = LazyLock::new(|| {
    let module = |(path, names): &(&'static str, &[&'static str])| Module {
        path,
        set: path.rsplit_once("::").map_or(0, |(_, module)| set(module)),
        names: names.iter().map(|name| (*name, set(name))).collect(),
    };
    KNOWN.iter().map(module).collect()
});

/// Some of the modules and names of [`KNOWN`], a bit for each.
type Set = u128;

/// The set of one name; none when it is not known.
fn set(name: &str) -> Set {
    // Every word of all files is looked up, so there is a list for each length of names.
    static SETS: LazyLock<Vec<Vec<(&str, Set)>>> = LazyLock::new(|| {
        let modules = KNOWN.iter().filter_map(|(path, _)| path.rsplit_once("::")).map(|(_, module)| module);
        let names = KNOWN.iter().flat_map(|(_, names)| names.iter().copied());
        let mut sets: Vec<Vec<(&str, Set)>> = Vec::new();
        for (name, number) in modules.chain(names).zip(0..) {
            sets.resize(sets.len().max(name.len() + 1), Vec::new());
            sets[name.len()].push((name, 1 << number));
        }
        sets
    });
    let sets = SETS.get(name.len()).map_or(&[][..], Vec::as_slice);
    sets.iter().find(|(known, _)| *known == name).map_or(0, |(_, set)| *set)
}

/// What items mention, and what the file brings itself.
#[derive(Default)]
struct Names {
    mentioned: Set,
    brought: Set,
}

impl Names {
    /// `is_enum`: they are the variants of one, whose names mention nothing.
    fn read(&mut self, tokens: &[Token<'_>], range: Range<usize>, is_enum: bool) {
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
                    self.brought |= set(after);
                    is_next_enum |= token.text == "enum";
                }
                (Kind::Word, name) => {
                    let is_variant = is_enum && matches!(before, "" | "," | "]");
                    let is_defined = matches!(before, "struct" | "enum" | "type" | "trait" | "mod" | "fn");
                    // A lower-case name alone is a variable; a module is followed by what it holds.
                    let is_path = after == "::" || name.starts_with(char::is_uppercase);
                    let is_member = matches!(before, "." | "::") || after == ":";
                    if is_path && !is_variant && !is_defined && !is_member {
                        self.mentioned |= set(name);
                    }
                }
                (Kind::Open, _) => {
                    // What attributes say is no path of the file, and tables bring what they mention.
                    if before != "#" && (before != "!" || token.text != "{") {
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
    fn read_use(&mut self, tokens: &[Token<'_>], mut index: usize) -> usize {
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
                    self.brought |= modules.last().map_or(0, |module| set(module));
                }
                (Kind::Word, name) if after != "as" && name != "as" => {
                    self.brought |= set(name);
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
    fn every_name_has_a_bit() {
        let count: usize = KNOWN.iter().map(|(_, names)| names.len() + 1).sum();
        assert!(count <= 128, "{count}");
    }

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
