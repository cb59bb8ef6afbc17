#![doc = include_str!("../README.md")]
//! # Attributes
//!
//! Each item says in `#[json(…)]` what its Rust type does not: its name on the wire first, then words, then rules.
//!
//! # Structs
//!
//! A field is a member. `T` is required, `Option<T>` may be absent, `Maybe<T>` may be absent or `null`.
//!
//! | of the struct | |
//! |---|---|
//! | `any_case` | names of members are matched in any ASCII letter case |
//! | `closed` | other members are refused; without it they are skipped |
//! | `constant("kind", "card")` | a member that has one value and no field; with `expected` or `optional`, and `skip_read` or `skip_write` |
//! | `min_properties = 1`, `max_properties`, `together(…)`, `schema = "{…}"` | rules of the whole object |
//!
//! | of a field | |
//! |---|---|
//! | `nullable` | an `Option` that is always there: `None` is `null` |
//! | `expected` | only a strict reader requires the member; a tolerant one takes `None` or the default for it |
//! | `any` | an `Option` of what may be any JSON: `null` is a value |
//! | `skip_read`, `skip_write` | the member is never read, or never written |
//! | `others` | a `BTreeMap<String, T>` of the members that no other field names |
//! | `as_json`, `nested` | in a parameter: JSON in a text; others that have members of their own |
//!
//! # Enums
//!
//! Each variant names its text or number; `i32` and the like on the enum say that it is a number, `names` that parameters may
//! use names of variants in its place. A variant `#[json(other)] Unknown(Unknown<String>)` keeps values that are not listed.
//!
//! # Unions
//!
//! Each variant holds one value. Its variant is found by one of:
//!
//! | of the union | of each variant |
//! |---|---|
//! | `discriminator = "kind"` | `"card"`: its tags. `add_tag`: its own type does not have the member. `untagged`: values without the member; `untagged = 2`: the second that is tried for them. `unmapped`: any other value |
//! | | `kind = "string"`: the type of JSON |
//! | | `member = "iban"`: a member that only it has; with `any_of` on the union, an object with several of them is the first variant that can be read |
//! | | otherwise the first that can be read |
//!
//! A variant `#[json(other)] Unknown(Value)` keeps what fits no variant. `text` and `parameter` with `shape = "array"` and
//! `order(1, 0)` say how it stands in parameters; `exact` takes a variant only when it writes the same text.
//!
//! # All of them
//!
//! | | |
//! |---|---|
//! | `read`, `write` | one way only; serde's traits have both, and with `serde_only` they alone |
//! | `parameter` | it is a parameter or a form, too |
//! | `tolerant` | parameters and serde's traits overlook what a tolerant reader does |
//! | `without(Serialize)` | the user derives this trait of serde |
//!
//! # Rules
//!
//! `minimum`, `maximum`, `exclusive_minimum`, `exclusive_maximum`, `multiple_of`, `min_length`, `max_length`, `pattern`,
//! `format`, `one_of("a", "b")`, `numbers(1, 2)`, `boolean`, `listed("[1]")`, `json_type`, `min_items`, `max_items`,
//! `unique_items`, `min_properties`, `max_properties`, `schema` with the JSON text of a JSON Schema, and for what is inside `items(…)`, `places(place(…), place(…))`,
//! `names(…)`, `values(…)` and `matching("pattern", …)`. Outside of a model, [`rules!`] takes them.

mod arguments;
mod choices;
mod model;
mod object;
mod parameter;
mod rule;
mod shape;
mod union;
mod union_text;

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Error, parse_macro_input};

use arguments::Arguments;
use model::{Model, Statics};

/// Implements the runtime's traits for a struct or an enum; the documentation of this crate lists what `#[json(…)]` takes.
#[proc_macro_derive(Json, attributes(json))]
pub fn json(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    derive(&parse_macro_input!(input as DeriveInput)).unwrap_or_else(Error::into_compile_error).into()
}

/// Rules as a slice of `rule::Rule`: `rules!(min_length = 1, pattern = "^a")`.
#[proc_macro]
pub fn rules(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    slice(parse_macro_input!(input as Arguments)).unwrap_or_else(Error::into_compile_error).into()
}

fn slice(mut arguments: Arguments) -> syn::Result<TokenStream> {
    let mut statics = Statics::default();
    let rules = rule::slice(&mut arguments, &mut statics)?;
    arguments.finish()?;
    let statics = statics.items();
    Ok(quote! {{
        use ::specwright_runtime as __runtime;
        #statics
        static RULES: &[__runtime::rule::Rule<'static>] = #rules;
        RULES
    }})
}

fn derive(input: &DeriveInput) -> syn::Result<TokenStream> {
    if let Some(parameter) = input.generics.params.first() {
        return Err(Error::new_spanned(parameter, "a model has no generic parameters"));
    }
    let (mut model, mut arguments) = Model::of(input)?;
    let items = match &input.data {
        Data::Struct(data) => object::items(&mut model, &mut arguments, &data.fields)?,
        Data::Enum(data) if union::is_union(data) => union::items(&mut model, &mut arguments, data)?,
        Data::Enum(data) => choices::items(&mut model, &mut arguments, data)?,
        Data::Union(data) => return Err(Error::new(data.union_token.span, "expected a struct or an enum")),
    };
    arguments.finish()?;
    let (statics, traits) = (model.statics.items(), model.traits());
    Ok(quote! {
        const _: () = {
            use ::specwright_runtime as __runtime;
            #statics
            #items
            #traits
        };
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_is_wrong_is_said_in_a_sentence() {
        for (input, expected) in [
            (r#"struct A { #[json("a", max_lenght = 3)] a: String }"#, "`max_lenght` has no use here in this form"),
            (r#"struct A { #[json(max_length = "3")] a: String }"#, "expected a whole number that is not negative"),
            (r#"struct A { #[json("a", "b")] a: String }"#, "this value has no use here"),
            ("struct A { #[json(nullable)] a: String }", "`nullable` and `any` are for an `Option`, one at a time"),
            ("#[json(close)] struct A {}", "`close` has no use here in this form"),
            ("struct A(i32);", "expected fields with names"),
            ("struct A<T> { a: T }", "a model has no generic parameters"),
            ("enum A { B }", r#"expected its value: `#[json("…")]`"#),
            (r#"#[json(i8)] enum A { #[json("b")] B }"#, "expected a whole number"),
            ("#[json(parameter, order(0))] enum A { B(B), C(C) }", "expected the place of each variant"),
            (
                r#"enum A { #[json(kind = "text")] B(B) }"#,
                "expected `null`, `boolean`, `number`, `string`, `array` or `object`",
            ),
            (
                r#"enum A { #[json(member = "b")] B(B), C(C) }"#,
                "every variant needs a `kind`, every one a `member`, or none does",
            ),
        ] {
            let input = syn::parse_str(input).expect("Rust");
            assert_eq!(super::derive(&input).expect_err("it is wrong").to_string(), expected);
        }
    }
}
