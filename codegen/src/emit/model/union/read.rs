//! How the variant of a value is found and read.

use crate::emit::profile::Side;
use crate::emit::ty;
use crate::ir::{Api, JsonType, Model, Tagging, Union, Variant};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// `impl Read`.
pub(super) fn read(api: &Api, side: Side, model: &Model, union: &Union, rules: &[Option<TokenStream>]) -> TokenStream {
    let name = ty::ident(&model.name.rust);
    let reads: Vec<_> =
        union.variants.iter().zip(rules).map(|(variant, rules)| read_variant(variant, rules.as_ref())).collect();
    let body = match &union.tagging {
        Tagging::Discriminator { .. } => by_tag(api, side, union, &reads),
        Tagging::JsonType(types) => by_json_type(side, union, &reads, types),
        Tagging::RequiredMember(members) => by_member(api, side, union, &reads, members),
        Tagging::Ordered => in_order(side, union, union.variants.iter().zip(&reads)),
    };

    quote! {
        impl Read for #name {
            fn read(json: &mut Reader<'_>) -> Option<Self> {
                #body
            }
        }
    }
}

/// Reads the value of a variant and puts it into the variant.
struct ReadVariant {
    /// What is called with the reader.
    call: TokenStream,
    /// Whether that is a function, and not an expression.
    is_plain: bool,
    rust: Ident,
}

fn read_variant(variant: &Variant, rules: Option<&TokenStream>) -> ReadVariant {
    let rust = ty::ident(&variant.rust);
    match rules {
        None => ReadVariant { call: quote!(Read::read(json)), is_plain: true, rust },
        Some(rules) => ReadVariant { call: quote!(rule::read_checked(json, #rules)), is_plain: false, rust },
    }
}

impl ReadVariant {
    fn expression(&self) -> TokenStream {
        let Self { call, rust, .. } = self;
        quote!(#call.map(Self::#rust))
    }

    /// The same for a struct that does not know the member `tag`.
    fn tagged(&self, tag: &str) -> TokenStream {
        let Self { call, rust, .. } = self;
        if self.is_plain {
            quote!(json.tagged(#tag, Read::read).map(Self::#rust))
        } else {
            quote!(json.tagged(#tag, |json| #call).map(Self::#rust))
        }
    }
}

/// By the value of the member that the description names.
fn by_tag(api: &Api, side: Side, union: &Union, reads: &[ReadVariant]) -> TokenStream {
    let Tagging::Discriminator { member, tags, written_by_variant, untagged, unmapped } = &union.tagging else {
        return TokenStream::new();
    };
    let read = |index: usize| {
        let read = reads.get(index)?;
        let knows_tag = written_by_variant.get(index).copied().unwrap_or(true);
        Some(if knows_tag { read.expression() } else { read.tagged(member) })
    };
    let arms = (0..reads.len()).filter(|index| *unmapped != Some(*index)).filter_map(|index| {
        let own: Vec<_> = tags.iter().filter(|(_, of)| *of == index).map(|(tag, _)| tag).collect();
        let read = read(index)?;
        let none = (untagged[..] == [index]).then(|| quote!(None |));
        (!own.is_empty()).then(|| quote!(#none Some(#(#own)|*) => #read,))
    });
    let none = (untagged.len() > 1).then(|| {
        let variants = untagged.iter().filter_map(|index| Some((union.variants.get(*index)?, reads.get(*index)?)));
        let first = in_order(side, union, variants);
        quote!(None => #first,)
    });
    let find = if api.any_case { quote!(find_tag_any_case) } else { quote!(find_tag) };
    let known = tags.iter().map(|(tag, _)| tag);
    let other = unmapped.and_then(read);
    let other = other.unwrap_or_else(|| otherwise(side, union, &quote!(json.no_tag(#member, &[#(#known),*]))));

    quote! {
        match json.#find(#member).as_deref() {
            #(#arms)*
            #none
            _ => #other,
        }
    }
}

/// By what kind of JSON it is.
fn by_json_type(side: Side, union: &Union, reads: &[ReadVariant], types: &[JsonType]) -> TokenStream {
    let arms = reads.iter().zip(types).map(|(read, json_type)| {
        let kind = kind(*json_type);
        let read = read.expression();
        quote!(Kind::#kind => #read,)
    });
    let expected = list(types.iter().map(|json_type| noun(*json_type)));
    let other = otherwise(side, union, &quote!(json.no_kind(#expected)));
    // With a variant for each kind only text that is no JSON is left.
    let rest = if types.len() == 6 { quote!(Kind::Broken) } else { quote!(_) };

    quote! {
        match json.kind() {
            #(#arms)*
            #rest => #other,
        }
    }
}

/// By the member that only one variant has.
fn by_member(api: &Api, side: Side, union: &Union, reads: &[ReadVariant], members: &[String]) -> TokenStream {
    let has_member = if api.any_case { quote!(has_member_any_case) } else { quote!(has_member) };
    let branches = reads.iter().zip(members).map(|(read, member)| {
        let read = read.expression();
        quote!(if json.#has_member(#member) { #read } else)
    });
    let other = otherwise(side, union, &quote!(json.no_member(&[#(#members),*])));

    quote!(#(#branches)* { #other })
}

/// The first variant that can be read, by a tolerant reader the one for which it overlooks the least.
fn in_order<'a>(
    side: Side,
    union: &Union,
    variants: impl Iterator<Item = (&'a Variant, &'a ReadVariant)>,
) -> TokenStream {
    let attempts = variants.map(|(variant, read)| {
        let name = &variant.rust;
        let read = read.expression();
        quote!((#name, |json| #read),)
    });
    match side {
        Side::Server => quote!(json.first_of(&[#(#attempts)*])),
        Side::Client => {
            let unknown = super::unknown(union);
            quote!(json.open_first_of(&[#(#attempts)*], Self::#unknown))
        }
    }
}

/// A client keeps a value that fits no variant, unless its reader is strict.
fn otherwise(side: Side, union: &Union, refuse: &TokenStream) -> TokenStream {
    match side {
        Side::Server => refuse.clone(),
        Side::Client => {
            let unknown = super::unknown(union);
            quote!(json.unknown().map(Self::#unknown))
        }
    }
}

fn kind(json_type: JsonType) -> Ident {
    match json_type {
        JsonType::Null => ty::ident("Null"),
        JsonType::Boolean => ty::ident("Boolean"),
        JsonType::Number => ty::ident("Number"),
        JsonType::String => ty::ident("String"),
        JsonType::Array => ty::ident("Array"),
        JsonType::Object => ty::ident("Object"),
    }
}

fn noun(json_type: JsonType) -> &'static str {
    match json_type {
        JsonType::Null => "null",
        JsonType::Boolean => "a boolean",
        JsonType::Number => "a number",
        JsonType::String => "a string",
        JsonType::Array => "an array",
        JsonType::Object => "an object",
    }
}

/// "a string, a number or an array"
fn list<'a>(nouns: impl Iterator<Item = &'a str>) -> String {
    let nouns: Vec<_> = nouns.collect();
    match nouns.as_slice() {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}
