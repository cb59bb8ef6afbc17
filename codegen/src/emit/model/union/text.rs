//! Unions in parameters: the first variant that the text can be read as.

use crate::emit::profile::Side;
use crate::emit::text_form::TextForm;
use crate::emit::ty;
use crate::ir::{Api, Model, Union};
use crate::tokens::{Tokens, quote};

/// `FromText` and `ToText` when every variant is one text, otherwise `FromParameter` and `ToParameter`.
pub(super) fn items(api: &Api, side: Side, model: &Model, union: &Union, rules: &[Option<Tokens>]) -> Tokens {
    let forms: Vec<_> = union
        .variants
        .iter()
        .map(|variant| if variant.value.nullable { TextForm::Json } else { TextForm::of(api, &variant.value) })
        .collect();
    let (read, write) = if forms.iter().all(|form| *form == TextForm::Text) {
        (from_text(side, model, union, rules), to_text(api, side, model, union))
    } else {
        (from_parameter(side, model, union, &forms, rules), to_parameter(api, side, model, union, &forms))
    };
    let read = side.reads(model).then_some(read);
    let write = side.writes(model).then_some(write);
    quote!(#read #write)
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
        match rules {
            None => quote!((#name, |text| FromText::from_text(text).map(Self::#rust)),),
            Some(rules) => quote!((#name, |text| rule::text_checked(text, #rules).map(Self::#rust)),),
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
        Side::Client => Some(quote!(Self::Unknown(value) => Cow::Owned(value.to_string()),)),
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

fn from_parameter(side: Side, model: &Model, union: &Union, forms: &[TextForm], rules: &[Option<Tokens>]) -> Tokens {
    let name = ty::ident(&model.name.rust);
    let shape = shape(forms);
    let attempts = attempts(side, model, rules, |index, rules| {
        let (variant, form) = (&union.variants[index], &forms[index]);
        let rust = ty::ident(&variant.rust);
        let name = &variant.rust;
        let boxed = form.is_boxed(&variant.value).then(|| quote!(.map(Box::new)));
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
        Side::Client => Some(quote!(Self::Unknown(value) => Raw::json(value),)),
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

/// The shape that can hold the most: a text is a list of one, too.
fn shape(forms: &[TextForm]) -> Tokens {
    if forms.contains(&TextForm::Fields) {
        quote!(Shape::Object)
    } else if forms.contains(&TextForm::Texts) {
        quote!(Shape::Array)
    } else {
        quote!(Shape::Primitive)
    }
}
