//! Unions: enums whose variants each hold one value.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{DataEnum, Error, Fields, LitStr, Type};

use crate::arguments::{Arguments, string};
use crate::model::Model;
use crate::{rule, shape, union_text};

/// The attributes of a union.
pub(crate) struct Union {
    pub(crate) variants: Vec<Variant>,
    /// The variant for values that fit no other.
    pub(crate) other: Option<Ident>,
    pub(crate) discriminator: Option<LitStr>,
    any_case: bool,
    /// A value may be valid by several variants.
    any_of: bool,
}

/// One type of a union.
pub(crate) struct Variant {
    pub(crate) rust: Ident,
    pub(crate) tags: Vec<LitStr>,
    /// The type of its value.
    pub(crate) value: Option<Type>,
    /// The union writes the tag, because the variant's type does not have the member.
    add_tag: bool,
    untagged: Option<u64>,
    unmapped: bool,
    /// The variant of `json::Kind`, and its noun.
    kind: Option<(TokenStream, String)>,
    member: Option<LitStr>,
    pub(crate) exact: bool,
    pub(crate) as_json: bool,
    pub(crate) is_boxed: bool,
    pub(crate) rules: Option<TokenStream>,
}

/// Whether every variant holds a value; a single `other` variant makes an extensible enum instead.
pub(crate) fn is_union(data: &DataEnum) -> bool {
    let holds =
        |variant: &syn::Variant| matches!(&variant.fields, Fields::Unnamed(fields) if fields.unnamed.len() == 1);
    data.variants.iter().all(holds)
}

