//! Enums: strings or integers from a list.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::{DataEnum, Error, Fields};

use crate::arguments::Arguments;
use crate::model::Model;

/// The integer types.
const INTEGERS: [&str; 8] = ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"];

/// A value of the list.
struct Choice {
    variant: Ident,
    value: TokenStream,
}

/// The implementations for an enum.
pub(crate) fn items(model: &mut Model, arguments: &mut Arguments, data: &DataEnum) -> syn::Result<TokenStream> {
    let integer =
        INTEGERS.into_iter().find(|integer| arguments.word(integer)).map(|integer| format_ident!("{integer}"));
    let names = arguments.word("names");
    let (mut choices, mut other) = (Vec::new(), None);
    for variant in &data.variants {
        let mut arguments = Arguments::of(&variant.attrs)?;
        if arguments.word("other") {
            other = Some(&variant.ident);
        } else if let Fields::Unit = variant.fields {
            let Some(value) = arguments.literal() else {
                return Err(Error::new(variant.ident.span(), "expected its value: `#[json(\"…\")]`"));
            };
            let value = match &integer {
                None => {
                    let text = value.text()?;
                    quote!(#text)
                }
                Some(_) => match value.number()? {
                    Ok(number) => {
                        let number = proc_macro2::Literal::i128_unsuffixed(number);
                        quote!(#number)
                    }
                    Err(_) => return Err(Error::new(value.span(), "expected a whole number")),
                },
            };
            choices.push(Choice { variant: variant.ident.clone(), value });
        } else {
            return Err(Error::new_spanned(
                &variant.fields,
                "expected no fields, or a union: one value in each variant",
            ));
        }
        arguments.finish()?;
    }
    Ok(match (integer, other) {
        (None, None) => closed_texts(model, &choices),
        (None, Some(other)) => open_texts(model, &choices, other),
        (Some(integer), None) => closed_numbers(model, &choices, &integer, names),
        (Some(integer), Some(other)) => open_numbers(model, &choices, &integer, other),
    })
}

fn closed_texts(model: &Model, choices: &[Choice]) -> TokenStream {
    let name = &model.name;
    let (variants, texts) = parts(choices);
    let written = written_text(name);
    quote! {
        impl #name {
            const CHOICES: &'static [(&'static str, Self)] = &[#((#texts, Self::#variants)),*];

            /// The value on the wire.
            pub const fn as_str(self) -> &'static str {
                match self {
                    #(Self::#variants => #texts),*
                }
            }
        }

        impl __runtime::json::Read for #name {
            fn read(json: &mut __runtime::json::Reader<'_>) -> ::core::option::Option<Self> {
                json.choice(Self::CHOICES)
            }
        }

        impl __runtime::text::FromText for #name {
            fn from_text(text: &str) -> ::core::result::Result<Self, __runtime::text::Refusal> {
                __runtime::text::choice(text, Self::CHOICES)
            }
        }

        impl ::core::str::FromStr for #name {
            type Err = __runtime::text::Refusal;

            fn from_str(text: &str) -> ::core::result::Result<Self, __runtime::text::Refusal> {
                __runtime::text::choice(text, Self::CHOICES)
            }
        }

        #written
    }
}

fn open_texts(model: &Model, choices: &[Choice], other: &Ident) -> TokenStream {
    let name = &model.name;
    let (variants, texts) = parts(choices);
    let written = written_text(name);
    let from_text = if model.tolerant { quote!(Ok(Self::of(text))) } else { quote!(text.parse()) };
    quote! {
        impl #name {
            const KNOWN: &'static [(&'static str, Self)] = &[#((#texts, Self::#variants)),*];

            /// The value on the wire.
            pub fn as_str(&self) -> &str {
                match self {
                    #(Self::#variants => #texts,)*
                    Self::#other(unknown) => unknown.as_str(),
                }
            }

            fn of(text: &str) -> Self {
                match __runtime::text::known(&text, Self::KNOWN) {
                    Some(known) => known.clone(),
                    None => Self::#other(__runtime::unknown::Unknown::of(text)),
                }
            }
        }

        impl __runtime::json::Read for #name {
            fn read(json: &mut __runtime::json::Reader<'_>) -> ::core::option::Option<Self> {
                json.open_choice(Self::of)
            }
        }

        impl __runtime::text::FromText for #name {
            fn from_text(text: &str) -> ::core::result::Result<Self, __runtime::text::Refusal> {
                #from_text
            }
        }

        impl ::core::str::FromStr for #name {
            type Err = __runtime::text::Refusal;

            /// Accepts only values that this crate knows: an unknown one can be passed on, but not made.
            fn from_str(text: &str) -> ::core::result::Result<Self, __runtime::text::Refusal> {
                __runtime::text::only_known(&text, Self::KNOWN)
            }
        }

        #written
    }
}

