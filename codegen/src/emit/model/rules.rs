//! The constraints that the server checks, as constants.

use std::collections::BTreeSet;

use heck::ToShoutySnakeCase;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use crate::emit::profile::Side;
use crate::ir::{Field, Rule, Type, Value};

/// Collects the statics that the rules of a file refer to.
pub(crate) struct Rules {
    side: Side,
    names: BTreeSet<String>,
    statics: Vec<TokenStream>,
}

impl Rules {
    /// No statics yet; a client has no rules at all.
    pub(crate) fn new(side: Side) -> Self {
        Self { side, names: BTreeSet::new(), statics: Vec::new() }
    }

    /// The statics, which stand before what refers to them.
    pub(crate) fn into_statics(self) -> TokenStream {
        self.statics.into_iter().collect()
    }

    /// The rules of a member: `&[Rule::MinLength(1)]`.
    pub(super) fn of(&mut self, field: &Field) -> Option<TokenStream> {
        self.of_value(&field.value, &field.name.rust)
    }

    /// The rules of a value; patterns are named after `name`.
    pub(crate) fn of_value(&mut self, value: &Value, name: &str) -> Option<TokenStream> {
        match self.side {
            Side::Server => {
                let rules = self.list(value, name);
                (!rules.is_empty()).then(|| quote!(&[#(#rules),*]))
            }
            Side::Client => None,
        }
    }

    fn list(&mut self, value: &Value, name: &str) -> Vec<TokenStream> {
        let mut rules: Vec<_> = value.rules.iter().map(|rule| self.rule(rule, &value.ty, name)).collect();
        match &value.ty {
            Type::Array(item) => {
                rules.extend(self.nested(item, &format!("{name}_item")).map(|items| quote!(Rule::Items(#items))))
            }
            Type::Map(item) => {
                rules.extend(self.nested(item, &format!("{name}_value")).map(|values| quote!(Rule::Values(#values))))
            }
            _ => {}
        }
        rules
    }

    /// The rules of the items of an array. A list with a pattern is a static of its own: it cannot be promoted.
    fn nested(&mut self, item: &Value, name: &str) -> Option<TokenStream> {
        let before = self.statics.len();
        let rules = self.list(item, name);
        if rules.is_empty() {
            None
        } else if self.statics.len() == before {
            Some(quote!(&[#(#rules),*]))
        } else {
            let name = self.name(&format!("{name}_rules"));
            self.statics.push(quote!(static #name: &[Rule] = &[#(#rules),*];));
            Some(quote!(#name))
        }
    }

    fn rule(&mut self, rule: &Rule, ty: &Type, name: &str) -> TokenStream {
        match rule {
            Rule::Minimum(bound) => {
                let bound = number(bound, ty);
                quote!(Rule::Minimum(#bound))
            }
            Rule::Maximum(bound) => {
                let bound = number(bound, ty);
                quote!(Rule::Maximum(#bound))
            }
            Rule::ExclusiveMinimum(bound) => {
                let bound = number(bound, ty);
                quote!(Rule::ExclusiveMinimum(#bound))
            }
            Rule::ExclusiveMaximum(bound) => {
                let bound = number(bound, ty);
                quote!(Rule::ExclusiveMaximum(#bound))
            }
            Rule::MultipleOf(bound) => {
                let bound = number(bound, ty);
                quote!(Rule::MultipleOf(#bound))
            }
            Rule::MinLength(count) => counted("MinLength", *count),
            Rule::MaxLength(count) => counted("MaxLength", *count),
            Rule::MinItems(count) => counted("MinItems", *count),
            Rule::MaxItems(count) => counted("MaxItems", *count),
            Rule::MinProperties(count) => counted("MinProperties", *count),
            Rule::MaxProperties(count) => counted("MaxProperties", *count),
            Rule::UniqueItems => quote!(Rule::UniqueItems),
            Rule::Format(format) => quote!(Rule::Format(#format)),
            Rule::Pattern(pattern) => {
                let name = self.name(name);
                self.statics.push(quote!(static #name: Pattern = Pattern::new(#pattern);));
                quote!(Rule::Pattern(&#name))
            }
        }
    }

    /// A name for a static that is not taken yet.
    fn name(&mut self, name: &str) -> proc_macro2::Ident {
        let name = name.trim_start_matches("r#").to_shouty_snake_case();
        let mut free = name.clone();
        let mut count = 1;
        // `MEMBERS` lists the names of an object.
        while free == "MEMBERS" || !self.names.insert(free.clone()) {
            count += 1;
            free = format!("{name}_{count}");
        }
        format_ident!("{free}")
    }
}

fn counted(rule: &str, count: u64) -> TokenStream {
    let rule = format_ident!("{rule}");
    let count = proc_macro2::Literal::u64_unsuffixed(count);
    quote!(Rule::#rule(#count))
}

/// A bound in the form that the type is compared in.
fn number(text: &str, _ty: &Type) -> TokenStream {
    if let Ok(integer) = text.parse::<i64>() {
        let integer = proc_macro2::Literal::i64_unsuffixed(integer);
        quote!(Bound::Integer(#integer))
    } else if let Ok(decimal) = text.parse::<f64>() {
        let decimal = proc_macro2::Literal::f64_unsuffixed(decimal);
        quote!(Bound::Number(#decimal))
    } else {
        quote!(Bound::Integer(0))
    }
}
