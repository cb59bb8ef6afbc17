//! Names of the runtime as a person would write them: `client::Call` becomes `Call`, with a `use` line for it, unless
//! the file has a `Call` of its own. Functions keep their module.

use std::collections::BTreeSet;
use std::ops::Range;

use printing::{Ident, Kind, Token, Tokens, quote};

/// Shortens the names of a file that are from `module` of the runtime, and finds those in `bare`, which the emitters
/// that both crates share write without it.
pub(crate) fn shorten(file: &Tokens, module: &str, bare: &[&str]) -> Tokens {
    let tokens = file.list();
    let start = after_doc(&tokens);
    let mut uses = Uses { module, bare, own: defined(&tokens), names: BTreeSet::new(), dropped: Vec::new() };
    uses.read(&tokens, start..tokens.len(), false);

    let (itself, names): (Vec<_>, Vec<_>) = uses.names.iter().copied().partition(|name| *name == "self");
    let brought = [itself, names].concat();
    let names = brought.iter().map(|name| Ident::new(*name));
    let module = Ident::new(module);
    let lines = match brought.as_slice() {
        [] => None,
        ["self"] => Some(quote!(use crate::runtime::#module;)),
        [_] => Some(quote!(use crate::runtime::#module::#(#names)*;)),
        _ => Some(quote!(use crate::runtime::#module::{#(#names),*};)),
    };
    let doc = file.up_to(tokens[start].start);
    let items = file.without(tokens[start].start, &uses.dropped);
    quote!(#doc #lines #items)
}

struct Uses<'a> {
    module: &'a str,
    bare: &'a [&'a str],
    own: BTreeSet<&'a str>,
    names: BTreeSet<&'a str>,
    /// Where the module stands in front of a name.
    dropped: Vec<Range<usize>>,
}

impl<'a> Uses<'a> {
    /// `is_enum`: they are the variants of one. A variant that is named like a type does not mention it; what it holds may.
    fn read(&mut self, tokens: &[Token<'a>], range: Range<usize>, is_enum: bool) {
        let mut index = range.start;
        let mut is_next_enum = false;
        while index < range.end {
            let Token { kind, text, start, mate } = tokens[index];
            let is_qualified = index > 0 && tokens[index - 1].text == "::";
            match kind {
                Kind::Open => {
                    let is_enum = !is_enum && std::mem::take(&mut is_next_enum) && text == "{";
                    self.read(tokens, index + 1..mate, is_enum);
                    index = mate;
                }
                Kind::Word if is_enum || is_qualified => {}
                Kind::Word if text == self.module => {
                    if let Some(name) = name_after(&tokens[index..]) {
                        let is_dropped = is_type(name.text) && !self.own.contains(name.text);
                        self.names.insert(if is_dropped { name.text } else { "self" });
                        if is_dropped {
                            self.dropped.push(start..name.start);
                            index += 2;
                        }
                    }
                }
                Kind::Word if self.bare.contains(&text) => {
                    if !self.own.contains(text) {
                        self.names.insert(text);
                    }
                }
                Kind::Word => is_next_enum |= text == "enum",
                Kind::Close | Kind::Punctuation | Kind::Lifetime | Kind::Literal | Kind::End => {}
            }
            index += 1;
        }
    }
}

fn is_type(name: &str) -> bool {
    name.starts_with(char::is_uppercase)
}

/// The name of `client::Name`.
fn name_after<'a>(tokens: &[Token<'a>]) -> Option<Token<'a>> {
    match tokens {
        [_, Token { text: "::", .. }, name, ..] if name.kind == Kind::Word => Some(*name),
        _ => None,
    }
}

/// The types that a file defines or passes on.
fn defined<'a>(tokens: &[Token<'a>]) -> BTreeSet<&'a str> {
    let mut own = BTreeSet::new();
    let mut keyword = false;
    let mut passed_on = false;
    let mut index = 0;
    while let Some(token) = tokens.get(index) {
        if token.kind == Kind::Word {
            if keyword || passed_on {
                own.insert(token.text);
            }
            keyword = matches!(token.text, "struct" | "enum" | "type" | "trait");
            passed_on |= token.text == "use";
        } else {
            keyword = false;
            passed_on &= token.text != ";";
        }
        if token.kind == Kind::Open {
            // The names in the braces of a `use`; other groups define nothing that others see.
            if passed_on {
                let names = tokens[index + 1..token.mate].iter().filter(|token| token.kind == Kind::Word);
                own.extend(names.map(|token| token.text));
            }
            index = token.mate;
        }
        index += 1;
    }
    own
}

/// The inner attributes at the top of a file, and the rest.
pub(super) fn split_doc(file: &Tokens) -> (Tokens, Tokens) {
    let tokens = file.list();
    let start = tokens[after_doc(&tokens)].start;
    (file.up_to(start), file.without(start, &[]))
}

/// The first token behind the inner attributes.
fn after_doc(tokens: &[Token<'_>]) -> usize {
    let mut index = 0;
    while let [Token { text: "#", .. }, Token { text: "!", .. }, group, ..] = &tokens[index..] {
        index = group.mate + 1;
    }
    index
}
