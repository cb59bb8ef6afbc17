//! Tokens → code without layout.

use std::fmt::Write as _;

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

/// The tokens with no more between them than keeps them apart.
pub(super) fn text(tokens: TokenStream) -> String {
    let mut text = String::with_capacity(4096);
    append(tokens, &mut text);
    text
}

fn append(tokens: TokenStream, text: &mut String) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => ("", ""),
                };
                text.push_str(open);
                let inside = group.stream();
                // Otherwise every token of the group would be copied.
                drop(group);
                append(inside, text);
                text.push_str(close);
            }
            TokenTree::Ident(ident) => {
                let _ = write!(text, "{ident} ");
            }
            TokenTree::Punct(punct) => {
                text.push(punct.as_char());
                if punct.spacing() == Spacing::Alone {
                    text.push(' ');
                }
            }
            TokenTree::Literal(literal) => {
                let _ = write!(text, "{literal} ");
            }
        }
    }
}
