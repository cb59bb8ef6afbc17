//! `#(#names),*`

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{format_ident, quote};

/// What is repeated.
pub(crate) struct Repetition {
    pub(crate) body: TokenStream,
    pub(crate) between: TokenStream,
}

impl Repetition {
    /// A loop that runs `body` for every item, and `between` in between.
    pub(crate) fn looped(&self, between: &TokenStream, body: &TokenStream) -> TokenStream {
        let mut names = Vec::new();
        find(self.body.clone(), &mut names);
        assert!(!names.is_empty(), "nothing in a repetition can iterate");

        let ends: Vec<_> = names.iter().map(|name| format_ident!("{name}_ends")).collect();
        quote!({
            use ::printing::repeat::{OfIterator as _, OfList as _, OfOne as _};
            #(let (mut #names, #ends) = #names.repeated();)*
            let _: ::printing::repeat::Ends = #(#ends)|*;
            let mut is_first = true;
            loop {
                #(let Some(#names) = #names.next() else { break };)*
                if !is_first {
                    #between
                }
                is_first = false;
                #body
            }
        })
    }
}

/// The names behind `#`.
fn find(body: TokenStream, names: &mut Vec<Ident>) {
    let mut body = body.into_iter().peekable();
    while let Some(token) = body.next() {
        match token {
            TokenTree::Punct(sign) if sign.as_char() == '#' => {
                if let Some(TokenTree::Ident(name)) = body.peek()
                    && !names.contains(name)
                {
                    names.push(name.clone());
                }
            }
            TokenTree::Group(group) => find(group.stream(), names),
            TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}
