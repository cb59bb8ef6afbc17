//! How the values of parameters and forms are written as texts, for a reader that does not know their types.

use proc_macro2::TokenStream;
use quote::quote;

use crate::ir::{self, Api, ModelId, ModelKind, Type, Value};

/// A form of the runtime.
#[derive(Clone, Debug)]
enum TextForm<'api> {
    Plain,
    Json,
    Any,
    Items(Box<Self>),
    /// The members, and all others.
    Members(Vec<(&'api str, Self)>, Box<Self>),
}

/// `arguments::TextForm::Members(…)`; `None` if no part of the value is JSON.
pub(super) fn of(api: &Api, value: &Value) -> Option<TokenStream> {
    let form = form(api, value, ir::TextForm::default(), &mut Vec::new());
    (!form.is_plain()).then(|| form.tokens())
}

/// The form of a value; in a recursive type, that of its outermost values.
fn form<'api>(api: &'api Api, value: &Value, own: ir::TextForm, within: &mut Vec<ModelId>) -> TextForm<'api> {
    match api.resolved(&value.ty) {
        _ if own == ir::TextForm::Json => TextForm::Json,
        Type::Any => TextForm::Any,
        Type::Array(item) => match form(api, item, ir::TextForm::default(), within) {
            TextForm::Plain => TextForm::Plain,
            form => TextForm::Items(Box::new(form)),
        },
        Type::Model(id) if !within.contains(id) => {
            within.push(*id);
            let form = of_model(api, &api.models[id.0].kind, within);
            within.pop();
            form
        }
        _ => TextForm::Plain,
    }
}

fn of_model<'api>(api: &'api Api, kind: &'api ModelKind, within: &mut Vec<ModelId>) -> TextForm<'api> {
    match kind {
        ModelKind::Struct(struct_) => {
            let others = struct_.additional.as_ref();
            let others = others.map_or(TextForm::Plain, |others| form(api, &others.value, others.form, within));
            let members = struct_.fields.iter();
            let members = members.map(|field| (field.name.wire.as_str(), form(api, &field.value, field.form, within)));
            let members: Vec<_> = members.filter(|(_, form)| !form.is_plain() || !others.is_plain()).collect();
            if members.is_empty() && others.is_plain() {
                return TextForm::Plain;
            }
            TextForm::Members(members, Box::new(others))
        }
        ModelKind::Union(union) => {
            let variants = union.variants.iter();
            variants.fold(TextForm::Plain, |all, variant| all.or(form(api, &variant.value, variant.form, within)))
        }
        ModelKind::Enum(_) | ModelKind::Alias(_) => TextForm::Plain,
    }
}

impl TextForm<'_> {
    fn is_plain(&self) -> bool {
        matches!(self, Self::Plain)
    }

    /// The form of a value that has either form; a text among variants is never JSON.
    fn or(self, other: Self) -> Self {
        match (self, other) {
            (Self::Plain, Self::Json) => Self::Any,
            (Self::Plain, other) => other,
            (Self::Members(mut members, others), Self::Members(more, of_more)) => {
                members.extend(more);
                Self::Members(members, if others.is_plain() { of_more } else { others })
            }
            (own, _) => own,
        }
    }

    fn tokens(&self) -> TokenStream {
        match self {
            Self::Plain => quote!(arguments::TextForm::Plain),
            Self::Json => quote!(arguments::TextForm::Json),
            Self::Any => quote!(arguments::TextForm::Any),
            Self::Items(form) => {
                let form = form.tokens();
                quote!(arguments::TextForm::Items(&#form))
            }
            Self::Members(members, others) => {
                let members = members.iter().map(|(name, form)| {
                    let form = form.tokens();
                    quote!((#name, #form))
                });
                let others = others.tokens();
                quote!(arguments::TextForm::Members(&[#(#members),*], &#others))
            }
        }
    }
}