/// The implementations for a union.
pub(crate) fn items(model: &mut Model, arguments: &mut Arguments, data: &DataEnum) -> syn::Result<TokenStream> {
    let union = Union::of(model, arguments, data)?;
    let read = model.reading(|| read(model, &union));
    let write = model.writing(|| write(model, &union));
    let text = union_text::items(model, arguments, &union)?;
    model.shape = shape::of_union(model, &union);
    Ok(quote!(#read #write #text))
}

impl Union {
    fn of(model: &mut Model, arguments: &mut Arguments, data: &DataEnum) -> syn::Result<Self> {
        let discriminator = arguments.value("discriminator").map(|name| name.text()).transpose()?;
        let (mut variants, mut other) = (Vec::new(), None);
        for variant in &data.variants {
            let mut arguments = Arguments::of(&variant.attrs)?;
            if arguments.word("other") {
                other = Some(variant.ident.clone());
            } else {
                variants.push(Variant::of(variant, &mut arguments, model)?);
            }
            arguments.finish()?;
        }
        let union = Self {
            variants,
            other,
            discriminator: discriminator.as_deref().map(string),
            any_case: arguments.word("any_case"),
            any_of: arguments.word("any_of"),
        };
        let kinds = union.variants.iter().filter(|variant| variant.kind.is_some()).count();
        let members = union.variants.iter().filter(|variant| variant.member.is_some()).count();
        let some = |count: usize| count != 0 && count != union.variants.len();
        if some(kinds) || some(members) {
            return Err(Error::new(
                model.name.span(),
                "every variant needs a `kind`, every one a `member`, or none does",
            ));
        }
        Ok(union)
    }
}

impl Variant {
    fn of(variant: &syn::Variant, arguments: &mut Arguments, model: &mut Model) -> syn::Result<Self> {
        let mut tags = Vec::new();
        while let Some(tag) = arguments.literal() {
            tags.push(string(&tag.text()?));
        }
        let kind = match arguments.value("kind") {
            Some(kind) => Some((rule::kind(&kind)?, kind.text()?)),
            None => None,
        };
        let value = variant.fields.iter().next().map(|field| &field.ty);
        Ok(Self {
            rust: variant.ident.clone(),
            tags,
            value: value.cloned(),
            add_tag: arguments.word("add_tag"),
            untagged: match arguments.value("untagged") {
                Some(place) => Some(place.count()?),
                None => arguments.word("untagged").then_some(0),
            },
            unmapped: arguments.word("unmapped"),
            kind,
            member: arguments.value("member").map(|name| name.text()).transpose()?.as_deref().map(string),
            exact: arguments.word("exact"),
            as_json: arguments.word("as_json"),
            is_boxed: value.is_some_and(|value| crate::object::inside(value, "Box").is_some()),
            rules: rule::slice(arguments, &mut model.statics)?,
        })
    }

    /// The name of the variant in messages.
    pub(crate) fn name(&self) -> String {
        syn::ext::IdentExt::unraw(&self.rust).to_string()
    }

    /// Reads the value into the variant.
    fn read(&self) -> TokenStream {
        let Self { rust, rules, .. } = self;
        match rules {
            None => quote!(__runtime::json::Read::read(json).map(Self::#rust)),
            Some(rules) => quote!(__runtime::rule::read_checked(json, #rules).map(Self::#rust)),
        }
    }

    /// The same for a type without the member `tag`.
    fn read_tagged(&self, tag: &LitStr) -> TokenStream {
        let Self { rust, rules, .. } = self;
        match rules {
            None => quote!(json.tagged(#tag, __runtime::json::Read::read).map(Self::#rust)),
            Some(rules) => {
                quote!(json.tagged(#tag, |json| __runtime::rule::read_checked(json, #rules)).map(Self::#rust))
            }
        }
    }
}

fn read(model: &Model, union: &Union) -> TokenStream {
    let name = &model.name;
    let body = if let Some(member) = &union.discriminator {
        by_tag(union, member)
    } else if union.variants.iter().any(|variant| variant.kind.is_some()) {
        by_kind(union)
    } else if union.variants.iter().any(|variant| variant.member.is_some()) {
        by_member(union)
    } else {
        in_order(union, union.variants.iter())
    };
    quote! {
        impl __runtime::json::Read for #name {
            fn read(json: &mut __runtime::json::Reader<'_>) -> ::core::option::Option<Self> {
                #body
            }
        }
    }
}

/// Chooses by the discriminator.
fn by_tag(union: &Union, member: &LitStr) -> TokenStream {
    let read = |variant: &Variant| if variant.add_tag { variant.read_tagged(member) } else { variant.read() };
    let mut untagged: Vec<_> = union.variants.iter().filter(|variant| variant.untagged.is_some()).collect();
    untagged.sort_by_key(|variant| variant.untagged);
    let tagged = union.variants.iter().filter(|variant| !variant.unmapped && !variant.tags.is_empty());
    let arms = tagged.map(|variant| {
        let (tags, read) = (&variant.tags, read(variant));
        let none = (variant.untagged.is_some() && untagged.len() == 1).then(|| quote!(None |));
        quote!(#none Some(#(#tags)|*) => #read,)
    });
    let none = (untagged.len() > 1).then(|| {
        let first = in_order(union, untagged.iter().copied());
        quote!(None => #first,)
    });
    let find = if union.any_case { quote!(find_tag_any_case) } else { quote!(find_tag) };
    let known = union.variants.iter().flat_map(|variant| &variant.tags);
    let other = match union.variants.iter().find(|variant| variant.unmapped) {
        Some(unmapped) => read(unmapped),
        None => otherwise(union, quote!(json.no_tag(#member, &[#(#known),*]))),
    };
    quote! {
        match json.#find(#member).as_deref() {
            #(#arms)*
            #none
            _ => #other,
        }
    }
}

/// Chooses by JSON type.
fn by_kind(union: &Union) -> TokenStream {
    let kinds: Vec<_> = union.variants.iter().filter_map(|variant| Some((variant, variant.kind.as_ref()?))).collect();
    let arms = kinds.iter().map(|(variant, (kind, _))| {
        let read = variant.read();
        quote!(__runtime::json::Kind::#kind => #read,)
    });
    let nouns: Vec<_> = kinds.iter().map(|(_, (_, name))| noun(name)).collect();
    let expected = match nouns.as_slice() {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    };
    let other = otherwise(union, quote!(json.no_kind(#expected)));
    quote! {
        match json.kind() {
            #(#arms)*
            _ => #other,
        }
    }
}

fn noun(kind: &str) -> String {
    match kind {
        "null" => kind.to_owned(),
        "array" | "object" => format!("an {kind}"),
        _ => format!("a {kind}"),
    }
}

/// Chooses by a member that only one variant has.
fn by_member(union: &Union) -> TokenStream {
    let has_member = if union.any_case { quote!(has_member_any_case) } else { quote!(has_member) };
    let members: Vec<_> = union.variants.iter().filter_map(|variant| variant.member.as_ref()).collect();
    let branches = union.variants.iter().zip(&members).map(|(variant, member)| {
        let read = variant.read();
        quote!(if json.#has_member(#member) { #read } else)
    });
    let other = otherwise(union, quote!(json.no_member(&[#(#members),*])));
    // Without an `other` variant, the reader is strict: members of another variant would be lost.
    let any_case = union.any_case;
    let several = union.other.is_none().then(|| {
        let read = if union.any_of {
            in_order(union, union.variants.iter())
        } else {
            quote!(json.several_members(&[#(#members),*]))
        };
        quote!(if json.has_several(&[#(#members),*], #any_case) { #read } else)
    });
    quote!(#several #(#branches)* { #other })
}

/// Tries variants in order and takes the first that can be read; a tolerant reader takes the one with the
/// fewest deviations.
fn in_order<'a>(union: &Union, variants: impl Iterator<Item = &'a Variant>) -> TokenStream {
    let attempts = variants.map(|variant| {
        let (name, read) = (variant.name(), variant.read());
        quote!((#name, |json| #read))
    });
    match &union.other {
        None => quote!(json.first_of(&[#(#attempts),*])),
        Some(other) => quote!(json.open_first_of(&[#(#attempts),*], Self::#other)),
    }
}

/// A value that fits no variant goes to the `other` variant, or is refused.
fn otherwise(union: &Union, refuse: TokenStream) -> TokenStream {
    match &union.other {
        None => refuse,
        Some(other) => quote!(json.unknown().map(Self::#other)),
    }
}

fn write(model: &Model, union: &Union) -> TokenStream {
    let name = &model.name;
    let arms = union.variants.iter().map(|variant| {
        let rust = &variant.rust;
        match (&union.discriminator, variant.tags.first()) {
            (Some(member), Some(tag)) if variant.add_tag => {
                quote!(Self::#rust(value) => json.tagged(#member, #tag, value))
            }
            _ => quote!(Self::#rust(value) => __runtime::json::Write::write(value, json)),
        }
    });
    let other =
        union.other.iter().map(|other| quote!(Self::#other(value) => __runtime::json::Write::write(value, json)));
    let arms = arms.chain(other);
    quote! {
        impl __runtime::json::Write for #name {
            fn write(&self, json: &mut __runtime::json::Writer) {
                match self {
                    #(#arms),*
                }
            }
        }
    }
}
