//! Enums: strings or integers from a list.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::{DataEnum, Error, Fields};

use crate::arguments::Arguments;
use crate::model::Model;
use crate::shape;

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
    let list = match &integer {
        None => List::texts(model, other),
        Some(integer) => List::numbers(model, integer, other, names.then_some(&choices[..])),
    };
    let values = choices.iter().map(|choice| &choice.value);
    model.shape = shape::of_choices(integer.is_some(), values);
    Ok(list.items(model, &choices, other))
}

/// What depends on the type of the values, and on whether the enum is extensible.
struct List {
    /// The type of the listed values.
    listed: TokenStream,
    /// The method for the value on the wire, with its receiver and type.
    get: Ident,
    signature: TokenStream,
    /// The argument of `of`.
    held: TokenStream,
    read: TokenStream,
    from_text: TokenStream,
    write: TokenStream,
    to_text: TokenStream,
    /// `FromStr` or `TryFrom`, its error, and its method.
    conversion: TokenStream,
    error: Ident,
    convert: TokenStream,
}

impl List {
    fn texts(model: &Model, other: Option<&Ident>) -> Self {
        let is_open = other.is_some();
        let choice = quote!(__runtime::text::choice(text, Self::KNOWN));
        let only_known = quote!(__runtime::text::only_known(&text, Self::KNOWN));
        let convert = if is_open { only_known } else { choice.clone() };
        Self {
            listed: quote!(&'static str),
            get: format_ident!("as_str"),
            signature: if is_open { quote!((&self) -> &str) } else { quote!((self) -> &'static str) },
            held: quote!(&str),
            read: if is_open { quote!(json.open_choice(Self::of)) } else { quote!(json.choice(Self::KNOWN)) },
            from_text: match (is_open, model.tolerant) {
                (false, _) => choice,
                (true, true) => quote!(Ok(Self::of(text))),
                (true, false) => quote!(text.parse()),
            },
            write: quote!(json.string(self.as_str())),
            to_text: quote!(Borrowed(self.as_str())),
            conversion: quote!(::core::str::FromStr),
            error: format_ident!("Err"),
            convert: quote!(from_str(text: &str) -> ::core::result::Result<Self, __runtime::text::Refusal> { #convert }),
        }
    }

    /// Of integers; `by_name` are those that may also be read by the names of their variants.
    fn numbers(model: &Model, integer: &Ident, other: Option<&Ident>, by_name: Option<&[Choice]>) -> Self {
        let is_open = other.is_some();
        let get = format_ident!("as_{integer}");
        let names = by_name.unwrap_or_default().iter().map(|choice| {
            let (variant, name) = (&choice.variant, syn::ext::IdentExt::unraw(&choice.variant).to_string());
            quote!((#name, Self::#variant))
        });
        let then = if model.tolerant { quote!(map(Self::of)) } else { quote!(and_then(Self::try_from)) };
        let from_text = if is_open {
            quote!(<#integer as __runtime::text::FromText>::from_text(text).#then)
        } else {
            quote!(__runtime::text::integer_choice(text, Self::KNOWN, &[#(#names),*]))
        };
        let convert = if is_open {
            quote!(__runtime::text::only_known(&number, Self::KNOWN))
        } else {
            quote!(__runtime::text::FromText::from_text(&number.to_string()))
        };
        Self {
            listed: if is_open { quote!(#integer) } else { quote!(i64) },
            signature: if is_open { quote!((&self) -> #integer) } else { quote!((self) -> #integer) },
            held: quote!(#integer),
            read: if is_open {
                quote!(json.open_integer_choice(Self::of))
            } else {
                quote!(json.integer_choice(Self::KNOWN))
            },
            from_text,
            write: quote!(__runtime::json::Write::write(&self.#get(), json)),
            to_text: quote!(Owned(self.#get().to_string())),
            conversion: quote!(::core::convert::TryFrom<#integer>),
            error: format_ident!("Error"),
            convert: quote!(try_from(number: #integer) -> ::core::result::Result<Self, __runtime::text::Refusal> { #convert }),
            get,
        }
    }

    fn items(&self, model: &Model, choices: &[Choice], other: Option<&Ident>) -> TokenStream {
        let Self { listed, get, signature, held, read, from_text, write, to_text, conversion, error, convert } = self;
        let name = &model.name;
        let (variants, values): (Vec<_>, Vec<_>) =
            choices.iter().map(|choice| (&choice.variant, &choice.value)).unzip();
        let constant = other.is_none().then(|| quote!(const));
        let inner = if *get == "as_str" { get.clone() } else { format_ident!("get") };
        let unknown = other.map(|other| quote!(Self::#other(unknown) => unknown.#inner(),));
        let of = other.map(|other| {
            quote! {
                fn of(value: #held) -> Self {
                    match __runtime::text::known(&value, Self::KNOWN) {
                        Some(known) => known.clone(),
                        None => Self::#other(__runtime::unknown::Unknown::of(value)),
                    }
                }
            }
        });
        let about = other.map(|_| {
            quote!(#[doc = " Accepts only values that this crate knows: an unknown one can be passed on, but not made."])
        });
        quote! {
            impl #name {
                const KNOWN: &'static [(#listed, Self)] = &[#((#values, Self::#variants)),*];

                /// The value on the wire.
                pub #constant fn #get #signature {
                    match self {
                        #(Self::#variants => #values,)*
                        #unknown
                    }
                }

                #of
            }

            impl __runtime::json::Read for #name {
                fn read(json: &mut __runtime::json::Reader<'_>) -> ::core::option::Option<Self> {
                    #read
                }
            }

            impl __runtime::text::FromText for #name {
                fn from_text(text: &str) -> ::core::result::Result<Self, __runtime::text::Refusal> {
                    #from_text
                }
            }

            impl #conversion for #name {
                type #error = __runtime::text::Refusal;

                #about
                fn #convert
            }

            impl __runtime::json::Write for #name {
                fn write(&self, json: &mut __runtime::json::Writer) {
                    #write;
                }
            }

            impl __runtime::text::ToText for #name {
                fn to_text(&self) -> ::std::borrow::Cow<'_, str> {
                    ::std::borrow::Cow::#to_text
                }
            }

            impl ::core::fmt::Display for #name {
                fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                    ::core::fmt::Display::fmt(&self.#get(), f)
                }
            }
        }
    }
}
