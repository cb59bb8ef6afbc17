//! Parses rules into values of `rule::Rule`.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::Error;

use crate::arguments::{Argument, Arguments, Literal, string};
use crate::model::Statics;

/// Takes the rules from the arguments: `&[…]`, if any.
pub(crate) fn slice(arguments: &mut Arguments, statics: &mut Statics) -> syn::Result<Option<TokenStream>> {
    let rules = rules(arguments, statics)?;
    Ok((!rules.is_empty()).then(|| quote!(&[#(#rules),*])))
}

fn rules(arguments: &mut Arguments, statics: &mut Statics) -> syn::Result<Vec<TokenStream>> {
    arguments.take(|argument| match argument {
        Argument::Word(word) if word == "unique_items" => Ok(Ok(quote!(__runtime::rule::Rule::UniqueItems))),
        Argument::Value(name, literal) => Ok(match value(&name, &literal, statics)? {
            Some(rule) => Ok(rule),
            None => Err(Argument::Value(name, literal)),
        }),
        Argument::List(name, list) if is_list(&name) => Ok(Ok(self::list(&name, list, statics)?)),
        argument => Ok(Err(argument)),
    })
}

/// `max_length = 255`
fn value(name: &Ident, literal: &Literal, statics: &mut Statics) -> syn::Result<Option<TokenStream>> {
    let counted = |rule: TokenStream| literal.count().map(|count| quote!(#rule(#count)));
    let bounded = |rule: TokenStream| bound(literal).map(|bound| quote!(#rule(#bound)));
    let rule = match name.to_string().as_str() {
        "minimum" => bounded(quote!(Minimum))?,
        "maximum" => bounded(quote!(Maximum))?,
        "exclusive_minimum" => bounded(quote!(ExclusiveMinimum))?,
        "exclusive_maximum" => bounded(quote!(ExclusiveMaximum))?,
        "multiple_of" => bounded(quote!(MultipleOf))?,
        "min_length" => counted(quote!(MinLength))?,
        "max_length" => counted(quote!(MaxLength))?,
        "min_items" => counted(quote!(MinItems))?,
        "max_items" => counted(quote!(MaxItems))?,
        "min_properties" => counted(quote!(MinProperties))?,
        "max_properties" => counted(quote!(MaxProperties))?,
        "pattern" => {
            let pattern = statics.pattern(literal.text()?);
            quote!(Pattern(&#pattern))
        }
        "schema" => {
            let schema = statics.schema(literal.text()?);
            quote!(Schema(&#schema))
        }
        "format" => {
            let format = format(literal)?;
            quote!(Format(__runtime::rule::Format::#format))
        }
        "boolean" => {
            let only = literal.boolean()?;
            quote!(Boolean(#only))
        }
        "json_type" => {
            let kind = kind(literal)?;
            quote!(Kind(__runtime::json::Kind::#kind))
        }
        _ => return Ok(None),
    };
    Ok(Some(quote!(__runtime::rule::Rule::#rule)))
}

fn is_list(name: &Ident) -> bool {
    ["one_of", "numbers", "listed", "items", "places", "names", "values", "matching", "together"]
        .iter()
        .any(|known| name == known)
}

/// `items(max_length = 255)`
fn list(name: &Ident, mut list: Arguments, statics: &mut Statics) -> syn::Result<TokenStream> {
    let rule = match name.to_string().as_str() {
        "one_of" => {
            let texts = texts(&mut list)?;
            quote!(OneOf(&[#(#texts),*]))
        }
        "listed" => {
            let texts = texts(&mut list)?;
            quote!(Listed(&[#(#texts),*]))
        }
        "numbers" => {
            let mut numbers = Vec::new();
            while let Some(number) = list.literal() {
                numbers.push(bound(&number)?);
            }
            quote!(Numbers(&[#(#numbers),*]))
        }
        "places" => {
            let mut places = Vec::new();
            while let Some((_, mut place)) = list.list("place") {
                let rules = rules(&mut place, statics)?;
                place.finish()?;
                places.push(quote!(&[#(#rules),*]));
            }
            quote!(Places(&[#(#places),*]))
        }
        "matching" => {
            let pattern = list.literal().ok_or_else(|| Error::new(name.span(), "expected a pattern first"))?;
            let pattern = statics.pattern(pattern.text()?);
            let rules = rules(&mut list, statics)?;
            quote!(Matching(&#pattern, &[#(#rules),*]))
        }
        "together" => {
            let condition = conditions(name, &mut list)?;
            let [condition] = condition.as_slice() else {
                return Err(Error::new(name.span(), "expected one condition"));
            };
            quote!(Together(#condition))
        }
        inner => {
            let rules = rules(&mut list, statics)?;
            match inner {
                "items" => quote!(Items(&[#(#rules),*])),
                "names" => quote!(Names(&[#(#rules),*])),
                _ => quote!(Values(&[#(#rules),*])),
            }
        }
    };
    list.finish()?;
    Ok(quote!(__runtime::rule::Rule::#rule))
}

/// `has("a", "b")`, `not(…)`, `with("a", "b")`, `all(…)`, `any(…)`, `one(…)`
fn conditions(name: &Ident, list: &mut Arguments) -> syn::Result<Vec<TokenStream>> {
    list.take(|argument| {
        let Argument::List(kind, mut list) = argument else {
            return Err(Error::new(
                name.span(),
                "expected `has(…)`, `not(…)`, `with(…)`, `all(…)`, `any(…)` or `one(…)`",
            ));
        };
        let names = texts(&mut list)?;
        let inner = conditions(&kind, &mut list)?;
        let condition = match (kind.to_string().as_str(), names.as_slice(), inner.as_slice()) {
            ("has", names, []) => quote!(Has(&[#(#names),*])),
            ("with", [first, names @ ..], []) => quote!(With(#first, &[#(#names),*])),
            ("not", [], [inner]) => quote!(Not(&#inner)),
            ("all", [], inner) => quote!(All(&[#(#inner),*])),
            ("any", [], inner) => quote!(Any(&[#(#inner),*])),
            ("one", [], inner) => quote!(One(&[#(#inner),*])),
            _ => {
                return Err(Error::new(
                    kind.span(),
                    "expected `has(…)`, `not(…)`, `with(…)`, `all(…)`, `any(…)` or `one(…)`",
                ));
            }
        };
        Ok(Ok(quote!(__runtime::rule::Together::#condition)))
    })
}

/// The strings of a list.
pub(crate) fn texts(list: &mut Arguments) -> syn::Result<Vec<syn::LitStr>> {
    let mut texts = Vec::new();
    while let Some(text) = list.literal() {
        texts.push(string(&text.text()?));
    }
    Ok(texts)
}

fn bound(literal: &Literal) -> syn::Result<TokenStream> {
    Ok(match literal.number()? {
        Ok(number) => quote!(__runtime::rule::Bound::Integer(#number)),
        Err(text) => quote!(__runtime::rule::Bound::Decimal(#text)),
    })
}

fn format(literal: &Literal) -> syn::Result<TokenStream> {
    match literal.text()?.as_str() {
        "email" => Ok(quote!(Email)),
        "uri" => Ok(quote!(Uri)),
        "uri-reference" => Ok(quote!(UriReference)),
        "hostname" => Ok(quote!(Hostname)),
        "date" => Ok(quote!(Date)),
        "time" => Ok(quote!(Time)),
        "date-time" => Ok(quote!(DateTime)),
        "duration" => Ok(quote!(Duration)),
        "uuid" => Ok(quote!(Uuid)),
        "ipv4" => Ok(quote!(Ipv4)),
        "ipv6" => Ok(quote!(Ipv6)),
        _ => Err(Error::new(literal.span(), "this format is not checked; `email`, `uri` and `date` are, for example")),
    }
}

/// The variant of `json::Kind`.
pub(crate) fn kind(literal: &Literal) -> syn::Result<TokenStream> {
    match literal.text()?.as_str() {
        "null" => Ok(quote!(Null)),
        "boolean" => Ok(quote!(Boolean)),
        "number" => Ok(quote!(Number)),
        "string" => Ok(quote!(String)),
        "array" => Ok(quote!(Array)),
        "object" => Ok(quote!(Object)),
        _ => Err(Error::new(literal.span(), "expected `null`, `boolean`, `number`, `string`, `array` or `object`")),
    }
}
