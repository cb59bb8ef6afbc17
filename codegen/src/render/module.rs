//! Code that is included as a module of another crate: its paths, and its root without attributes of its own.

use proc_macro2::{Ident, Spacing, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Attribute, Item, parse_quote};

/// Makes `crate::models` mean `models` of the module at the path `module`, `crate::api`.
pub(super) fn move_into(file: &mut syn::File, module: &str) -> syn::Result<()> {
    let module: TokenStream = module.parse()?;
    *file = syn::parse2(moved(file.to_token_stream(), &module))?;
    Ok(())
}

fn moved(tokens: TokenStream, module: &TokenStream) -> TokenStream {
    let mut tokens = tokens.into_iter().peekable();
    let mut result = TokenStream::new();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Group(group) => {
                let mut inside = proc_macro2::Group::new(group.delimiter(), moved(group.stream(), module));
                inside.set_span(group.span());
                result.extend([TokenTree::Group(inside)]);
            }
            // `pub(crate)` is the whole crate still.
            TokenTree::Ident(ident) if is_root(&ident, tokens.peek()) => result.extend(module.clone()),
            token => result.extend([token]),
        }
    }
    result
}

fn is_root(ident: &Ident, next: Option<&TokenTree>) -> bool {
    let is_path =
        matches!(next, Some(TokenTree::Punct(punct)) if punct.as_char() == ':' && punct.spacing() == Spacing::Joint);
    is_path && ident == "crate"
}

/// The same for a file of the runtime, whose texts and comments have no such path that means something else.
pub(super) fn text_moved(text: &str, module: &str) -> String {
    text.replace("crate::", &format!("{module}::"))
}

/// Takes away what `include!` cannot stand in front of items. What the attributes said of all is said of each item, and what
/// only a module can be blamed for: it may be called like one in it, and need not be used as a whole.
pub(super) fn make_includable(root: &mut syn::File) {
    root.attrs.clear();
    let allow: Attribute = parse_quote!(
        #[allow(clippy::module_inception, dead_code, deprecated, reason = "its crate names it and uses what it needs")]
    );
    for item in &mut root.items {
        match item {
            Item::Mod(item) => item.attrs.push(allow.clone()),
            Item::Const(item) => item.attrs.push(allow.clone()),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_of_the_crate_move() {
        let mut file: syn::File = parse_quote! {
            use crate::models::{self, Pet};

            pub(crate) fn text() -> crate::runtime::Text {
                "crate::models".into()
            }
        };
        move_into(&mut file, "crate::api").unwrap();
        let expected: syn::File = parse_quote! {
            use crate::api::models::{self, Pet};

            pub(crate) fn text() -> crate::api::runtime::Text {
                "crate::models".into()
            }
        };
        assert_eq!(file.to_token_stream().to_string(), expected.to_token_stream().to_string());
    }
}
