//! The statements that write the tokens.

use proc_macro2::{Delimiter, Ident, Literal, Spacing, TokenStream, TokenTree};
use quote::quote;

use crate::name::{self, Before, Name};
use crate::repetition::Repetition;
use crate::spacing::{End, Next};

/// An expression of type `Tokens`.
pub(crate) fn written(input: TokenStream) -> TokenStream {
    let mut writer = Writer::default();
    writer.tokens(input, Inside::Code);
    writer.flush();
    let Writer { statements, length, values, .. } = writer;
    let capacity = length + 16 * values;
    quote!({
        let mut quoted = ::printing::Tokens::with_capacity(#capacity);
        #statements
        quoted
    })
}

/// What a group of tokens is.
#[derive(Clone, Copy, PartialEq)]
enum Inside {
    Code,
    /// The variants of an enum, whose names are no types.
    Enum,
    /// An attribute, or the braces of a `use`: words that are no names of the file.
    Words,
}

#[derive(Default)]
struct Writer {
    statements: TokenStream,
    /// What is to be written by the next statement: texts, and names that the macro `origin!` says more of.
    parts: Vec<TokenStream>,
    /// The text behind them.
    text: String,
    end: End,
    /// How long all texts are.
    length: usize,
    /// How many values are put in.
    values: usize,
}

impl Writer {
    fn tokens(&mut self, input: TokenStream, inside: Inside) {
        let mut input: &[TokenTree] = &input.into_iter().collect::<Vec<_>>();
        let mut before = Before::default();
        let mut is_enum = false;
        while let [token, rest @ ..] = input {
            input = rest;
            let place = before;
            before.goes_on(token);
            match token {
                TokenTree::Punct(sign) if sign.as_char() == '#' => match input {
                    [TokenTree::Ident(name), rest @ ..] => {
                        input = rest;
                        before.pass();
                        self.value(name);
                    }
                    [TokenTree::Group(group), rest @ ..] if group.delimiter() == Delimiter::Parenthesis => {
                        let length = rest.iter().take_while(|token| !is_star(token)).count();
                        let between = rest[..length].iter().cloned().collect();
                        input = rest.get(length + 1..).unwrap_or_default();
                        before.pass();
                        self.repetition(&Repetition { body: group.stream(), between }, inside);
                    }
                    _ => self.sign('#', End::Joint),
                },
                TokenTree::Punct(sign) => {
                    let is_joint = sign.spacing() == Spacing::Joint;
                    self.sign(sign.as_char(), if is_joint { End::Joint } else { End::Sign });
                }
                TokenTree::Group(group) => {
                    let (open, close) = match group.delimiter() {
                        Delimiter::Parenthesis => ("(", ")"),
                        Delimiter::Brace => ("{", "}"),
                        Delimiter::Bracket => ("[", "]"),
                        Delimiter::None => ("", ""),
                    };
                    self.text(Next::Open, open, End::Open);
                    self.tokens(
                        group.stream(),
                        match group.delimiter() {
                            _ if inside == Inside::Words || place.holds_words() => Inside::Words,
                            Delimiter::Brace if std::mem::take(&mut is_enum) => Inside::Enum,
                            _ => Inside::Code,
                        },
                    );
                    self.text(Next::Close, close, End::Close);
                }
                TokenTree::Ident(word) => {
                    let word = word.to_string();
                    is_enum |= word == "enum";
                    let is_variant = inside == Inside::Enum && place.may_be_variant();
                    match name::at(&word, rest).filter(|_| place.is_path() && inside != Inside::Words && !is_variant) {
                        Some((name, length)) => {
                            input = &rest[length..];
                            before.pass();
                            self.name(&name);
                        }
                        None => self.text(Next::Word, &word, End::Word),
                    }
                }
                TokenTree::Literal(literal) => self.text(Next::Word, &literal.to_string(), End::Word),
            }
        }
    }

    fn name(&mut self, name: &Name) {
        let Name { origin, length, end } = name;
        self.text(Next::Word, "", *end);
        self.end_text();
        self.parts.push(quote!(crate::origin!(#origin)));
        self.length += length;
    }

    fn sign(&mut self, sign: char, end: End) {
        self.text(Next::Sign(sign), sign.encode_utf8(&mut [0; 4]), end);
    }

    fn text(&mut self, next: Next, text: &str, end: End) {
        if self.end.needs_space_before(next) {
            self.text.push(' ');
        }
        self.text.push_str(text);
        self.end = end;
    }

    fn value(&mut self, name: &Ident) {
        self.text(Next::Value, "", End::Value);
        self.flush();
        self.values += 1;
        self.statements.extend(quote!(::printing::ToTokens::append(&#name, &mut quoted);));
    }

    fn repetition(&mut self, repetition: &Repetition, around: Inside) {
        self.text(Next::Value, "", End::Value);
        self.flush();
        self.values += 4;
        let mut inside = Self { end: End::Value, ..Self::default() };
        inside.tokens(repetition.between.clone(), around);
        inside.text(Next::Value, "", End::Value);
        inside.flush();
        let between = std::mem::take(&mut inside.statements);
        inside.tokens(repetition.body.clone(), around);
        inside.flush();
        self.statements.extend(repetition.looped(&between, &inside.statements));
        self.end = End::Value;
    }

    fn end_text(&mut self) {
        if !self.text.is_empty() {
            let text = std::mem::take(&mut self.text);
            self.length += text.len();
            let text = Literal::string(&text);
            self.parts.push(quote!(#text));
        }
    }

    fn flush(&mut self) {
        self.end_text();
        let parts = std::mem::take(&mut self.parts);
        match parts.as_slice() {
            [] => {}
            [part] => self.statements.extend(quote!(quoted.push(#part);)),
            parts => self.statements.extend(quote!(quoted.push(concat!(#(#parts),*));)),
        }
    }
}

fn is_star(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(sign) if sign.as_char() == '*')
}
