//! The `use` lines of a file: which names it writes without a path, and where they are from.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use quote::ToTokens as _;
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};
use syn::{Attribute, Item, Macro, Path, Token, UseTree, Visibility};

use crate::emit::prelude;

/// Adds the lines in front of the items. What only items with a `#[cfg]` need is imported with that attribute.
pub(super) fn add(file: &mut syn::File, placed: impl Fn(&str) -> String) {
    let mut imports = Imports { own: own(&file.items), paths: BTreeSet::new() };
    let mut groups: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for item in &mut file.items {
        imports.visit_item_mut(item);
        groups.entry(condition(item)).or_default().append(&mut imports.paths);
    }
    // A name can be imported only once.
    let mut always = groups.remove("").unwrap_or_default();
    let mut seen = BTreeSet::new();
    always.extend(groups.values().flatten().filter(|path| !seen.insert(*path)).cloned());
    for paths in groups.values_mut() {
        paths.retain(|path| !always.contains(path));
    }
    groups.insert(String::new(), always);

    let lines = groups.iter().flat_map(|(condition, paths)| lines(condition, paths, &placed));
    let added: Vec<_> = lines.filter_map(|line| syn::parse_str::<Item>(&line).ok()).collect();
    let (mut uses, rest): (Vec<_>, Vec<_>) =
        std::mem::take(&mut file.items).into_iter().partition(|item| origin(item).is_some());
    uses.extend(added);
    uses.sort_by_cached_key(|item| (origin(item), item.to_token_stream().to_string()));
    file.items = uses;
    file.items.extend(rest);
}

/// Where a private `use` line imports from: the standard library, other crates, this crate; last, lines with a `#[cfg]`.
pub(super) fn origin(item: &Item) -> Option<u8> {
    let Item::Use(item) = item else { return None };
    if !matches!(item.vis, Visibility::Inherited) {
        return None;
    }
    let UseTree::Path(path) = &item.tree else { return Some(1) };
    Some(match path.ident.to_string().as_str() {
        _ if !item.attrs.is_empty() => 3,
        "std" => 0,
        "crate" | "self" | "super" => 2,
        _ => 1,
    })
}

/// Collects the full paths of imported names.
struct Imports {
    /// Types and modules that the file defines, or imports by a `use` line of its own.
    own: HashSet<String>,
    paths: BTreeSet<String>,
}

impl VisitMut for Imports {
    fn visit_path_mut(&mut self, path: &mut Path) {
        visit_mut::visit_path_mut(self, path);
        let mut segments = path.segments.iter().map(|segment| segment.ident.to_string());
        let Some(first) = segments.next().filter(|_| path.leading_colon.is_none()) else { return };
        let second = segments.next();
        let is_name = second.is_some() || is_type(&first);
        let Some(module) = prelude::module_of(&first).filter(|_| is_name && !self.own.contains(&first)) else { return };
        let loses_module = |name: &String| is_type(name) && !self.own.contains(name);
        if prelude::UNQUALIFIED.contains(&first.as_str())
            && let Some(second) = second.filter(loses_module)
        {
            path.segments = std::mem::take(&mut path.segments).into_iter().skip(1).collect();
            self.paths.insert(format!("{module}::{first}::{second}"));
        } else {
            self.paths.insert(format!("{module}::{first}"));
        }
    }

    fn visit_attribute_mut(&mut self, attribute: &mut Attribute) {
        // Of all attributes, only this one has paths of types.
        if attribute.path().is_ident("derive")
            && let Ok(derives) = attribute.parse_args_with(Punctuated::<Path, Token![,]>::parse_terminated)
        {
            derives.into_iter().for_each(|mut path| self.visit_path_mut(&mut path));
        }
    }

    fn visit_macro_mut(&mut self, macro_: &mut Macro) {
        if let Some(name) = macro_.path.get_ident().map(ToString::to_string)
            && let Some(module) = prelude::module_of(&name)
        {
            self.paths.insert(format!("{module}::{name}"));
        }
    }

    fn visit_visibility_mut(&mut self, _: &mut Visibility) {}
}

fn is_type(name: &str) -> bool {
    name.starts_with(char::is_uppercase)
}

fn own(items: &[Item]) -> HashSet<String> {
    let mut own = HashSet::new();
    for item in items {
        let ident = match item {
            Item::Struct(item) => &item.ident,
            Item::Enum(item) => &item.ident,
            Item::Type(item) => &item.ident,
            Item::Trait(item) => &item.ident,
            Item::Mod(item) => &item.ident,
            Item::Use(item) => {
                imported(&item.tree, "", &mut own);
                continue;
            }
            _ => continue,
        };
        own.insert(ident.to_string());
    }
    own
}

/// The names that a `use` imports from `module`.
fn imported(tree: &UseTree, module: &str, names: &mut HashSet<String>) {
    match tree {
        UseTree::Path(path) => imported(&path.tree, &path.ident.to_string(), names),
        UseTree::Name(name) if name.ident == "self" => drop(names.insert(module.to_owned())),
        UseTree::Name(name) => drop(names.insert(name.ident.to_string())),
        UseTree::Rename(rename) => drop(names.insert(rename.rename.to_string())),
        UseTree::Group(group) => group.items.iter().for_each(|tree| imported(tree, module, names)),
        UseTree::Glob(_) => {}
    }
}

/// The text of the attribute `#[cfg(…)]` of an item; empty when it has none.
fn condition(item: &Item) -> String {
    let attributes = match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => return String::new(),
    };
    let cfg = attributes.iter().find(|attribute| attribute.path().is_ident("cfg"));
    cfg.map_or_else(String::new, |attribute| attribute.to_token_stream().to_string())
}

/// `use crate::runtime::json::{self, Read};` for each module, with `attribute` in front.
fn lines(attribute: &str, paths: &BTreeSet<String>, placed: impl Fn(&str) -> String) -> Vec<String> {
    let mut modules: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for path in paths {
        let Some((module, name)) = path.rsplit_once("::") else { continue };
        let (module, name) = if is_type(name) { (module, name) } else { (path.as_str(), "self") };
        modules.entry(placed(module)).or_default().push(name);
    }
    let line = |(module, mut names): (String, Vec<&str>)| {
        names.sort_by_key(|name| (*name != "self", *name));
        match names.as_slice() {
            ["self"] => format!("{attribute} use {module};"),
            [name] => format!("{attribute} use {module}::{name};"),
            names => format!("{attribute} use {module}::{{{}}};", names.join(", ")),
        }
    };
    modules.into_iter().map(line).collect()
}
