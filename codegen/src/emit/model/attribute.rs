//! `#[json(…)]`: a model's arguments for the runtime's derive.

use proc_macro2::TokenStream;
use quote::quote;

use super::Context;
use super::rules::own_rules;
use crate::emit::ty;
use crate::ir::{Additional, Api, Condition, Model, Rule, Type, Value};

/// Maximum depth of nested types.
const DEEPEST: usize = 16;

/// The attribute, unless it is empty.
pub(super) fn json(arguments: &[TokenStream]) -> Option<TokenStream> {
    (!arguments.is_empty()).then(|| quote!(#[json(#(#arguments),*)]))
}

/// The arguments of every kind of model.
pub(super) fn of_model(context: &Context<'_>) -> Vec<TokenStream> {
    let Context { side, model, .. } = *context;
    let mut arguments = Vec::new();
    match (side.reads(model), side.writes(model)) {
        (true, true) => {}
        (true, false) => arguments.push(quote!(read)),
        (false, true) => arguments.push(quote!(write)),
        (false, false) => arguments.push(quote!(serde_only)),
    }
    arguments.extend((!side.refuses_texts(model)).then(|| quote!(tolerant)));
    // Traits that the user derives are not generated.
    let derived = super::derived(side, model);
    let is_derived = |name: &str| derived.iter().any(|path| super::trait_of(path) == name);
    let without: Vec<_> =
        ["Serialize", "Deserialize"].into_iter().filter(|name| is_derived(name)).map(ty::ident).collect();
    arguments.extend((!without.is_empty()).then(|| quote!(without(#(#without),*))));
    arguments.extend((model.in_parameter && is_parameter(model)).then(|| quote!(parameter)));
    arguments
}

/// Enums are always parameters: they have a text.
fn is_parameter(model: &Model) -> bool {
    use crate::ir::ModelKind;
    match model.kind {
        ModelKind::Struct(_) | ModelKind::Union(_) => true,
        ModelKind::Enum(_) | ModelKind::Alias(_) => false,
    }
}

/// Whether a side checks the rules of a model. A client that reads it only through serde does not.
pub(super) fn is_checked(context: &Context<'_>) -> bool {
    let Context { side, model, .. } = *context;
    if side.reads(model) { side.checks(model) } else { side.refuses_texts(model) }
}

/// The rules of a value: `max_length = 255`
pub(super) fn rules(api: &Api, value: &Value) -> Vec<TokenStream> {
    list(api, value, 0)
}

/// The rules of additional members, those of a map.
pub(super) fn rules_of_additional(api: &Api, additional: &Additional) -> Vec<TokenStream> {
    let Additional { value, rules, .. } = additional;
    let ty = Type::Map(Box::new(value.clone()));
    list(api, &Value { ty, nullable: false, boxed: false, rules: rules.clone() }, 0)
}

/// The rules of an object itself.
pub(super) fn rules_of_whole(rules: &[Rule]) -> Vec<TokenStream> {
    rules.iter().map(rule).collect()
}

fn list(api: &Api, value: &Value, depth: usize) -> Vec<TokenStream> {
    let (own, ty) = own_rules(api, value);
    let mut arguments: Vec<_> = own.into_iter().map(rule).collect();
    if depth >= DEEPEST {
        return arguments;
    }
    let (kind, inner) = match ty {
        Type::Tuple(places) => {
            let places: Vec<_> = places.iter().map(|place| list(api, place, depth + 1)).collect();
            if places.iter().any(|rules| !rules.is_empty()) {
                arguments.push(quote!(places(#(place(#(#places),*)),*)));
            }
            return arguments;
        }
        Type::Array(item) => (quote!(items), item),
        Type::Map(item) => (quote!(values), item),
        _ => return arguments,
    };
    let inner = list(api, inner, depth + 1);
    arguments.extend((!inner.is_empty()).then(|| quote!(#kind(#(#inner),*))));
    arguments
}

fn rule(rule: &Rule) -> TokenStream {
    let counted = |name: &str, count: u64| {
        let (name, count) = (ty::ident(name), ty::number(count));
        quote!(#name = #count)
    };
    let bounded = |name: &str, text: &str| {
        let (name, number) = (ty::ident(name), number(text));
        quote!(#name = #number)
    };
    let texts = |name: &str, texts: &[String]| {
        let (name, texts) = (ty::ident(name), texts.iter().map(|text| raw(text)));
        quote!(#name(#(#texts),*))
    };
    match rule {
        Rule::Minimum(bound) => bounded("minimum", bound),
        Rule::Maximum(bound) => bounded("maximum", bound),
        Rule::ExclusiveMinimum(bound) => bounded("exclusive_minimum", bound),
        Rule::ExclusiveMaximum(bound) => bounded("exclusive_maximum", bound),
        Rule::MultipleOf(bound) => bounded("multiple_of", bound),
        Rule::MinLength(count) => counted("min_length", *count),
        Rule::MaxLength(count) => counted("max_length", *count),
        Rule::MinItems(count) => counted("min_items", *count),
        Rule::MaxItems(count) => counted("max_items", *count),
        Rule::MinProperties(count) => counted("min_properties", *count),
        Rule::MaxProperties(count) => counted("max_properties", *count),
        Rule::UniqueItems => quote!(unique_items),
        Rule::Pattern(pattern) => {
            let pattern = raw(pattern);
            quote!(pattern = #pattern)
        }
        Rule::Format(format) => quote!(format = #format),
        Rule::OneOf(names) => texts("one_of", names),
        Rule::Listed(values) => texts("listed", values),
        Rule::Numbers(numbers) => {
            let numbers = numbers.iter().map(|text| number(text));
            quote!(numbers(#(#numbers),*))
        }
        Rule::Boolean(only) => quote!(boolean = #only),
        Rule::Kind(json_type) => {
            let json_type = json_type.name();
            quote!(json_type = #json_type)
        }
        Rule::Names(rules) => {
            let rules = rules.iter().map(self::rule);
            quote!(names(#(#rules),*))
        }
        Rule::Matching(pattern, rules) => {
            let (pattern, rules) = (raw(pattern), rules.iter().map(self::rule));
            quote!(matching(#pattern, #(#rules),*))
        }
        Rule::Together(together) => {
            let condition = condition(together);
            quote!(together(#condition))
        }
    }
}

fn condition(together: &Condition) -> TokenStream {
    let inner = |name: &str, conditions: &[Condition]| {
        let (name, conditions) = (ty::ident(name), conditions.iter().map(condition));
        quote!(#name(#(#conditions),*))
    };
    match together {
        Condition::Has(names) => quote!(has(#(#names),*)),
        Condition::Not(one) => inner("not", std::slice::from_ref(&**one)),
        Condition::With(first, names) => quote!(with(#first, #(#names),*)),
        Condition::All(conditions) => inner("all", conditions),
        Condition::Any(conditions) => inner("any", conditions),
        Condition::One(conditions) => inner("one", conditions),
    }
}

/// A number literal; a string if Rust has no such literal.
fn number(text: &str) -> TokenStream {
    if let Ok(number) = text.parse::<i128>() {
        return ty::number(number);
    }
    let is_digits = |digits: &str| !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    let is_plain = text.strip_prefix('-').unwrap_or(text).split_once('.');
    match is_plain {
        Some((whole, rest)) if is_digits(whole) && is_digits(rest) => ty::tokens(text),
        _ => quote!(#text),
    }
}

/// A raw string literal if the text needs escapes.
fn raw(text: &str) -> TokenStream {
    if !text.contains(['\\', '"']) || text.chars().any(|letter| letter.is_control() || letter == '\u{feff}') {
        return quote!(#text);
    }
    let mut fence = String::new();
    while text.contains(&format!("\"{fence}")) {
        fence.push('#');
    }
    ty::tokens(&format!("r{fence}\"{text}\"{fence}"))
}
