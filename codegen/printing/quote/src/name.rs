//! Names that may be from elsewhere, which the macro `origin!` of the crate that quotes them says.

use proc_macro2::{Ident, Spacing, Span, TokenStream, TokenTree};
use quote::quote;

use crate::spacing::End;

/// What the prelude of Rust brings, and so nobody else.
const PRELUDE: &[&str] = &[
    "Box",
    "Clone",
    "Default",
    "Drop",
    "Eq",
    "Err",
    "Fn",
    "FnMut",
    "FnOnce",
    "From",
    "Future",
    "Into",
    "IntoIterator",
    "Iterator",
    "None",
    "Ok",
    "Option",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Result",
    "Self",
    "Send",
    "Sized",
    "Some",
    "String",
    "Sync",
    "ToOwned",
    "ToString",
    "TryFrom",
    "TryInto",
    "Vec",
];

/// A name as `origin!` is asked for it: `Read`, `json::Value`, or `models::` in front of a value.
pub(crate) struct Name {
    pub(crate) origin: TokenStream,
    /// About how long its text is.
    pub(crate) length: usize,
    /// What it ends with.
    pub(crate) end: End,
}

/// The name that begins with `word`, and how many of the tokens behind it are of it.
pub(crate) fn at(word: &str, rest: &[TokenTree]) -> Option<(Name, usize)> {
    let is_path = is_separator(rest);
    let is_type = word.starts_with(char::is_uppercase);
    if is_type {
        let is_field = matches!(rest, [TokenTree::Punct(sign), ..] if sign.as_char() == ':' && !is_path);
        let is_foreign = PRELUDE.contains(&word) || word.len() == 1 || is_field;
        let word = ident(word);
        return (!is_foreign).then(|| (Name { origin: quote!(#word), length: 32, end: End::Word }, 0));
    }
    if !is_path || matches!(word, "crate" | "self" | "super" | "std") {
        return None;
    }
    let word = ident(word);
    let (origin, end, length) = match &rest[2..] {
        [TokenTree::Ident(name), ..] => (quote!(#word::#name), End::Word, 3),
        _ => (quote!(#word::), End::Joint, 2),
    };
    Some((Name { origin, length: 32, end }, length))
}

fn ident(word: &str) -> Ident {
    Ident::new(word, Span::call_site())
}

/// `::` follows.
fn is_separator(rest: &[TokenTree]) -> bool {
    let is_colon = |token: &TokenTree| matches!(token, TokenTree::Punct(sign) if sign.as_char() == ':');
    match rest {
        [first @ TokenTree::Punct(sign), second, ..] => {
            is_colon(first) && sign.spacing() == Spacing::Joint && is_colon(second)
        }
        _ => false,
    }
}

/// What stands before a token.
#[derive(Clone, Copy, Default, PartialEq)]
enum Last {
    /// Nothing, or a group.
    #[default]
    Start,
    /// A keyword that a new name follows.
    Definition,
    /// A value, a literal, or any other word or sign.
    Other,
    Comma,
    /// `.`, `::`, or the quote of a lifetime.
    Link,
    /// The first half of `::`.
    Colon,
    /// `#`, or `#!`.
    Attribute,
}

/// What stands before a token.
#[derive(Clone, Copy, Default)]
pub(crate) struct Before {
    last: Last,
    /// A `use` has begun, which says itself where names are from.
    is_use: bool,
}

impl Before {
    /// Passes over a token.
    pub(crate) fn goes_on(&mut self, token: &TokenTree) {
        self.last = match token {
            TokenTree::Group(_) => Last::Start,
            TokenTree::Literal(_) => Last::Other,
            // `'static` defines nothing.
            TokenTree::Ident(_) if self.last == Last::Link => Last::Other,
            TokenTree::Ident(word) => {
                let word = word.to_string();
                self.is_use |= word == "use";
                match word.as_str() {
                    "struct" | "enum" | "type" | "trait" | "mod" | "fn" | "const" | "static" => Last::Definition,
                    _ => Last::Other,
                }
            }
            TokenTree::Punct(sign) => match sign.as_char() {
                ';' => {
                    self.is_use = false;
                    Last::Other
                }
                ',' => Last::Comma,
                '.' | '\'' => Last::Link,
                ':' if self.last == Last::Colon => Last::Link,
                ':' if sign.spacing() == Spacing::Joint => Last::Colon,
                '#' => Last::Attribute,
                '!' if self.last == Last::Attribute => Last::Attribute,
                _ => Last::Other,
            },
        };
    }

    /// Passes over a value, or a name that has been seen.
    pub(crate) fn pass(&mut self) {
        self.last = Last::Other;
    }

    /// A path may begin here.
    pub(crate) fn is_path(self) -> bool {
        !self.is_use && !matches!(self.last, Last::Definition | Last::Link)
    }

    /// A variant of an enum may begin here.
    pub(crate) fn may_be_variant(self) -> bool {
        matches!(self.last, Last::Start | Last::Comma)
    }

    /// The group that follows is an attribute, or of a `use`.
    pub(crate) fn holds_words(self) -> bool {
        self.is_use || self.last == Last::Attribute
    }
}
