//! Constraints checked when a request is read, as constants.

use std::collections::BTreeMap;

use heck::{ToShoutySnakeCase, ToUpperCamelCase};

use crate::emit::ty;
use crate::ir::{Api, Condition, ModelKind, Rule, Type, Value};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// Maximum depth of nested types.
const DEEPEST: usize = 16;

/// A longer list is moved to a static.
const INLINE: usize = 40;

/// Maximum length of a single inline rule.
const LONGEST: usize = 70;

/// Builds the rules of one file, and collects their statics.
pub(crate) struct Rules<'api> {
    api: &'api Api,
    is_checked: bool,
    /// The statics of the file.
    made: BTreeMap<String, String>,
    statics: Vec<TokenStream>,
}

impl<'api> Rules<'api> {
    /// No statics; without `is_checked` there are no rules.
    pub(crate) fn new(api: &'api Api, is_checked: bool) -> Self {
        // Reserved for the description of the operation.
        let made = BTreeMap::from([("OPERATION".to_owned(), String::new())]);
        Self { api, is_checked, made, statics: Vec::new() }
    }

    /// Reserves a static name.
    pub(crate) fn reserve(&mut self, name: &Ident) {
        self.made.insert(name.to_string(), String::new());
    }

    /// Takes the collected statics.
    pub(crate) fn take_statics(&mut self) -> TokenStream {
        std::mem::take(&mut self.statics).into_iter().collect()
    }

    /// The rules of a value as a slice: `&[Rule::MinLength(1)]`. Statics are named after `name`.
    pub(crate) fn of_value(&mut self, value: &Value, name: &str) -> Option<TokenStream> {
        if !self.is_checked {
            return None;
        }
        let rules = self.list(value, name, 0);
        self.slice(&rules, name)
    }

    /// The rules of an object: the number of members and conditions on them, or the number of parts.
    pub(crate) fn of_whole(&mut self, rules: &[Rule]) -> Option<TokenStream> {
        if !self.is_checked {
            return None;
        }
        let rules: Vec<_> = rules.iter().map(|rule| self.rule(rule, "")).collect();
        self.slice(&rules, "object")
    }

