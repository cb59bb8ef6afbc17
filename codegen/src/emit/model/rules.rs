//! The rules of values, as the runtime's derive and its macro `rules!` take them: `max_length = 255`.

use proc_macro2::TokenStream;
use quote::quote;

use crate::emit::ty;
use crate::ir::{Additional, Api, Condition, MAX_TYPE_DEPTH, ModelKind, Multipart, Rule, Type, Value};

/// The rules of a value as a slice: `rules!(min_length = 1)`.
pub(crate) fn of_value(api: &Api, value: &Value) -> Option<TokenStream> {
    let rules = arguments(api, value);
    (!rules.is_empty()).then(|| quote!(rules!(#(#rules),*)))
}

/// The rules for which parts of a body go together; their number is checked while they arrive.
pub(crate) fn of_parts(multipart: &Multipart) -> Option<TokenStream> {
    let rules = multipart.rules.iter().filter(|rule| matches!(rule, Rule::Together(_) | Rule::Schema(_)));
    let rules: Vec<_> = rules.map(rule).collect();
    (!rules.is_empty()).then(|| quote!(rules!(#(#rules),*)))
}

/// The rules of a value that is any text.
pub(crate) fn of_text(api: &Api, value: &Value) -> Option<TokenStream> {
    let (_, ty) = own_rules(api, value);
    if *ty == Type::String { of_value(api, value) } else { None }
}

/// The rules of a value: `max_length = 255`
pub(super) fn arguments(api: &Api, value: &Value) -> Vec<TokenStream> {
    list(api, value, 0)
}

/// The rules of additional members, those of a map.
pub(super) fn arguments_of_additional(api: &Api, additional: &Additional) -> Vec<TokenStream> {
    let Additional { value, rules, .. } = additional;
    let ty = Type::Map(Box::new(value.clone()));
    list(api, &Value { ty, nullable: false, boxed: false, rules: rules.clone() }, 0)
}

/// The rules of an object itself.
pub(super) fn arguments_of_whole(rules: &[Rule]) -> Vec<TokenStream> {
    rules.iter().map(rule).collect()
}

fn list(api: &Api, value: &Value, depth: usize) -> Vec<TokenStream> {
    let (own, ty) = own_rules(api, value);
    let mut arguments: Vec<_> = own.into_iter().map(rule).collect();
    if depth >= MAX_TYPE_DEPTH {
        return arguments;
    }
    let (kind, inner) = match ty {
        Type::Tuple(tuple) => {
            let places: Vec<_> = tuple.places.iter().map(|place| list(api, place, depth + 1)).collect();
            let further: Vec<_> = tuple.further.iter().flat_map(|item| list(api, item, depth + 1)).collect();
            if places.iter().any(|rules| !rules.is_empty()) || !further.is_empty() {
                arguments.push(quote!(places(#(place(#(#places),*)),*)));
            }
            arguments.extend((!further.is_empty()).then(|| quote!(items(#(#further),*))));
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
        Rule::Schema(schema) => {
            let schema = raw(schema);
            quote!(schema = #schema)
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

/// The rules of a value, including those of aliases, and its resolved type.
fn own_rules<'api>(api: &'api Api, value: &'api Value) -> (Vec<&'api Rule>, &'api Type) {
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
