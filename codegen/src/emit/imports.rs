//! The `use` lines of a file, found from the names it mentions.

use std::collections::BTreeSet;

use quote::ToTokens;
use syn::visit::Visit;
use syn::{Item, Path, UseTree, Visibility};

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

/// Puts the `use` lines that a file lacks in front of its items, and all of them in order.
pub(crate) fn add(file: &mut syn::File) {
    let mut names = Names::default();
    names.visit_file(file);

    let items = std::mem::take(&mut file.items);
    let (mut uses, rest): (Vec<_>, Vec<_>) = items
        .into_iter()
        .partition(|item| matches!(item, Item::Use(item) if matches!(item.vis, Visibility::Inherited)));
    uses.extend(KNOWN.iter().filter_map(|(module, known)| use_line(module, known, &names)));
    uses.sort_by_key(order);
    file.items = uses.into_iter().chain(rest).collect();
}

/// `use crate::runtime::json::{self, Read};`, or nothing when none of the names is needed.
fn use_line(path: &str, known: &[&str], names: &Names) -> Option<Item> {
    // Other crates need no line to be mentioned.
    let module = path.rsplit_once("::").map(|(_, module)| module).filter(|module| names.lack(module));
    let needed: Vec<_> = known.iter().copied().filter(|name| names.lack(name)).collect();
    let line = match (module, needed.as_slice()) {
        (None, []) => return None,
        (Some(_), []) => format!("use {path};"),
        (None, [name]) => format!("use {path}::{name};"),
        (None, names) => format!("use {path}::{{{}}};", names.join(", ")),
        (Some(_), names) => format!("use {path}::{{self, {}}};", names.join(", ")),
    };
    syn::parse_str(&line).ok()
}

/// The standard library, other crates, this crate; then by name.
fn order(item: &Item) -> (u8, String) {
    let text = item.to_token_stream().to_string().replace(' ', "");
    let origin = match text.trim_start_matches("use").split("::").next() {
        Some("std") => 0,
        Some("crate" | "self" | "super") => 2,
        _ => 1,
    };
    (origin, text)
}

/// What a file mentions, and what it brings itself.
#[derive(Default)]
struct Names {
    mentioned: BTreeSet<String>,
    brought: BTreeSet<String>,
}

impl Names {
    fn lack(&self, name: &str) -> bool {
        self.mentioned.contains(name) && !self.brought.contains(name)
    }
}

impl<'ast> Visit<'ast> for Names {
    fn visit_path(&mut self, path: &'ast Path) {
        // A lower-case name alone is a variable; a module is followed by what it holds.
        if let Some(first) = path.segments.first().filter(|_| path.leading_colon.is_none()) {
            let name = first.ident.to_string();
            if path.segments.len() > 1 || name.starts_with(char::is_uppercase) || name.contains('_') {
                self.mentioned.insert(name);
            }
        }
        syn::visit::visit_path(self, path);
    }

    fn visit_use_tree(&mut self, tree: &'ast UseTree) {
        match tree {
            UseTree::Name(name) => self.brought.insert(name.ident.to_string()),
            UseTree::Rename(rename) => self.brought.insert(rename.rename.to_string()),
            _ => false,
        };
        syn::visit::visit_use_tree(self, tree);
    }

    fn visit_use_path(&mut self, path: &'ast syn::UsePath) {
        // `use crate::runtime::server::{self, Body};` brings the module too.
        if let UseTree::Group(group) = &*path.tree
            && group.items.iter().any(|item| matches!(item, UseTree::Name(name) if name.ident == "self"))
        {
            self.brought.insert(path.ident.to_string());
        }
        syn::visit::visit_use_path(self, path);
    }

    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        self.brought.insert(item.ident.to_string());
        syn::visit::visit_item_struct(self, item);
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        self.brought.insert(item.ident.to_string());
        syn::visit::visit_item_enum(self, item);
    }

    fn visit_item_type(&mut self, item: &'ast syn::ItemType) {
        self.brought.insert(item.ident.to_string());
        syn::visit::visit_item_type(self, item);
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        self.brought.insert(item.ident.to_string());
        syn::visit::visit_item_trait(self, item);
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        self.brought.insert(item.ident.to_string());
        syn::visit::visit_item_mod(self, item);
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