fn closed_numbers(model: &Model, choices: &[Choice], integer: &Ident, has_names: bool) -> TokenStream {
    let name = &model.name;
    let (variants, numbers) = parts(choices);
    let as_number = format_ident!("as_{integer}");
    let written = written_number(name, &as_number);
    let by_name = has_names.then(|| {
        let names = variants.iter().map(|variant| syn::ext::IdentExt::unraw(*variant).to_string());
        quote!(#((#names, Self::#variants)),*)
    });
    quote! {
        impl #name {
            const CHOICES: &'static [(i64, Self)] = &[#((#numbers, Self::#variants)),*];
            const NAMES: &'static [(&'static str, Self)] = &[#by_name];

            /// The value on the wire.
            pub const fn #as_number(self) -> #integer {
                match self {
                    #(Self::#variants => #numbers),*
                }
            }
        }

        impl __runtime::json::Read for #name {
            fn read(json: &mut __runtime::json::Reader<'_>) -> ::core::option::Option<Self> {
                json.integer_choice(Self::CHOICES)
            }
        }

        impl __runtime::text::FromText for #name {
            fn from_text(text: &str) -> ::core::result::Result<Self, __runtime::text::Refusal> {
                __runtime::text::integer_choice(text, Self::CHOICES, Self::NAMES)
            }
        }

        impl ::core::convert::TryFrom<#integer> for #name {
            type Error = __runtime::text::Refusal;

            fn try_from(number: #integer) -> ::core::result::Result<Self, __runtime::text::Refusal> {
                __runtime::text::FromText::from_text(&number.to_string())
            }
        }

        #written
    }
}

fn open_numbers(model: &Model, choices: &[Choice], integer: &Ident, other: &Ident) -> TokenStream {
    let name = &model.name;
    let (variants, numbers) = parts(choices);
    let as_number = format_ident!("as_{integer}");
    let written = written_number(name, &as_number);
    let from_text = if model.tolerant { quote!(number.map(Self::of)) } else { quote!(number.and_then(Self::try_from)) };
    quote! {
        impl #name {
            const KNOWN: &'static [(#integer, Self)] = &[#((#numbers, Self::#variants)),*];

            /// The value on the wire.
            pub fn #as_number(&self) -> #integer {
                match self {
                    #(Self::#variants => #numbers,)*
                    Self::#other(unknown) => unknown.get(),
                }
            }

            fn of(number: #integer) -> Self {
                match __runtime::text::known(&number, Self::KNOWN) {
                    Some(known) => known.clone(),
                    None => Self::#other(__runtime::unknown::Unknown::of(number)),
                }
            }
        }

        impl __runtime::json::Read for #name {
            fn read(json: &mut __runtime::json::Reader<'_>) -> ::core::option::Option<Self> {
                json.open_integer_choice(Self::of)
            }
        }

        impl __runtime::text::FromText for #name {
            fn from_text(text: &str) -> ::core::result::Result<Self, __runtime::text::Refusal> {
                let number = <#integer as __runtime::text::FromText>::from_text(text);
                #from_text
            }
        }

        impl ::core::convert::TryFrom<#integer> for #name {
            type Error = __runtime::text::Refusal;

            /// Accepts only values that this crate knows: an unknown one can be passed on, but not made.
            fn try_from(number: #integer) -> ::core::result::Result<Self, __runtime::text::Refusal> {
                __runtime::text::only_known(&number, Self::KNOWN)
            }
        }

        #written
    }
}

fn parts(choices: &[Choice]) -> (Vec<&Ident>, Vec<&TokenStream>) {
    choices.iter().map(|choice| (&choice.variant, &choice.value)).unzip()
}

fn written_text(name: &Ident) -> TokenStream {
    quote! {
        impl __runtime::json::Write for #name {
            fn write(&self, json: &mut __runtime::json::Writer) {
                json.string(self.as_str());
            }
        }

        impl __runtime::text::ToText for #name {
            fn to_text(&self) -> ::std::borrow::Cow<'_, str> {
                ::std::borrow::Cow::Borrowed(self.as_str())
            }
        }

        impl ::core::fmt::Display for #name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    }
}

fn written_number(name: &Ident, as_number: &Ident) -> TokenStream {
    quote! {
        impl __runtime::json::Write for #name {
            fn write(&self, json: &mut __runtime::json::Writer) {
                __runtime::json::Write::write(&self.#as_number(), json);
            }
        }

        impl __runtime::text::ToText for #name {
            fn to_text(&self) -> ::std::borrow::Cow<'_, str> {
                ::std::borrow::Cow::Owned(self.#as_number().to_string())
            }
        }

        impl ::core::fmt::Display for #name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Display::fmt(&self.#as_number(), f)
            }
        }
    }
}
