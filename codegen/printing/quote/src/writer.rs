//! The statements that write the tokens.

use proc_macro2::{Delimiter, Ident, Spacing, TokenStream, TokenTree};
use quote::quote;

use crate::repetition::Repetition;
use crate::spacing::{End, Next};

/// An expression of type `Tokens`.
pub(crate) fn written(input: TokenStream) -> TokenStream {
    let mut writer = Writer::default();
    writer.tokens(input);
    writer.flush();
    let Writer { statements, length, values, .. } = writer;
    let capacity = length + 16 * values;
    quote!({
        let mut quoted = ::printing::Tokens::with_capacity(#capacity);
        #statements
        quoted
    })
}

#[derive(Default)]
struct Writer {
    statements: TokenStream,
    /// What is to be written by the next statement.
    text: String,
    end: End,
    /// How long all texts are.
    length: usize,
    /// How many values are put in.
    values: usize,
}

impl Writer {
    fn tokens(&mut self, input: TokenStream) {
        let mut input = input.into_iter().peekable();
        while let Some(token) = input.next() {
            match token {
                TokenTree::Punct(sign) if sign.as_char() == '#' => match input.peek() {
                    Some(TokenTree::Ident(name)) => {
                        let name = name.clone();
                        input.next();
                        self.value(&name);
                    }
                    Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis => {
                        let body = group.stream();
                        input.next();
                        let between = input.by_ref().take_while(|token| !is_star(token)).collect();
                        self.repetition(&Repetition { body, between });
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
                    self.tokens(group.stream());
                    self.text(Next::Close, close, End::Close);
                }
                TokenTree::Ident(name) => self.text(Next::Word, &name.to_string(), End::Word),
                TokenTree::Literal(literal) => self.text(Next::Word, &literal.to_string(), End::Word),
            }
        }
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

    fn repetition(&mut self, repetition: &Repetition) {
        self.text(Next::Value, "", End::Value);
        self.flush();
        self.values += 4;
        let mut inside = Self { end: End::Value, ..Self::default() };
        inside.tokens(repetition.between.clone());
        inside.text(Next::Value, "", End::Value);
        inside.flush();
        let between = std::mem::take(&mut inside.statements);
        inside.tokens(repetition.body.clone());
        inside.flush();
        self.statements.extend(repetition.looped(&between, &inside.statements));
        self.end = End::Value;
    }

    fn flush(&mut self) {
        if !self.text.is_empty() {
            let text = std::mem::take(&mut self.text);
            self.length += text.len();
            self.statements.extend(quote!(quoted.push(#text);));
        }
    }
}

fn is_star(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(sign) if sign.as_char() == '*')
}
