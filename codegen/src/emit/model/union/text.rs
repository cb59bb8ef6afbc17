//! Unions in parameters: the first variant that the text can be read as.

use crate::emit::profile::Side;
use crate::emit::text_form::TextForm;
use crate::emit::ty;
use crate::ir::{Api, Model, ModelId, ModelKind, Type, Union, Value};
use printing::{Tokens, quote};

/// `FromText` and `ToText` when every variant is one text, otherwise `FromParameter` and `ToParameter`.
pub(super) fn items(api: &Api, side: Side, model: &Model, union: &Union, rules: &[Option<Tokens>]) -> Tokens {
    let forms = forms(api, union);
    let (read, write) = if forms.iter().all(|form| *form == TextForm::Text) {
        (from_text(side, model, union, rules), to_text(api, side, model, union))
    } else {
        (from_parameter(api, side, model, union, &forms, rules), to_parameter(api, side, model, union, &forms))
    };
    let read = side.reads(model).then_some(read);
    let write = side.writes(model).then_some(write);
    quote!(#read #write)
}

fn forms(api: &Api, union: &Union) -> Vec<TextForm> {
    let form = |value: &Value| if value.nullable { TextForm::Json } else { TextForm::of(api, value) };
    union.variants.iter().map(|variant| form(&variant.value)).collect()
}

/// How the variants are tried: by their rules, and where a text that breaks them is not refused, then without them.
fn attempts(
    side: Side,
    model: &Model,
    rules: &[Option<Tokens>],
    attempt: impl Fn(usize, Option<&Tokens>) -> Tokens,
) -> Vec<Tokens> {
    let by_rules = rules.iter().enumerate().map(|(index, rules)| attempt(index, rules.as_ref()));
    let with_rules = rules.iter().enumerate().filter(|(_, rules)| rules.is_some() && !side.refuses_texts(model));
    by_rules.chain(with_rules.map(|(index, _)| attempt(index, None))).collect()
}

fn from_text(side: Side, model: &Model, union: &Union, rules: &[Option<Tokens>]) -> Tokens {
    let name = ty::ident(&model.name.rust);
    let attempts = attempts(side, model, rules, |index, rules| {
        let variant = &union.variants[index];
        let rust = ty::ident(&variant.rust);
        let name = &variant.rust;
        let exact = variant.exact.then(|| quote!(.and_then(|value| text::exact(text, value))));
        match rules {
            None => quote!((#name, |text| FromText::from_text(text) #exact .map(Self::#rust)),),
            Some(rules) => quote!((#name, |text| rule::text_checked(text, #rules) #exact .map(Self::#rust)),),
        }
    });

    quote! {
        impl FromText for #name {
            fn from_text(text: &str) -> Result<Self, Refusal> {
                text::first_of(text, &[#(#attempts)*])
            }
        }
    }
}

fn to_text(api: &Api, side: Side, model: &Model, union: &Union) -> Tokens {
    let name = ty::ident(&model.name.rust);
    let arms = super::arms(api, union, |_| quote!(value.to_text()));
    let unknown = match side {
        Side::Server => None,
        Side::Client => {
            let unknown = super::unknown(union);
            Some(quote!(Self::#unknown(value) => Cow::Owned(value.to_string()),))
        }
    };

    quote! {
        impl ToText for #name {
            fn to_text(&self) -> Cow<'_, str> {
                match self {
                    #(#arms)*
                    #unknown
                }
            }
        }
    }
}

fn from_parameter(
    api: &Api,
    side: Side,
    model: &Model,
    union: &Union,
    forms: &[TextForm],
    rules: &[Option<Tokens>],
) -> Tokens {
    let name = ty::ident(&model.name.rust);
    let shape = shape(api, union);
    let order = order(api, union, forms);
    let rules: Vec<_> = order.iter().map(|index| rules[*index].clone()).collect();
    let attempts = attempts(side, model, &rules, |place, rules| {
        let (variant, form) = (&union.variants[order[place]], &forms[order[place]]);
        let rust = ty::ident(&variant.rust);
        let name = &variant.rust;
        let boxed = form.is_boxed(&variant.value).then(|| quote!(.map(Box::new)));
        if variant.exact {
            let read = match rules {
                None => quote!(FromParameter::from_parameter(raw.clone(), at)),
                Some(rules) => quote!(at.parameter_checked(raw.clone(), #rules)),
            };
            return quote!((#name, |raw, at| #read.and_then(|value| at.exact(&raw, value)).map(Self::#rust)),);
        }
        match (*form == TextForm::Json, rules) {
            (true, None) => quote!((#name, |raw, at| at.json_text(&raw).map(Self::#rust)),),
            (true, Some(rules)) => quote!((#name, |raw, at| at.json_text_checked(&raw, #rules).map(Self::#rust)),),
            (false, None) => {
                quote!((#name, |raw, at| FromParameter::from_parameter(raw, at) #boxed .map(Self::#rust)),)
            }
            (false, Some(rules)) => {
                quote!((#name, |raw, at| at.parameter_checked(raw, #rules) #boxed .map(Self::#rust)),)
            }
        }
    });

    quote! {
        impl FromParameter for #name {
            const SHAPE: Shape = #shape;

            fn from_parameter(raw: Raw<'_>, at: &mut Notes) -> Option<Self> {
                at.first_of(&raw, &[#(#attempts)*])
            }
        }
    }
}

fn to_parameter(api: &Api, side: Side, model: &Model, union: &Union, forms: &[TextForm]) -> Tokens {
    let name = ty::ident(&model.name.rust);
    let arms = super::arms(api, union, |index| {
        if forms[index] == TextForm::Json { quote!(Raw::json(value)) } else { quote!(value.to_parameter()) }
    });
    let unknown = match side {
        Side::Server => None,
        Side::Client => {
            let unknown = super::unknown(union);
            Some(quote!(Self::#unknown(value) => Raw::json(value),))
        }
    };

    quote! {
        impl ToParameter for #name {
            fn to_parameter(&self) -> Raw<'_> {
                match self {
                    #(#arms)*
                    #unknown
                }
            }
        }
    }
}

/// The variants in their order, but listed values before a list: a text alone may be either, and is the value if it is one.
fn order(api: &Api, union: &Union, forms: &[TextForm]) -> Vec<usize> {
    let first_list = forms.iter().position(|form| *form == TextForm::Texts);
    let is_listed = |index: usize| match api.resolved(&union.variants[index].value.ty) {
        Type::Model(id) => forms[index] == TextForm::Text && matches!(api.model(*id).kind, ModelKind::Enum(_)),
        _ => false,
    };
    let mut order: Vec<_> = (0..forms.len()).collect();
    order.sort_by_key(|index| match first_list {
        Some(list) if list < *index && is_listed(*index) => (list, 0),
        _ => (*index, 1),
    });
    order
}

/// What all variants are made of. Where nothing has members, a text is a list of one, too.
fn shape(api: &Api, union: &Union) -> Tokens {
    let mut all = Vec::new();
    spread(api, union, &mut all, &mut Vec::new());
    let has_members = all.contains(&TextForm::Fields);
    if has_members && all.iter().any(|form| *form != TextForm::Fields) {
        quote!(Shape::Several)
    } else if has_members {
        quote!(Shape::Object)
    } else if all.contains(&TextForm::Texts) {
        quote!(Shape::Array)
    } else {
        quote!(Shape::Primitive)
    }
}

/// Adds the forms of the variants, and of those of each union among them.
fn spread(api: &Api, union: &Union, all: &mut Vec<TextForm>, seen: &mut Vec<ModelId>) {
    for (variant, form) in union.variants.iter().zip(forms(api, union)) {
        if form != TextForm::Several {
            all.push(form);
        } else if let Type::Model(id) = api.resolved(&variant.value.ty)
            && let ModelKind::Union(inner) = &api.model(*id).kind
            && !seen.contains(id)
        {
            seen.push(*id);
            spread(api, inner, all, seen);
        }
    }
}
