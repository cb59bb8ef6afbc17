//! A file: its attributes, its `use` lines in order, and its items.

use std::ops::Range;

use proc_macro2::{TokenStream, TokenTree};

use crate::import::{self, Places};
use crate::lexer::{Kind, Token, tokens};
use crate::order::{Segment, in_order, path};
use crate::{Comparison, format};

/// The code of a file, laid out, with the `use` lines that its names need in front of its items.
pub(crate) fn laid_out(code: &str, places: Places<'_>) -> Result<String, String> {
    let mut tokens = tokens(code).ok_or("a quote or a group is not closed")?;
    let inner = after_inner_attributes(&tokens);
    let items = items(&tokens, inner);
    let added = import::lines(code, &mut tokens, &items, places);
    let (uses, rest): (Vec<_>, Vec<_>) = items.into_iter().partition(|item| tokens[item.start].text == "use");
    let mut uses: Vec<Use<'_>> = uses.into_iter().map(|item| Use::Written(&tokens, item)).collect();
    uses.extend(added.iter().map(|line| Use::Added(line)));
    uses.sort_by_cached_key(Use::order);
    let rest = in_order(&tokens, rest);

    let mut text = String::with_capacity(code.len() + code.len() / 4);
    text = format::inner_attributes(&tokens, inner, text)
        .or_else(|text| by_others(&written(code, &tokens, 0..inner), text))?;
    for item in uses {
        text = match item {
            Use::Written(tokens, item) => append(code, tokens, item, text)?,
            Use::Added(line) => {
                let tokens = crate::lexer::tokens(line).unwrap_or_default();
                let item = 0..tokens.len().saturating_sub(1);
                append(line, &tokens, item, text)?
            }
        };
    }
    rest.into_iter().try_fold(text, |text, item| append(code, &tokens, item, text))
}

/// A private `use` line.
enum Use<'a> {
    /// With the tokens it is of.
    Written(&'a [Token<'a>], Range<usize>),
    Added(&'a str),
}

impl Use<'_> {
    /// The standard library, other crates, this crate, and what comes with a feature; then by name.
    fn order(&self) -> (u8, Vec<Segment>) {
        let text = match self {
            Self::Written(tokens, item) => tokens[item.clone()].iter().map(|token| token.text).collect(),
            Self::Added(line) => line.replace(' ', ""),
        };
        let text = text.strip_prefix("use").unwrap_or(&text);
        let origin = match text.split("::").next() {
            Some(attribute) if attribute.starts_with('#') => 3,
            Some("std") => 0,
            Some("crate" | "self" | "super") => 2,
            _ => 1,
        };
        (origin, path(text))
    }
}

