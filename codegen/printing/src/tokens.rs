//! Rust as emitters write it: text that is not laid out.

use std::fmt;

use crate::lexer::{Token, tokens};
use crate::{file, import};

/// Tokens of Rust, with no more between them than keeps them apart.
#[derive(Clone, Debug, Default)]
pub struct Tokens(pub(crate) String);

impl Tokens {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn with_capacity(length: usize) -> Self {
        Self(String::with_capacity(length))
    }

    /// The tokens of `text` that a user wrote, comments and all; none when it cannot be read, which was seen before.
    pub fn read(text: &str) -> Self {
        Self(text.parse::<proc_macro2::TokenStream>().unwrap_or_default().to_string())
    }

    /// Writes `text` behind them.
    pub fn push(&mut self, text: &str) {
        self.0.push_str(text);
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn into_string(self) -> String {
        self.0
    }

    /// Each of them, and one of the kind [`Kind::End`](crate::Kind::End). What `quote!` and [`Tokens::read`] give can always be told apart.
    pub fn list(&self) -> Vec<Token<'_>> {
        tokens(&self.0).unwrap_or_else(|| tokens("").unwrap_or_default())
    }
}

/// With names as they are written where nothing else has them.
impl fmt::Display for Tokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.0.contains([char::from(import::NAME), char::from(import::IN_MODULE)]) {
            return f.write_str(&self.0);
        }
        let tokens = self.list();
        f.write_str(&file::written(&self.0, &tokens, 0..tokens.len() - 1))
    }
}

impl Extend<Self> for Tokens {
    fn extend<I: IntoIterator<Item = Self>>(&mut self, more: I) {
        for tokens in more {
            if !self.is_empty() {
                self.push(" ");
            }
            self.push(&tokens.0);
        }
    }
}

impl FromIterator<Self> for Tokens {
    fn from_iter<I: IntoIterator<Item = Self>>(iter: I) -> Self {
        let mut all = Self::new();
        all.extend(iter);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Ident, quote};

    /// The tokens apart from each other, so that no space decides.
    fn apart(tokens: &Tokens) -> String {
        tokens.list().iter().map(|token| token.text).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn values_stay_apart_from_what_surrounds_them() {
        let (name, ty, number, text) = (Ident::new("name"), quote!(&'a [u8]), 5_u64, "a \"b\"\n");
        let none: Option<Tokens> = None;
        let made = quote!(#[doc = #text] pub fn #name<'a>(&self, a: &#ty) -> #ty #none { a.#name::<#ty>(-#number)? });
        let expected = r#"# [ doc = "a \"b\"\n" ] pub fn name < 'a > ( & self , a : & & 'a [ u8 ] ) -> & 'a [ u8 ] { a . name :: < & 'a [ u8 ] > ( - 5 ) ? } "#;
        assert_eq!(apart(&made), expected);
        assert_eq!(apart(&quote!(r#type && b || !c..=d)), "r#type && b || ! c ..= d ");
    }

    #[test]
    fn long_numbers_are_written_in_groups() {
        let (short, long, longer, negative) = (99_999_u64, 100_000_u64, u128::MAX, -123_456_i64);
        let expected = "99999 , 100_000 , 340_282_366_920_938_463_463_374_607_431_768_211_455 , - 123_456 ";
        assert_eq!(apart(&quote!(#short, #long, #longer, #negative)), expected);
    }

    #[test]
    fn repetitions_end_with_the_shortest_of_what_iterates() {
        let (names, one) = (["a", "b", "c"].map(Ident::new), quote!(X));
        let numbers = [1_u64, 2].iter();
        assert_eq!(apart(&quote!(#(#names: #one = #numbers),* .)), "a : X = 1 , b : X = 2 . ");
        let lists = vec![vec!["a"], vec![], vec!["b", "c"]];
        assert_eq!(apart(&quote!(#([#(#lists)|*])*)), "[ \"a\" ] [ ] [ \"b\" | \"c\" ] ");
    }
}
