//! Enums of strings.

use super::ARMS;
use crate::emit::profile::Side;
use crate::emit::ty;
use crate::ir::{EnumVariant, Model};
use printing::{Tokens, quote};

/// What an enum of strings can do.
pub(super) fn items(side: Side, model: &Model, values: &[EnumVariant<String>]) -> Tokens {
    match side {
        Side::Server => server(model, values),
        Side::Client => client(model, values),
    }
}

/// Closed: whatever is not in the list is refused.
fn server(model: &Model, values: &[EnumVariant<String>]) -> Tokens {
    let name = ty::ident(&model.name.rust);
    let texts = values.iter().map(|value| &value.value);
    let variants = || values.iter().map(|value| ty::ident(&value.rust));
    let (choices_variants, choices_texts) = (variants(), texts.clone());
    let as_str = if values.len() <= ARMS {
        let variants = variants();
        quote!(match self { #(Self::#variants => #texts,)* })
    } else {
        // The table is in the order of the variants.
        quote!(Self::CHOICES.get(self as usize).map_or("", |(text, _)| text))
    };
    let const_ = (values.len() <= ARMS).then(|| quote!(const));
    let codec = codec(model, &quote!(json.choice(Self::CHOICES)), &quote!(text::choice(text, Self::CHOICES)));

    quote! {
        impl #name {
            const CHOICES: &'static [(&'static str, Self)] = &[#((#choices_texts, Self::#choices_variants)),*];

            /// The value on the wire.
            pub #const_ fn as_str(self) -> &'static str {
                #as_str
            }
        }

        #codec

        impl FromStr for #name {
            type Err = Refusal;

            fn from_str(text: &str) -> Result<Self, Refusal> {
                Self::from_text(text)
            }
        }
    }
}

/// Open: a value that is not in the list is kept.
fn client(model: &Model, values: &[EnumVariant<String>]) -> Tokens {
    let name = ty::ident(&model.name.rust);
    let unknown = super::unknown(values);
    let texts = || values.iter().map(|value| &value.value);
    let variants = || values.iter().map(|value| ty::ident(&value.rust));
    let known = if values.len() <= ARMS {
        let (variants, texts, known_texts, known_variants) = (variants(), texts(), texts(), variants());
        quote! {
            /// The value on the wire.
            pub fn as_str(&self) -> &str {
                match self {
                    #(Self::#variants => #texts,)*
                    Self::#unknown(unknown) => unknown.as_str(),
                }
            }

            fn of(text: &str) -> Self {
                match text {
                    #(#known_texts => Self::#known_variants,)*
                    unknown => Self::#unknown(Unknown::of(unknown)),
                }
            }
        }
    } else {
        let (variants, texts) = (variants(), texts());
        quote! {
            const KNOWN: &'static [(&'static str, Self)] = &[#((#texts, Self::#variants)),*];

            /// The value on the wire.
            pub fn as_str(&self) -> &str {
                if let Self::#unknown(unknown) = self {
                    return unknown.as_str();
                }
                Self::KNOWN.iter().find(|(_, known)| known == self).map_or("", |(text, _)| text)
            }

            fn of(text: &str) -> Self {
                match Self::KNOWN.iter().find(|(known, _)| *known == text) {
                    Some((_, known)) => known.clone(),
                    None => Self::#unknown(Unknown::of(text)),
                }
            }
        }
    };
    let from_text = if Side::Client.refuses_texts(model) { quote!(text.parse()) } else { quote!(Ok(Self::of(text))) };
    let codec = codec(model, &quote!(json.open_choice(Self::of)), &from_text);

    quote! {
        impl #name {
            #known
        }

        #codec

        impl FromStr for #name {
            type Err = Refusal;

            /// Only values that this crate knows: an unknown one can be passed on, not made.
            fn from_str(text: &str) -> Result<Self, Refusal> {
                match Self::of(text) {
                    Self::#unknown(_) => Err(Refusal::new("enum", text, "a known value")),
                    known => Ok(known),
                }
            }
        }
    }
}

/// JSON and text in both directions.
fn codec(model: &Model, read: &Tokens, from_text: &Tokens) -> Tokens {
    let name = ty::ident(&model.name.rust);

    quote! {
        impl Read for #name {
            fn read(json: &mut Reader<'_>) -> Option<Self> {
                #read
            }
        }

        impl Write for #name {
            fn write(&self, json: &mut Writer) {
                json.string(self.as_str());
            }
        }

        impl FromText for #name {
            fn from_text(text: &str) -> Result<Self, Refusal> {
                #from_text
            }
        }

        impl ToText for #name {
            fn to_text(&self) -> Cow<'_, str> {
                Cow::Borrowed(self.as_str())
            }
        }

        impl fmt::Display for #name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }
    }
}