/// Adds an item of `code`.
fn append(code: &str, tokens: &[Token<'_>], item: Range<usize>, text: String) -> Result<String, String> {
    format::item(tokens, item.start, item.end, text).or_else(|text| by_others(&written(code, tokens, item), text))
}

/// The code of some tokens, with names in place of their paths.
pub(crate) fn written(code: &str, tokens: &[Token<'_>], range: Range<usize>) -> String {
    let mut text = String::new();
    let mut end = tokens[range.start].start;
    for token in tokens[range.clone()].iter().filter(|token| import::path(code, token).is_some()) {
        text.push_str(&code[end..token.start]);
        text.push_str(token.text);
        end = token.start + 1;
        end += code[end..].find(char::from(code.as_bytes()[token.start])).map_or(0, |length| length + 1);
    }
    text.push_str(&code[end..tokens[range.end].start]);
    text
}

/// Adds a form that the layout does not know, as prettyplease lays it out.
fn by_others(written: &str, text: String) -> Result<String, String> {
    // Attributes without an item end without a line break.
    plain(written).map(|laid_out| text + laid_out.trim_end() + "\n")
}

fn plain(written: &str) -> Result<String, String> {
    let file = syn::parse_str(written).map_err(|error| format!("{error}: {written}"))?;
    Ok(prettyplease::unparse(&file))
}

/// Each item before and after it is laid out.
pub(crate) fn compare(code: &str) -> Option<Vec<Comparison>> {
    let tokens = tokens(code)?;
    let compared = items(&tokens, after_inner_attributes(&tokens)).into_iter().map(|item| {
        let laid_out = format::item(&tokens, item.start, item.end, String::new()).ok();
        Comparison { written: written(code, &tokens, item), laid_out }
    });
    Some(compared.collect())
}

/// What code consists of, but for what a layout may add, leave out or order; `None` when it is no code.
pub(crate) fn words(code: &str) -> Option<Vec<String>> {
    fn add(tokens: TokenStream, words: &mut Vec<String>) {
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            match token {
                // Documentation and comments.
                TokenTree::Punct(sign) if sign.as_char() == '#' => {
                    let is_text = |token: &TokenTree| {
                        let text = token.to_string();
                        ["[doc =", "[comment ="].iter().any(|start| text.starts_with(start))
                    };
                    if tokens.next_if(is_text).is_none() {
                        words.push("#".to_owned());
                    }
                }
                TokenTree::Punct(sign) if matches!(sign.as_char(), ',' | ';' | '|') => {}
                TokenTree::Group(group) => add(group.stream(), words),
                other => words.push(other.to_string()),
            }
        }
    }
    let mut words = Vec::new();
    add(code.parse().ok()?, &mut words);
    // The names of a `use` line are put in order.
    if words.iter().any(|word| word == "use") {
        words.sort_unstable();
    }
    Some(words)
}

/// The first token behind `#![a]`.
pub fn after_inner_attributes(tokens: &[Token<'_>]) -> usize {
    let mut index = 0;
    while tokens[index].text == "#" && tokens[index + 1].text == "!" {
        index = after_attribute(tokens, index + 1);
    }
    index
}

/// The first token from `index` on that is of no attribute.
pub fn after_attributes(tokens: &[Token<'_>], mut index: usize) -> usize {
    while tokens[index].text == "#" {
        index = after_attribute(tokens, index);
    }
    index
}

/// The first token behind `pub`.
pub(crate) fn after_visibility(tokens: &[Token<'_>], index: usize) -> usize {
    match &tokens[index..] {
        [Token { text: "pub", .. }, Token { text: "(", mate, .. }, ..] => mate + 1,
        [Token { text: "pub", .. }, ..] => index + 1,
        _ => index,
    }
}

/// The token behind the brackets that follow.
fn after_attribute(tokens: &[Token<'_>], index: usize) -> usize {
    let next = tokens[index + 1];
    if next.kind == Kind::Open { next.mate + 1 } else { index + 1 }
}

/// The items of a file, from the token `index` on.
pub fn items(tokens: &[Token<'_>], mut index: usize) -> Vec<Range<usize>> {
    let mut items = Vec::new();
    while tokens[index].kind != Kind::End {
        let start = index;
        index = after_attributes(tokens, index);
        // The braces of a value, of a type or of names end no item.
        let ends_with_brace = !ends_with_semicolon(tokens, index);
        loop {
            let token = tokens[index];
            index = match token.kind {
                Kind::End => break,
                Kind::Open => token.mate + 1,
                _ => index + 1,
            };
            let is_end = match token.kind {
                Kind::Close => true,
                Kind::Punctuation => token.text == ";",
                Kind::Open => token.text == "{" && ends_with_brace,
                Kind::Word | Kind::Literal | Kind::Lifetime | Kind::End => false,
            };
            if is_end {
                break;
            }
        }
        items.push(start..index);
    }
    items
}

/// The keyword behind `pub` is that of an item that no block ends.
fn ends_with_semicolon(tokens: &[Token<'_>], start: usize) -> bool {
    let text = |index: usize| tokens.get(index).map_or("", |token: &Token<'_>| token.text);
    let index = after_visibility(tokens, start);
    match text(index) {
        "use" | "static" | "type" => true,
        "const" => !matches!(text(index + 1), "fn" | "async"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::{Tokens, code, quote};

    #[test]
    fn each_entry_of_a_table_has_a_line() {
        let written = quote! {
            json::object! {
                Pet, any_case, entries(others [Rule::MinLength(1)]), read(checked, serde), write expecting ["Id", "Name"] {
                    required name = "Name" [Rule::MinLength(1), Rule::MaxLength(255), Rule::Pattern(&NAME_PATTERN)],
                    optional "Kind" is -1i64,
                }
            }

            unknown::open_choices! {
                /// How big it is.
                #[derive(Clone)]
                pub enum Size: i32 {
                    /// Small.
                    Small = -1,
                    ..Unknown in json
                }
            }
        };
        let laid_out = "\
json::object! {
    Pet, any_case, entries(others [Rule::MinLength(1)]), read(checked, serde), write
        expecting [\"Id\", \"Name\"] {
        required name = \"Name\" [
            Rule::MinLength(1),
            Rule::MaxLength(255),
            Rule::Pattern(&NAME_PATTERN),
        ],
        optional \"Kind\" is -1i64,
    }
}

unknown::open_choices! {
    /// How big it is.
    #[derive(Clone)]
    pub enum Size: i32 {
        /// Small.
        Small = -1,
        ..Unknown in json,
    }
}
";
        assert_eq!(code(&written), laid_out);
    }

    #[test]
    fn attributes_of_the_file_are_laid_out_whether_their_form_is_known_or_not() {
        for written in [
            "//! Doc.\n\n#![recursion_limit = \"256\"]\n\n",
            "#![cfg_attr(docsrs, feature(doc_cfg))]\n\n",
            "#![a(b::c)]\n\n",
        ] {
            let laid_out = code(&Tokens::read(&format!("{written}struct A;")));
            assert!(laid_out.starts_with(written) && laid_out.ends_with("struct A;\n"), "{laid_out}");
        }
    }

    #[test]
    fn what_is_no_code_is_a_compile_error() {
        for wrong in [quote!(pub struct), quote!(fn a() { 1 + })] {
            assert!(code(&wrong).starts_with("compile_error!("), "{wrong}");
        }
    }
}
