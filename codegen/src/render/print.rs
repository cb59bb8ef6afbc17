//! A parsed file as text: its items by prettyplease, and the blank lines between them.

use std::fmt::Write as _;

use syn::{Attribute, Item};

use super::imports;

/// The text of a file.
pub(super) fn file(file: syn::File) -> String {
    let (docs, others): (Vec<_>, Vec<_>) =
        file.attrs.into_iter().partition(|attribute| attribute.path().is_ident("doc"));
    let mut text = String::new();
    for attributes in [docs, others].into_iter().filter(|attributes| !attributes.is_empty()) {
        let _ = write!(text, "{}\n\n", plain(attributes, Vec::new()).trim_end());
    }
    let mut before = None;
    for item in file.items {
        let line = line(&item);
        let has_members = matches!(item, Item::Impl(_) | Item::Trait(_));
        if before.is_some_and(|before| line.is_none() || before != line) {
            text.push('\n');
        }
        let item = plain(Vec::new(), vec![item]);
        if has_members {
            members_apart(&item, &mut text);
        } else {
            text.push_str(&item);
        }
        before = Some(line);
    }
    text
}

fn plain(attrs: Vec<Attribute>, items: Vec<Item>) -> String {
    prettyplease::unparse(&syn::File { shebang: None, frontmatter: None, attrs, items })
}

/// Lines of one kind stand below each other without a blank line.
#[derive(PartialEq)]
enum Line {
    Use(Option<u8>),
    Module,
    Impl,
}

fn line(item: &Item) -> Option<Line> {
    match item {
        Item::Use(_) => Some(Line::Use(imports::origin(item))),
        Item::Mod(module) if module.content.is_none() => Some(Line::Module),
        Item::Impl(impl_) if impl_.items.is_empty() => Some(Line::Impl),
        _ => None,
    }
}

/// Adds a trait or an `impl`, with a blank line after each member, except between members of one line.
fn members_apart(item: &str, text: &mut String) {
    let is_line = |line: &str| line.starts_with("    type ") || line.starts_with("    const ");
    let mut lines = item.lines().peekable();
    while let Some(line) = lines.next() {
        text.push_str(line);
        text.push('\n');
        let is_member = line.starts_with("    ") && !line.starts_with("     ") && !line.starts_with("    //");
        let Some(next) = lines.peek().filter(|_| is_member && line.ends_with([';', '}'])) else { continue };
        let is_block = is_line(line) && is_line(next);
        if !next.starts_with('}') && !is_block {
            text.push('\n');
        }
    }
}
