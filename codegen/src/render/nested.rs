//! A crate's files as the items of one module, which a macro expands to.

use std::collections::BTreeMap;

use proc_macro2::{Group, TokenStream, TokenTree};
use quote::{ToTokens as _, quote};
use syn::ext::IdentExt as _;
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, ExprMacro, Item, LitStr, Token, parse_quote};

use super::{File, module};

/// The items of the file at `root`, with the files of its modules inside them, `super` and `self` in place of `crate`, and
/// the text of the `included` files in place of `include_str!`.
pub(super) fn items(
    mut files: BTreeMap<String, syn::File>,
    root: &str,
    included: &[&File],
) -> syn::Result<TokenStream> {
    let mut file = files.remove(root).ok_or_else(|| missing(root))?;
    module::make_includable(&mut file);
    let folder = root.rsplit_once('/').map_or("", |(folder, _)| folder);
    Texts { folder, included }.visit_file_mut(&mut file);
    fill(&mut file.items, folder, &mut files)?;
    Ok(relative(file.into_token_stream(), 0))
}

/// Puts the content of each file of `folder` into the module that declares it.
fn fill(items: &mut [Item], folder: &str, files: &mut BTreeMap<String, syn::File>) -> syn::Result<()> {
    for item in items {
        let Item::Mod(module) = item else { continue };
        let below = format!("{folder}/{}", module.ident.unraw());
        if let Some((_, items)) = &mut module.content {
            fill(items, &below, files)?;
            continue;
        }
        let path = format!("{below}.rs");
        let mut file = files.remove(&path).ok_or_else(|| missing(&path))?;
        fill(&mut file.items, &below, files)?;
        module.attrs.append(&mut file.attrs);
        module.content = Some((syn::token::Brace::default(), file.items));
        module.semi = None::<Token![;]>;
    }
    Ok(())
}

/// Replaces `include_str!` by the text.
struct Texts<'a> {
    folder: &'a str,
    included: &'a [&'a File],
}

impl VisitMut for Texts<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        if let Expr::Macro(ExprMacro { mac, .. }) = expr
            && mac.path.is_ident("include_str")
            && let Ok(name) = mac.parse_body::<LitStr>()
            && let path = format!("{}/{}", self.folder, name.value())
            && let Some(File { text, .. }) = self.included.iter().find(|file| file.path == path)
        {
            *expr = parse_quote!(#text);
        }
        visit_mut::visit_expr_mut(self, expr);
    }
}

/// A bug of an emitter.
fn missing(path: &str) -> syn::Error {
    syn::Error::new(proc_macro2::Span::call_site(), format!("the generated file {path} is missing"))
}

/// `crate::models` as a module `depth` levels below the root writes it: `super::models`.
fn relative(code: TokenStream, depth: usize) -> TokenStream {
    let root = if depth == 0 {
        quote!(self)
    } else {
        let supers = (0..depth).map(|_| quote!(super));
        quote!(#(#supers)::*)
    };
    let mut written = TokenStream::new();
    let mut code = code.into_iter().peekable();
    let mut last: [Option<String>; 2] = [None, None];
    while let Some(token) = code.next() {
        let word = if let TokenTree::Ident(word) = &token { Some(word.to_string()) } else { None };
        match token {
            TokenTree::Group(group) => {
                let is_module = last[0].as_deref() == Some("mod") && last[1].is_some();
                let inner = relative(group.stream(), depth + usize::from(is_module));
                written.extend([TokenTree::from(Group::new(group.delimiter(), inner))]);
            }
            TokenTree::Ident(word) if word == "crate" && module::is_colon(code.peek()) => written.extend(root.clone()),
            token => written.extend([token]),
        }
        last = [last[1].take(), word];
    }
    written
}

#[cfg(test)]
mod tests {
    use quote::quote;
    use syn::parse_quote;

    use super::File;

    #[test]
    fn files_become_modules_and_paths_relative() {
        let files = [
            (
                "src/lib.rs",
                parse_quote!(
                    use crate::models::Pet;
                    pub mod models;
                    const TEXT: &str = include_str!("text.json");
                ),
            ),
            (
                "src/models.rs",
                parse_quote!(
                    pub mod pet;
                    pub use crate::models::pet::Pet;
                ),
            ),
            (
                "src/models/pet.rs",
                parse_quote!(
                    pub struct Pet(pub(crate) crate::models::Name);
                ),
            ),
        ]
        .map(|(path, file)| (path.to_owned(), file));
        let text = File { path: "src/text.json".to_owned(), text: "{}".to_owned() };
        let expected = quote!(
            use self::models::Pet;
            #[allow(dead_code, unused_imports, reason = "its crate uses what it needs")]
            #[allow(clippy::module_inception, clippy::too_many_lines, deprecated, reason = "so it is described")]
            pub mod models {
                pub mod pet {
                    pub struct Pet(pub(crate) super::super::models::Name);
                }
                pub use super::models::pet::Pet;
            }
            #[allow(dead_code, unused_imports, reason = "its crate uses what it needs")]
            #[allow(clippy::module_inception, clippy::too_many_lines, deprecated, reason = "so it is described")]
            const TEXT: &str = "{}";
        );
        let items = super::items(files.into(), "src/lib.rs", &[&text]).unwrap();
        assert_eq!(items.to_string(), expected.to_string());
    }
}
