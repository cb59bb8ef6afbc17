//! The arguments of `#[json(…)]`.

use proc_macro2::{Ident, Span, TokenStream};
use syn::ext::IdentExt as _;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Error, Lit, LitStr, Token, parenthesized};

/// The arguments that have not been used yet.
#[derive(Default)]
pub(crate) struct Arguments {
    list: Vec<Argument>,
}

/// One argument.
pub(crate) enum Argument {
    /// `"Name"`, `-3`
    Literal(Literal),
    /// `closed`
    Word(Ident),
    /// `max_length = 255`
    Value(Ident, Literal),
    /// `items(max_length = 255)`
    List(Ident, Arguments),
}

/// A literal, a number perhaps with a sign.
#[derive(Clone)]
pub(crate) struct Literal {
    negative: bool,
    lit: Lit,
}

impl Parse for Arguments {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        Ok(Self { list: Self::parse_list(input)? })
    }
}

impl Arguments {
    /// The arguments of all `json` attributes.
    pub(crate) fn of(attributes: &[Attribute]) -> syn::Result<Self> {
        let mut list = Vec::new();
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("json")) {
            list.extend(attribute.parse_args_with(Self::parse_list)?);
        }
        Ok(Self { list })
    }

    fn parse_list(input: ParseStream<'_>) -> syn::Result<Vec<Argument>> {
        let list = Punctuated::<Argument, Token![,]>::parse_terminated(input)?;
        Ok(list.into_iter().collect())
    }

    /// Takes the next unnamed literal.
    pub(crate) fn literal(&mut self) -> Option<Literal> {
        let index = self.list.iter().position(|argument| matches!(argument, Argument::Literal(_)))?;
        match self.list.remove(index) {
            Argument::Literal(literal) => Some(literal),
            Argument::Word(_) | Argument::Value(..) | Argument::List(..) => None,
        }
    }

    /// Takes a word; `false` if it is absent.
    pub(crate) fn word(&mut self, word: &str) -> bool {
        let index = self.list.iter().position(|argument| matches!(argument, Argument::Word(found) if found == word));
        index.map(|index| self.list.remove(index)).is_some()
    }

    /// Takes the value with this name.
    pub(crate) fn value(&mut self, name: &str) -> Option<Literal> {
        let is_named = |argument: &Argument| matches!(argument, Argument::Value(found, _) if found == name);
        let index = self.list.iter().position(is_named)?;
        match self.list.remove(index) {
            Argument::Value(_, literal) => Some(literal),
            Argument::Literal(_) | Argument::Word(_) | Argument::List(..) => None,
        }
    }

    /// Takes the next list with this name.
    pub(crate) fn list(&mut self, name: &str) -> Option<(Ident, Self)> {
        let is_named = |argument: &Argument| matches!(argument, Argument::List(found, _) if found == name);
        let index = self.list.iter().position(is_named)?;
        match self.list.remove(index) {
            Argument::List(ident, list) => Some((ident, list)),
            Argument::Literal(_) | Argument::Word(_) | Argument::Value(..) => None,
        }
    }

    /// Takes the arguments for which `take` returns a value.
    pub(crate) fn take<T>(
        &mut self,
        mut take: impl FnMut(Argument) -> syn::Result<Result<T, Argument>>,
    ) -> syn::Result<Vec<T>> {
        let mut taken = Vec::new();
        for argument in std::mem::take(&mut self.list) {
            match take(argument)? {
                Ok(one) => taken.push(one),
                Err(argument) => self.list.push(argument),
            }
        }
        Ok(taken)
    }

    /// Refuses unused arguments.
    pub(crate) fn finish(self) -> syn::Result<()> {
        let Some(argument) = self.list.into_iter().next() else { return Ok(()) };
        Err(match argument {
            Argument::Literal(literal) => Error::new(literal.lit.span(), "this value has no use here"),
            Argument::Word(name) | Argument::Value(name, _) | Argument::List(name, _) => {
                Error::new(name.span(), format!("`{name}` has no use here in this form"))
            }
        })
    }
}

impl Parse for Argument {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        if input.peek(Lit) || input.peek(Token![-]) {
            return Ok(Self::Literal(input.parse()?));
        }
        let name = input.call(Ident::parse_any)?;
        if input.peek(Token![=]) {
            input.parse::<Token![=]>()?;
            return Ok(Self::Value(name, input.parse()?));
        }
        if input.peek(syn::token::Paren) {
            let inside;
            parenthesized!(inside in input);
            return Ok(Self::List(name, Arguments { list: Arguments::parse_list(&inside)? }));
        }
        Ok(Self::Word(name))
    }
}

impl Parse for Literal {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let negative = input.parse::<Option<Token![-]>>()?.is_some();
        Ok(Self { negative, lit: input.parse()? })
    }
}

impl Literal {
    pub(crate) fn span(&self) -> Span {
        self.lit.span()
    }

    /// The text of a string.
    pub(crate) fn text(&self) -> syn::Result<String> {
        match &self.lit {
            Lit::Str(text) => Ok(text.value()),
            _ => Err(Error::new(self.span(), "expected a string")),
        }
    }

    /// A whole number that is not negative.
    pub(crate) fn count(&self) -> syn::Result<u64> {
        match &self.lit {
            Lit::Int(number) if !self.negative => number.base10_parse(),
            _ => Err(Error::new(self.span(), "expected a whole number that is not negative")),
        }
    }

    /// `true` or `false`.
    pub(crate) fn boolean(&self) -> syn::Result<bool> {
        match &self.lit {
            Lit::Bool(flag) => Ok(flag.value),
            _ => Err(Error::new(self.span(), "expected `true` or `false`")),
        }
    }

    /// An integer, or the text of any other number.
    pub(crate) fn number(&self) -> syn::Result<Result<i128, String>> {
        let sign = if self.negative { "-" } else { "" };
        match &self.lit {
            Lit::Int(number) => {
                let text = format!("{sign}{}", number.base10_digits());
                Ok(text.parse().map_err(|_| text))
            }
            Lit::Float(number) => Ok(Err(format!("{sign}{}", number.base10_digits()))),
            Lit::Str(text) => Ok(Err(text.value())),
            _ => Err(Error::new(self.span(), "expected a number")),
        }
    }

    /// The value of a constant member.
    pub(crate) fn constant(&self) -> syn::Result<TokenStream> {
        match &self.lit {
            Lit::Str(_) | Lit::Bool(_) => {
                let lit = &self.lit;
                Ok(quote::quote!(#lit))
            }
            Lit::Int(number) => {
                let number: i64 = format!("{}{}", if self.negative { "-" } else { "" }, number.base10_digits())
                    .parse()
                    .map_err(|_| Error::new(self.span(), "expected a number of 64 bits"))?;
                Ok(quote::quote!(#number))
            }
            _ => Err(Error::new(self.span(), "expected a string, a whole number, `true` or `false`")),
        }
    }
}

/// The string as a literal expression.
pub(crate) fn string(text: &str) -> LitStr {
    LitStr::new(text, Span::call_site())
}
