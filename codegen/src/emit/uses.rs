//! Names of the runtime as a person would write them: `client::Call` becomes `Call`, with a `use` line for it, unless
//! the file has a `Call` of its own. Functions keep their module.

use std::collections::BTreeSet;

use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{format_ident, quote};

/// Shortens the names of a file that are from `module` of the runtime, and finds those in `bare`, which the emitters
/// that both crates share write without it.
pub(crate) fn shorten(file: TokenStream, module: &str, bare: &[&str]) -> TokenStream {
    let mut own = BTreeSet::new();
    defined(file.clone(), &mut own);

    let mut uses = Uses { module, bare, own, names: BTreeSet::new() };
    let (doc, items) = split_doc(file);
    let items = uses.rewrite(items);
    let names = uses.names.iter().map(|name| format_ident!("{name}"));
    let module = format_ident!("{module}");
    let uses = match uses.names.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        [] => None,
        ["self"] => Some(quote!(use crate::runtime::#module;)),
        [_] => Some(quote!(use crate::runtime::#module::#(#names)*;)),
        _ => Some(quote!(use crate::runtime::#module::{#(#names),*};)),
    };
    quote!(#doc #uses #items)
}

struct Uses<'a> {
    module: &'a str,
    bare: &'a [&'a str],
    own: BTreeSet<String>,
    names: BTreeSet<String>,
}

impl Uses<'_> {
    fn rewrite(&mut self, tokens: TokenStream) -> TokenStream {
        let tokens: Vec<_> = tokens.into_iter().collect();
        let mut written = Vec::with_capacity(tokens.len());
        let mut index = 0;
        let mut variants = false;
        while let Some(token) = tokens.get(index) {
            // One colon stands before the type of a field.
            let qualified = index > 1 && is_colon(&tokens[index - 1]) && is_colon(&tokens[index - 2]);
            match token {
                TokenTree::Group(group) => {
                    let is_enum = std::mem::take(&mut variants) && group.delimiter() == Delimiter::Brace;
                    let inner =
                        if is_enum { self.rewrite_variants(group.stream()) } else { self.rewrite(group.stream()) };
                    written.push(TokenTree::Group(Group::new(group.delimiter(), inner)));
                }
                TokenTree::Ident(ident) if ident == self.module && !qualified => match name_after(&tokens[index..]) {
                    Some(name) if is_type(&name) && !self.own.contains(&name.to_string()) => {
                        self.names.insert(name.to_string());
                        written.push(TokenTree::Ident(name));
                        // `client`, `:`, `:` and the name.
                        index += 3;
                    }
                    Some(_) => {
                        self.names.insert("self".to_owned());
                        written.push(token.clone());
                    }
                    None => written.push(token.clone()),
                },
                TokenTree::Ident(ident) if !qualified && self.bare.iter().any(|name| ident == name) => {
                    if !self.own.contains(&ident.to_string()) {
                        self.names.insert(ident.to_string());
                    }
                    written.push(token.clone());
                }
                TokenTree::Ident(ident) => {
                    variants |= ident == "enum";
                    written.push(token.clone());
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => written.push(token.clone()),
            }
            index += 1;
        }
        written.into_iter().collect()
    }

    /// A variant that is named like a type does not mention it; what it holds may.
    fn rewrite_variants(&mut self, variants: TokenStream) -> TokenStream {
        let rewritten = variants.into_iter().map(|token| match token {
            TokenTree::Group(group) => TokenTree::Group(Group::new(group.delimiter(), self.rewrite(group.stream()))),
            TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => token,
        });
        rewritten.collect()
    }
}

fn is_type(name: &Ident) -> bool {
    name.to_string().starts_with(char::is_uppercase)
}

/// The name of `client::Name`.
fn name_after(tokens: &[TokenTree]) -> Option<Ident> {
    match tokens {
        [_, first, second, TokenTree::Ident(name), ..] if is_colon(first) && is_colon(second) => {
            Some(Ident::new(&name.to_string(), Span::call_site()))
        }
        _ => None,
    }
}

fn is_colon(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == ':')
}

/// The types that a file defines or passes on.
fn defined(tokens: TokenStream, own: &mut BTreeSet<String>) {
    let mut keyword = false;
    let mut passed_on = false;
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => {
                let text = ident.to_string();
                if keyword || passed_on {
                    own.insert(text.clone());
                }
                keyword = matches!(text.as_str(), "struct" | "enum" | "type" | "trait");
                passed_on |= text == "use";
            }
            TokenTree::Group(group) => {
                if passed_on || group.delimiter() == Delimiter::Brace {
                    defined_in(group.stream(), passed_on, own);
                }
                keyword = false;
            }
            TokenTree::Punct(punct) => {
                keyword = false;
                passed_on &= punct.as_char() != ';';
            }
            TokenTree::Literal(_) => keyword = false,
        }
    }
}

/// The names in the braces of a `use`; other braces define nothing that others see.
fn defined_in(tokens: TokenStream, passed_on: bool, own: &mut BTreeSet<String>) {
    if passed_on {
        own.extend(tokens.into_iter().filter_map(|token| match token {
            TokenTree::Ident(ident) => Some(ident.to_string()),
            TokenTree::Group(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => None,
        }));
    }
}

/// The inner attributes at the top of a file, and the rest.
pub(super) fn split_doc(file: TokenStream) -> (TokenStream, TokenStream) {
    let tokens: Vec<_> = file.into_iter().collect();
    let is = |index: usize, character: char| matches!(tokens.get(index), Some(TokenTree::Punct(punct)) if punct.as_char() == character);
    let mut end = 0;
    while is(end, '#') && is(end + 1, '!') {
        end += 3;
    }
    let items = tokens[end..].iter().cloned().collect();
    (tokens[..end].iter().cloned().collect(), items)
}
