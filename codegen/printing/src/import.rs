//! Names that say where they are from, and the `use` lines that a file needs for them.
//!
//! In the text of tokens such a name is its whole path between two marks.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::file::{after_attributes, after_visibility};
use crate::lexer::{Kind, Token};

/// Around the path of a name that is written by its last part.
pub(crate) const NAME: u8 = 1;

/// Around the path of a name that is written with its module: a type loses it, unless the file has one of the same name.
pub(crate) const IN_MODULE: u8 = 2;

/// What `origin!` says of a name that is from elsewhere: its path. The file gets a `use` line for it.
#[macro_export]
macro_rules! import {
    ($($path:tt)*) => {
        concat!("\u{1}", $(stringify!($path)),*, "\u{1}")
    };
}

/// The same of a name that is written with its module, `client::Call`.
#[macro_export]
macro_rules! import_in_module {
    ($($path:tt)*) => {
        concat!("\u{2}", $(stringify!($path)),*, "\u{2}")
    };
}

/// What `origin!` says of all other names.
#[macro_export]
macro_rules! as_written {
    ($($name:tt)*) => {
        concat!($(stringify!($name)),*)
    };
}

/// Where the first parts of paths are: `("crate", "crate::api")`.
pub type Places<'a> = &'a [(&'a str, &'a str)];

/// How the path is written where nothing else has its name.
pub(crate) fn written(mark: u8, path: &str) -> &str {
    let name = last(path, 1);
    if mark == NAME || name.starts_with(char::is_uppercase) { name } else { last(path, 2) }
}

/// The last parts of a path.
fn last(path: &str, count: usize) -> &str {
    path.rmatch_indices("::").nth(count - 1).map_or(path, |(index, _)| &path[index + 2..])
}

/// The path at a token, with its mark.
pub(crate) fn path<'a>(code: &'a str, token: &Token<'_>) -> Option<(u8, &'a str)> {
    let mark = *code.as_bytes().get(token.start)?;
    if mark != NAME && mark != IN_MODULE {
        return None;
    }
    let path = &code[token.start + 1..];
    Some((mark, &path[..path.find(char::from(mark))?]))
}

/// The lines for what the items import. What only such items import as are compiled with a feature is brought with it.
pub(crate) fn lines<'a>(
    code: &'a str,
    tokens: &mut [Token<'a>],
    items: &[Range<usize>],
    places: Places<'_>,
) -> Vec<String> {
    let own = own(tokens, items);
    let mut always = Vec::new();
    let mut gated: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for item in items {
        // It says itself where names are from.
        if tokens[keyword(tokens, item)].text == "use" {
            continue;
        }
        let mut imported = Vec::new();
        let mut index = item.start;
        while index < item.end {
            let token = &mut tokens[index];
            if let Some((mark, path)) = path(code, token) {
                match own.contains(&last(path, 1)) {
                    false if token.text.contains("::") => insert(&mut imported, module(path)),
                    false => insert(&mut imported, path),
                    true if mark == NAME => {}
                    true => {
                        token.text = last(path, 2);
                        insert(&mut imported, module(path));
                    }
                }
            }
            // A macro with braces brings what stands in them.
            let is_table = token.text == "!" && tokens[index + 1].text == "{";
            index = if is_table { tokens[index + 1].mate } else { index + 1 };
        }
        match condition(code, tokens, item.start) {
            None => imported.into_iter().for_each(|path| insert(&mut always, path)),
            Some(condition) => {
                // A name can be brought only once.
                for path in imported {
                    let is_elsewhere = gated.iter().any(|(other, paths)| *other != condition && paths.contains(&path));
                    insert(if is_elsewhere { &mut always } else { gated.entry(condition).or_default() }, path);
                }
            }
        }
    }
    let mut lines = use_lines("", &always, places);
    for (condition, mut paths) in gated {
        paths.retain(|path| !always.contains(path));
        lines.extend(use_lines(condition, &paths, places));
    }
    lines
}

fn insert<'a>(paths: &mut Vec<&'a str>, path: &'a str) {
    if !paths.contains(&path) {
        paths.push(path);
    }
}

fn module(path: &str) -> &str {
    path.rsplit_once("::").map_or(path, |(module, _)| module)
}

