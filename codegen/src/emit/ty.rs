//! Rust types of the description's types.

use crate::ir::{Api, Codec, Foreign, ForeignForm, IntegerKind, Model, Presence, Type, Value};
use std::fmt::Display;

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

/// An identifier, raw if necessary.
pub fn ident(rust: &str) -> Ident {
    match rust.strip_prefix("r#") {
        Some(name) => Ident::new_raw(name, Span::call_site()),
        None => Ident::new(rust, Span::call_site()),
    }
}

/// Rust written by a user, parsed in `lower`.
pub(crate) fn tokens(rust: &str) -> TokenStream {
    rust.parse().unwrap_or_default()
}

/// An integer without a suffix, with digit groups from six digits on, as Clippy asks.
pub fn number(number: impl Display) -> TokenStream {
    let mut text = number.to_string();
    let first = usize::from(text.starts_with('-'));
    if text.len() - first > 5 {
        let mut place = text.len();
        while place > first + 3 {
            place -= 3;
            text.insert(place, '_');
        }
    }
    tokens(&text)
}

/// The path of a model in other files: `models::Account`.
pub(crate) fn model(model: &Model) -> TokenStream {
    let name = ident(&model.name.rust);
    quote!(models::#name)
}

/// The type of an array item, a map value, a union's content or a body: `Option<T>` if nullable.
pub fn value(api: &Api, value: &Value) -> TokenStream {
    let present = present(api, value);
    if value.nullable { quote!(Option<#present>) } else { present }
}

/// The type of a value that is present and not `null`.
pub(crate) fn present(api: &Api, value: &Value) -> TokenStream {
    let ty = ty(api, &value.ty);
    if value.boxed { quote!(Box<#ty>) } else { ty }
}

/// The type of a member: `T`, `Option<T>` or `Maybe<T>`.
pub(crate) fn field(api: &Api, value: &Value, presence: Presence) -> TokenStream {
    let present = present(api, value);
    match presence {
        Presence::Required => present,
        Presence::Optional | Presence::Nullable => quote!(Option<#present>),
        Presence::OptionalNullable => quote!(Maybe<#present>),
    }
}

/// The type without `Option` or `Box`.
pub(crate) fn ty(api: &Api, ty: &Type) -> TokenStream {
    match ty {
        Type::Boolean => quote!(bool),
        Type::Integer(kind) => integer(*kind),
        Type::Float => quote!(f32),
        Type::Double => quote!(f64),
        Type::Decimal => quote!(Decimal),
        Type::DecimalNumber => quote!(DecimalNumber),
        Type::String => quote!(String),
        Type::Date => quote!(Date),
        Type::Time => quote!(Time),
        Type::DateTime => quote!(Timestamp),
        Type::DateTimeLocal => quote!(DateTime),
        Type::Duration => quote!(SpanFieldwise),
        Type::Uuid => quote!(Uuid),
        Type::Ipv4 => quote!(Ipv4Addr),
        Type::Ipv6 => quote!(Ipv6Addr),
        Type::Base64 => quote!(Base64),
        Type::Binary => quote!(Bytes),
        Type::Any => quote!(json::Value),
        Type::Array(item) => {
            let item = value(api, item);
            quote!(Vec<#item>)
        }
        Type::Tuple(tuple) => {
            let (required, optional) = tuple.places.split_at(tuple.least);
            let required = required.iter().map(|place| value(api, place));
            let optional = optional.iter().map(|place| value(api, place));
            let further = tuple.further.iter().map(|item| value(api, item));
            quote!((#(#required,)* #(json::OptionalItem<#optional>,)* #(json::FurtherItems<#further>,)*))
        }
        Type::Map(item) => {
            let item = value(api, item);
            quote!(BTreeMap<String, #item>)
        }
        Type::Model(id) => model(api.model(*id)),
        Type::Foreign(foreign) if foreign.is_wrapped() => wrapped(foreign),
        Type::Foreign(foreign) => self::foreign(foreign),
    }
}

/// The full path of a type of another crate.
pub(crate) fn foreign(foreign: &Foreign) -> TokenStream {
    // The path was parsed in `lower`.
    tokens(&foreign.path)
}

/// The same in the runtime's wrapper.
fn wrapped(foreign: &Foreign) -> TokenStream {
    let wrapper = ident(match foreign.form() {
        ForeignForm::Text => "Text",
        ForeignForm::Number => "Number",
        ForeignForm::Json => "Json",
    });
    let path = self::foreign(foreign);
    match &foreign.codec {
        Codec::Type | Codec::Runtime(_) => quote!(wrapped::#wrapper<#path>),
        Codec::With(functions) => {
            let form = ident(&functions.rust);
            quote!(with::#wrapper<#path, crate::foreign::#form>)
        }
    }
}

/// The resolved type without rules, for comparison.
pub(crate) fn followed(api: &Api, value: &Value) -> Value {
    let ty = match api.resolved(&value.ty) {
        Type::Array(item) => Type::Array(Box::new(followed(api, item))),
        Type::Map(item) => Type::Map(Box::new(followed(api, item))),
        Type::Tuple(tuple) => {
            let mut tuple = tuple.clone();
            tuple.values_mut().for_each(|item| *item = followed(api, item));
            Type::Tuple(tuple)
        }
        ty => ty.clone(),
    };
    Value { ty, nullable: value.nullable, boxed: value.boxed, rules: Vec::new() }
}

/// The primitive type.
pub(crate) fn integer(kind: IntegerKind) -> TokenStream {
    match kind {
        IntegerKind::I8 => quote!(i8),
        IntegerKind::I16 => quote!(i16),
        IntegerKind::I32 => quote!(i32),
        IntegerKind::I64 => quote!(i64),
        IntegerKind::U8 => quote!(u8),
        IntegerKind::U16 => quote!(u16),
        IntegerKind::U32 => quote!(u32),
        IntegerKind::U64 => quote!(u64),
    }
}
