//! `#(#names),*`

use proc_macro::{Delimiter, Group, Ident, TokenStream, TokenTree};

use crate::writer::rust;

/// What is repeated.
pub(crate) struct Repetition {
    pub(crate) body: TokenStream,
    pub(crate) between: TokenStream,
}

impl Repetition {
    /// A loop that runs `body` for every item, and `between` in between.
    pub(crate) fn looped(&self, between: TokenStream, body: TokenStream) -> TokenStream {
        let mut names = Vec::new();
        find(self.body.clone(), &mut names);
        assert!(!names.is_empty(), "nothing in a repetition can iterate");

        let mut block = rust("use crate::tokens::repeat::{OfIterator as _, OfList as _, OfOne as _};");
        for name in &names {
            block.extend(with(name, "let (mut NAME, does_end) = NAME.repeated(); let NAME_ends = does_end;"));
        }
        let ends = names.iter().map(|name| format!("{}_ends", plain(name))).collect::<Vec<_>>().join(" | ");
        block.extend(rust(&format!("let _: crate::tokens::repeat::Ends = {ends};")));
        block.extend(rust("let mut is_first = true; loop"));

        let mut inside = TokenStream::new();
        for name in &names {
            inside.extend(with(name, "let Some(NAME) = NAME.next() else { break };"));
        }
        inside.extend(rust("if !is_first"));
        inside.extend([braces(between)]);
        inside.extend(rust("is_first = false;"));
        inside.extend(body);
        block.extend([braces(inside)]);
        braces(block).into()
    }
}

/// The names behind `#`.
fn find(body: TokenStream, names: &mut Vec<Ident>) {
    let mut body = body.into_iter().peekable();
    while let Some(token) = body.next() {
        match token {
            TokenTree::Punct(sign) if sign.as_char() == '#' => {
                if let Some(TokenTree::Ident(name)) = body.peek()
                    && !names.iter().any(|known| known.to_string() == name.to_string())
                {
                    names.push(name.clone());
                }
            }
            TokenTree::Group(group) => find(group.stream(), names),
            TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => {}
        }
    }
}

/// `code`, with the name for `NAME`, so that the compiler shows where it stands.
fn with(name: &Ident, code: &str) -> TokenStream {
    let put_in = |token| match token {
        TokenTree::Ident(ident) if ident.to_string() == "NAME" => TokenTree::Ident(name.clone()),
        TokenTree::Ident(ident) if ident.to_string() == "NAME_ends" => {
            TokenTree::Ident(Ident::new(&format!("{}_ends", plain(name)), ident.span()))
        }
        TokenTree::Group(group) => {
            TokenTree::Group(Group::new(group.delimiter(), with(name, &group.stream().to_string())))
        }
        token => token,
    };
    rust(code).into_iter().map(put_in).collect()
}

fn plain(name: &Ident) -> String {
    name.to_string().trim_start_matches("r#").to_owned()
}

fn braces(inside: TokenStream) -> TokenTree {
    Group::new(Delimiter::Brace, inside).into()
}