/// `use crate::runtime::json::{self, Read};` for each module, with `attribute` in front.
fn use_lines(attribute: &str, paths: &[&str], places: Places<'_>) -> Vec<String> {
    let mut modules: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for &path in paths {
        let (module, name) = match last(path, 1) {
            name if name.starts_with(char::is_uppercase) => (module(path), name),
            _ => (path, "self"),
        };
        modules.entry(placed(module, places)).or_default().push(name);
    }
    let line = |(path, mut names): (String, Vec<&str>)| {
        // `self` stands first.
        names.sort_unstable_by_key(|name| (*name != "self", *name));
        names.dedup();
        match names.as_slice() {
            ["self"] => format!("{attribute}use {path};"),
            [name] => format!("{attribute}use {path}::{name};"),
            names => format!("{attribute}use {path}::{{{}}};", names.join(", ")),
        }
    };
    modules.into_iter().map(line).collect()
}

fn placed(path: &str, places: Places<'_>) -> String {
    let (first, rest) = path.split_once("::").unwrap_or((path, ""));
    let place = places.iter().find(|(name, _)| *name == first).map_or(first, |(_, place)| place);
    if rest.is_empty() { place.to_owned() } else { format!("{place}::{rest}") }
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

/// The types and modules that the items of a file define, or bring by a `use` line of their own.
fn own<'a>(tokens: &[Token<'a>], items: &[Range<usize>]) -> Vec<&'a str> {
    let mut own = Vec::new();
    for item in items {
        let keyword = keyword(tokens, item);
        match tokens[keyword].text {
            "struct" | "enum" | "type" | "trait" | "mod" => own.push(tokens[keyword + 1].text),
            "use" => brought(&tokens[keyword + 1..item.end], &mut own),
            _ => {}
        }
    }
    own
}

/// What says which item it is.
fn keyword(tokens: &[Token<'_>], item: &Range<usize>) -> usize {
    after_visibility(tokens, after_attributes(tokens, item.start))
}

/// The names that a `use` brings.
fn brought<'a>(tokens: &[Token<'a>], own: &mut Vec<&'a str>) {
    let mut modules = Vec::new();
    let mut module = "";
    for (index, token) in tokens.iter().enumerate() {
        let after = tokens.get(index + 1).map_or("", |token| token.text);
        match (token.kind, token.text) {
            (Kind::Open, _) => modules.push(module),
            (Kind::Close, _) => {
                modules.pop();
            }
            (Kind::Word, name) if after == "::" => module = name,
            (Kind::Word, "self") => own.extend(modules.last()),
            (Kind::Word, name) if after != "as" && name != "as" => own.push(name),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{code, file, quote};

    #[test]
    fn names_bring_their_use_lines() {
        let tokens = quote!(impl Read for Pet { fn call() -> client::Call { client::call() } });
        let text = "use crate::runtime::client::{self, Call};\nuse crate::runtime::json::Read;\n\n\
                    impl Read for Pet {\n    fn call() -> Call {\n        client::call()\n    }\n}\n";
        assert_eq!(code(&tokens), text);
        assert_eq!(file(tokens.as_str(), &[("crate", "crate::api")]), text.replace("crate::", "crate::api::"));
        assert_eq!(quote!(Option<client::Call>).to_string(), "Option<Call>");
    }

    #[test]
    fn what_the_file_has_itself_is_not_brought() {
        let tokens = quote! {
            use others::Reader;
            pub struct Call(client::Call);
            pub enum Choice { Read(Call) }
            pub type Read = Reader;
        };
        let text = "use others::Reader;\n\nuse crate::runtime::client;\n\npub struct Call(client::Call);\n\n\
                    pub enum Choice {\n    Read(Call),\n}\n\npub type Read = Reader;\n";
        assert_eq!(code(&tokens), text);
    }

    #[test]
    fn what_only_a_feature_needs_comes_with_it() {
        let tokens = quote!(
            #[cfg(feature = "a")]
            impl Read for Pet {}
        );
        let gated = "#[cfg(feature = \"a\")]\n";
        assert_eq!(code(&tokens), format!("{gated}use crate::runtime::json::Read;\n{gated}impl Read for Pet {{}}\n"));
        let both = quote!(#tokens impl Read for Dog {});
        assert!(code(&both).starts_with("use crate::runtime::json::Read;\n"));
    }
}
