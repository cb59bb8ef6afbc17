//! Enums of whole numbers.

use super::ARMS;
use crate::emit::profile::Side;
use crate::emit::ty;
use crate::ir::{EnumVariant, IntegerKind, Model};
use printing::{Tokens, format_ident, quote};

/// What an enum of whole numbers can do.
pub(super) fn items(
    side: Side,
    model: &Model,
    kind: IntegerKind,
    values: &[EnumVariant<i64>],
    names_accepted: bool,
) -> Tokens {
    match side {
        Side::Server => server(model, kind, values, names_accepted),
        Side::Client => client(model, kind, values),
    }
}

/// Closed: whatever is not in the list is refused.
fn server(model: &Model, kind: IntegerKind, values: &[EnumVariant<i64>], names_accepted: bool) -> Tokens {
    let name = ty::ident(&model.name.rust);
    let integer = ty::integer(kind);
    let as_integer = format_ident!("as_{}", integer.to_string());
    let choices = choices(values);
    let names = names(values, names_accepted);
    let number = if values.len() <= ARMS {
        let arms = arms(values);
        quote! {
            /// The value on the wire.
            pub const fn #as_integer(self) -> #integer {
                match self { #arms }
            }
        }
    } else {
        quote! {
            /// The value on the wire.
            pub fn #as_integer(self) -> #integer {
                // The table is in the order of the variants.
                Self::CHOICES.get(self as usize).and_then(|(number, _)| #integer::try_from(*number).ok()).unwrap_or_default()
            }
        }
    };
    let codec = codec(
        model,
        kind,
        &quote!(json.integer_choice(Self::CHOICES)),
        &quote!(text::integer_choice(text, Self::CHOICES, Self::NAMES)),
    );

    quote! {
        impl #name {
            const CHOICES: &'static [(i64, Self)] = &[#choices];
            const NAMES: &'static [(&'static str, Self)] = &[#names];

            #number
        }

        #codec

        impl TryFrom<#integer> for #name {
            type Error = Refusal;

            fn try_from(number: #integer) -> Result<Self, Refusal> {
                Self::from_text(&number.to_string())
            }
        }
    }
}

/// Open: a number that is not in the list is kept.
fn client(model: &Model, kind: IntegerKind, values: &[EnumVariant<i64>]) -> Tokens {
    let name = ty::ident(&model.name.rust);
    let unknown = super::unknown(values);
    let integer = ty::integer(kind);
    let as_integer = format_ident!("as_{}", integer.to_string());
    let known = if values.len() <= ARMS {
        let arms = arms(values);
        let numbers = values.iter().map(|value| literal(value.value));
        let variants = values.iter().map(|value| ty::ident(&value.rust));
        quote! {
            /// The value on the wire.
            pub fn #as_integer(&self) -> #integer {
                match self {
                    #arms
                    Self::#unknown(unknown) => unknown.get(),
                }
            }

            fn of(number: #integer) -> Self {
                match number {
                    #(#numbers => Self::#variants,)*
                    unknown => Self::#unknown(Unknown::of(unknown)),
                }
            }
        }
    } else {
        let choices = choices(values);
        quote! {
            const KNOWN: &'static [(#integer, Self)] = &[#choices];

            /// The value on the wire.
            pub fn #as_integer(&self) -> #integer {
                if let Self::#unknown(unknown) = self {
                    return unknown.get();
                }
                Self::KNOWN.iter().find(|(_, known)| known == self).map_or(0, |(number, _)| *number)
            }

            fn of(number: #integer) -> Self {
                match Self::KNOWN.iter().find(|(known, _)| *known == number) {
                    Some((_, known)) => known.clone(),
                    None => Self::#unknown(Unknown::of(number)),
                }
            }
        }
    };
    let from_text = if Side::Client.refuses_texts(model) {
        quote!(#integer::from_text(text).and_then(Self::try_from))
    } else {
        quote!(FromText::from_text(text).map(Self::of))
    };
    let codec = codec(model, kind, &quote!(json.open_integer_choice(Self::of)), &from_text);

    quote! {
        impl #name {
            #known
        }

        #codec

        impl TryFrom<#integer> for #name {
            type Error = Refusal;

            /// Only values that this crate knows: an unknown one can be passed on, not made.
            fn try_from(number: #integer) -> Result<Self, Refusal> {
                match Self::of(number) {
                    Self::#unknown(_) => Err(Refusal::new("enum", &number.to_string(), "a known value")),
                    known => Ok(known),
                }
            }
        }
    }
}

/// JSON and text in both directions.
fn codec(model: &Model, kind: IntegerKind, read: &Tokens, from_text: &Tokens) -> Tokens {
    let name = ty::ident(&model.name.rust);
    let as_integer = format_ident!("as_{}", ty::integer(kind).to_string());

    quote! {
        impl Read for #name {
            fn read(json: &mut Reader<'_>) -> Option<Self> {
                #read
            }
        }

        impl Write for #name {
            fn write(&self, json: &mut Writer) {
                self.#as_integer().write(json);
            }
        }

        impl FromText for #name {
            fn from_text(text: &str) -> Result<Self, Refusal> {
                #from_text
            }
        }

        impl ToText for #name {
            fn to_text(&self) -> Cow<'_, str> {
                Cow::Owned(self.#as_integer().to_string())
            }
        }

        impl fmt::Display for #name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}", self.#as_integer())
            }
        }
    }
}

fn arms(values: &[EnumVariant<i64>]) -> Tokens {
    let numbers = values.iter().map(|value| literal(value.value));
    let variants = values.iter().map(|value| ty::ident(&value.rust));
    quote!(#(Self::#variants => #numbers,)*)
}

fn choices(values: &[EnumVariant<i64>]) -> Tokens {
    let numbers = values.iter().map(|value| literal(value.value));
    let variants = values.iter().map(|value| ty::ident(&value.rust));
    quote!(#((#numbers, Self::#variants)),*)
}

/// The names that parameters may use in place of numbers.
fn names(values: &[EnumVariant<i64>], accepted: bool) -> Tokens {
    let values = if accepted { values } else { &[] };
    let names = values.iter().map(|value| &value.rust);
    let variants = values.iter().map(|value| ty::ident(&value.rust));
    quote!(#((#names, Self::#variants)),*)
}

fn literal(number: i64) -> Tokens {
    let digits = number.unsigned_abs();
    if number < 0 { quote!(-#digits) } else { quote!(#digits) }
}