    fn list(&mut self, value: &Value, name: &str, depth: usize) -> Vec<TokenStream> {
        let (own, ty) = own_rules(self.api, value);
        let mut list: Vec<_> = own.into_iter().map(|rule| self.rule(rule, name)).collect();

        let (inner, suffix, kind) = match ty {
            Type::Tuple(places) if depth < DEEPEST => {
                let places: Vec<_> = places
                    .iter()
                    .enumerate()
                    .map(|(index, place)| self.list(place, &format!("{name}_{index}"), depth + 1))
                    .collect();
                if places.iter().any(|rules| !rules.is_empty()) {
                    list.push(quote!(Rule::Places(&[#(&[#(#places),*]),*])));
                }
                return list;
            }
            Type::Array(item) => (item, "item", quote!(Items)),
            Type::Map(item) => (item, "value", quote!(Values)),
            _ => return list,
        };
        if depth < DEEPEST {
            let inner = self.list(inner, &format!("{name}_{suffix}"), depth + 1);
            if !inner.is_empty() {
                list.push(quote!(Rule::#kind(&[#(#inner),*])));
            }
        }
        list
    }

    fn slice(&mut self, rules: &[TokenStream], name: &str) -> Option<TokenStream> {
        if rules.is_empty() {
            return None;
        }
        let inline = quote!(&[#(#rules),*]);
        let width = inline.to_string().replace(' ', "").len();
        if width <= INLINE || rules.len() == 1 && width <= LONGEST {
            return Some(inline);
        }
        let name = self.made(name, &quote!(&[Rule<'_>]), &inline);
        Some(quote!(#name))
    }

    fn rule(&mut self, rule: &Rule, name: &str) -> TokenStream {
        match rule {
            Rule::Minimum(bound) => bounded("Minimum", bound),
            Rule::Maximum(bound) => bounded("Maximum", bound),
            Rule::ExclusiveMinimum(bound) => bounded("ExclusiveMinimum", bound),
            Rule::ExclusiveMaximum(bound) => bounded("ExclusiveMaximum", bound),
            Rule::MultipleOf(bound) => bounded("MultipleOf", bound),
            Rule::MinLength(count) => counted("MinLength", *count),
            Rule::MaxLength(count) => counted("MaxLength", *count),
            Rule::MinItems(count) => counted("MinItems", *count),
            Rule::MaxItems(count) => counted("MaxItems", *count),
            Rule::MinProperties(count) => counted("MinProperties", *count),
            Rule::MaxProperties(count) => counted("MaxProperties", *count),
            Rule::UniqueItems => quote!(Rule::UniqueItems),
            Rule::Names(rules) => {
                let rules: Vec<_> = rules.iter().map(|rule| self.rule(rule, &format!("{name}_name"))).collect();
                quote!(Rule::Names(&[#(#rules),*]))
            }
            Rule::Matching(pattern, rules) => {
                let pattern = self.pattern(pattern, name);
                let rules: Vec<_> = rules.iter().map(|rule| self.rule(rule, &format!("{name}_value"))).collect();
                quote!(Rule::Matching(&#pattern, &[#(#rules),*]))
            }
            Rule::OneOf(texts) => quote!(Rule::OneOf(&[#(#texts),*])),
            Rule::Numbers(numbers) => {
                let numbers = numbers.iter().map(|number| bound(number));
                quote!(Rule::Numbers(&[#(#numbers),*]))
            }
            Rule::Listed(texts) => quote!(Rule::Listed(&[#(#texts),*])),
            Rule::Boolean(only) => quote!(Rule::Boolean(#only)),
            Rule::Kind(ty) => {
                let kind = ty::ident(&format!("{ty:?}"));
                quote!(Rule::Kind(Kind::#kind))
            }
            Rule::Together(together) => {
                let condition = condition(together);
                quote!(Rule::Together(#condition))
            }
            Rule::Format(format) => {
                let format = ty::ident(&format.to_upper_camel_case());
                quote!(Rule::Format(Format::#format))
            }
            Rule::Pattern(pattern) => {
                let pattern = self.pattern(pattern, name);
                quote!(Rule::Pattern(&#pattern))
            }
        }
    }

    fn pattern(&mut self, pattern: &str, name: &str) -> Ident {
        self.made(&format!("{name}_pattern"), &quote!(Pattern), &quote!(Pattern::new(#pattern)))
    }

    /// Adds a static with a value, named after `name`.
    fn made(&mut self, name: &str, ty: &TokenStream, value: &TokenStream) -> Ident {
        let name = name.to_shouty_snake_case();
        let text = value.to_string();
        let mut free = name.clone();
        let mut count = 1;
        while let Some(before) = self.made.get(&free) {
            if *before == text {
                return ty::ident(&free);
            }
            count += 1;
            free = format!("{name}_{count}");
        }
        let ident = ty::ident(&free);
        self.statics.push(quote!(static #ident: #ty = #value;));
        self.made.insert(free, text);
        ident
    }
}

/// The rules of a value, including those of aliases, and its resolved type.
pub(super) fn own_rules<'api>(api: &'api Api, value: &'api Value) -> (Vec<&'api Rule>, &'api Type) {
    let mut own: Vec<&Rule> = Vec::new();
    let mut ty = &value.ty;
    let mut rules = &value.rules;
    loop {
        own.extend(rules.iter().filter(|rule| !own.contains(rule)).collect::<Vec<_>>());
        let Type::Model(id) = ty else { return (own, ty) };
        let ModelKind::Alias(alias) = &api.model(*id).kind else { return (own, ty) };
        (ty, rules) = (&alias.value.ty, &alias.value.rules);
    }
}

fn counted(rule: &str, count: u64) -> TokenStream {
    let rule = ty::ident(rule);
    let count = ty::number(count);
    quote!(Rule::#rule(#count))
}

fn bounded(rule: &str, text: &str) -> TokenStream {
    let rule = ty::ident(rule);
    let bound = bound(text);
    quote!(Rule::#rule(#bound))
}

fn bound(text: &str) -> TokenStream {
    let Ok(number) = text.parse::<i128>() else { return quote!(Bound::Decimal(#text)) };
    let number = ty::number(number);
    quote!(Bound::Integer(#number))
}

fn condition(together: &Condition) -> TokenStream {
    match together {
        Condition::Has(names) => quote!(Together::Has(&[#(#names),*])),
        Condition::Not(inner) => {
            let inner = condition(inner);
            quote!(Together::Not(&#inner))
        }
        Condition::With(first, names) => quote!(Together::With(#first, &[#(#names),*])),
        Condition::All(conditions) => {
            let conditions = conditions.iter().map(condition);
            quote!(Together::All(&[#(#conditions),*]))
        }
        Condition::Any(conditions) => {
            let conditions = conditions.iter().map(condition);
            quote!(Together::Any(&[#(#conditions),*]))
        }
        Condition::One(conditions) => {
            let conditions = conditions.iter().map(condition);
            quote!(Together::One(&[#(#conditions),*]))
        }
    }
}
