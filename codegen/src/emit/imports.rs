//! The `use` lines of a file, found from the names it mentions.

use std::collections::BTreeSet;

use quote::format_ident;
use syn::visit::Visit;
use syn::{Item, Path, UseTree};

/// The names that emitted code may mention without saying where they are from, by module.
const KNOWN: &[(&str, &[&str])] = &[
    ("std", &["fmt"]),
    ("std::borrow", &["Cow"]),
    ("std::collections", &["BTreeMap"]),
    ("std::net", &["Ipv4Addr", "Ipv6Addr"]),
    ("std::str", &["FromStr"]),
    ("bytes", &["Bytes"]),
    ("jiff", &["SpanFieldwise", "Timestamp"]),
    ("jiff::civil", &["Date", "DateTime", "Time"]),
    ("rust_decimal", &["Decimal"]),
    ("uuid", &["Uuid"]),
    ("crate", &["models"]),
    ("crate::runtime", &["json", "text"]),
    (
        "crate::runtime::json",
        &["Base64", "Entries", "Kind", "Maybe", "Member", "Members", "Read", "Reader", "Write", "Writer"],
    ),
    ("crate::runtime::parameter", &["FromParameter", "Notes", "Raw", "Shape", "ToParameter"]),
    ("crate::runtime::rule", &["Bound", "Pattern", "Rule"]),
    ("crate::runtime::text", &["FromText", "Refusal", "ToText"]),
    ("crate::runtime::unknown", &["Unknown"]),
];

/// Puts the `use` lines that a file lacks in front of its items.
pub(crate) fn add(file: &mut syn::File) {
    let mut names = Names::default();
    names.visit_file(file);

    let uses: Vec<Item> = KNOWN
        .iter()
        .filter_map(|(module, known)| {
            let module: Path = syn::parse_str(module).ok()?;
            let needed: Vec<_> =
                known.iter().filter(|name| names.lack(name)).map(|name| format_ident!("{name}")).collect();
            match needed.as_slice() {
                [] => None,
                [name] => Some(syn::parse_quote!(use #module::#name;)),
                _ => Some(syn::parse_quote!(use #module::{#(#needed),*};)),
            }
        })
        .collect();
    file.items.splice(0..0, uses);
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
            if path.segments.len() > 1 || name.starts_with(char::is_uppercase) {
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
