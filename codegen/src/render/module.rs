//! A crate's code as the module of another crate, which a build script generates.

use proc_macro2::{Group, TokenStream, TokenTree};
use syn::{Attribute, Item, parse_quote};

/// `crate::models` as the module at `path` writes it: `crate::api::models`.
pub(super) fn moved(code: TokenStream, path: &TokenStream) -> TokenStream {
    let mut moved = TokenStream::new();
    let mut code = code.into_iter().peekable();
    while let Some(token) = code.next() {
        match token {
            TokenTree::Group(group) => {
                let inner = self::moved(group.stream(), path);
                moved.extend([TokenTree::from(Group::new(group.delimiter(), inner))]);
            }
            // `pub(crate)` is the whole crate still.
            TokenTree::Ident(word) if word == "crate" && is_colon(code.peek()) => moved.extend(path.clone()),
            token => moved.extend([token]),
        }
    }
    moved
}

pub(super) fn is_colon(token: Option<&TokenTree>) -> bool {
    matches!(token, Some(TokenTree::Punct(sign)) if sign.as_char() == ':')
}

/// Takes the inner attributes away, which an included file cannot have, and allows in each module what they allowed and
/// what a crate may do, but a module may not.
pub(super) fn make_includable(root: &mut syn::File) {
    root.attrs.clear();
    let of_crate: Attribute =
        parse_quote!(#[allow(dead_code, unused_imports, reason = "its crate uses what it needs")]);
    let of_description: Attribute = parse_quote!(#[allow(clippy::module_inception, clippy::too_many_lines, deprecated, reason = "so it is described")]);
    for item in &mut root.items {
        if let Item::Mod(syn::ItemMod { attrs, .. }) | Item::Const(syn::ItemConst { attrs, .. }) = item {
            attrs.extend([of_crate.clone(), of_description.clone()]);
        }
    }
}

#[cfg(test)]
mod tests {
    use quote::quote;

    #[test]
    fn only_paths_of_the_crate_move() {
        let code = quote!(
            use crate::models::{self, Pet};
            pub(crate) fn text() -> crate::runtime::Text {
                "crate::models".into()
            }
        );
        let expected = quote!(
            use crate::api::models::{self, Pet};
            pub(crate) fn text() -> crate::api::runtime::Text {
                "crate::models".into()
            }
        );
        assert_eq!(super::moved(code, &quote!(crate::api)).to_string(), expected.to_string());
    }
}
