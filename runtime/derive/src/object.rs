//! Structs: objects with named members.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::spanned::Spanned as _;
use syn::{Error, Field, Fields, GenericArgument, PathArguments, Type};

use crate::arguments::{Arguments, string};
use crate::model::Model;
use crate::{parameter, rule, shape};

/// The attributes of a struct.
pub(crate) struct Object {
    pub(crate) constants: Vec<Constant>,
    pub(crate) members: Vec<Member>,
    pub(crate) others: Option<Others>,
    any_case: bool,
    pub(crate) closed: bool,
    /// The rules of the whole object.
    pub(crate) rules: Option<TokenStream>,
}

/// A member that is a field.
pub(crate) struct Member {
    pub(crate) field: Ident,
    /// The type of its value, without `Option` and `Maybe` if they say that it may be absent.
    pub(crate) value: Type,
    /// The variable that holds it while the object is read; hygienic.
    pub(crate) local: Ident,
    pub(crate) name: String,
    pub(crate) presence: Presence,
    /// Only a strict reader requires it, although its presence does not say so.
    pub(crate) is_expected: bool,
    pub(crate) is_boxed: bool,
    pub(crate) as_json: bool,
    pub(crate) skip_read: bool,
    pub(crate) skip_write: bool,
    pub(crate) rules: Option<TokenStream>,
}

/// A member with one possible value and no field.
pub(crate) struct Constant {
    pub(crate) name: String,
    pub(crate) value: TokenStream,
    pub(crate) presence: TokenStream,
    pub(crate) skip_read: bool,
    pub(crate) skip_write: bool,
}

/// The field for additional members.
pub(crate) struct Others {
    pub(crate) field: Ident,
    /// The type of their values.
    pub(crate) value: Type,
    pub(crate) local: Ident,
    pub(crate) rules: Option<TokenStream>,
    pub(crate) as_json: bool,
    pub(crate) nested: bool,
}

/// Whether a member is required, and what `null` means.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Presence {
    /// `T`
    Required,
    /// `T` with `expected`: the default replaces an absent one.
    Default,
    /// `Option<T>` with `nullable`
    Nullable,
    /// `Option<T>` with `nullable` and `expected`
    Expected,
    /// `Option<T>`
    Optional,
    /// `Option<T>` with `any`
    Any,
    /// `Maybe<T>`
    Maybe,
}

/// The implementations for a struct.
pub(crate) fn items(model: &mut Model, arguments: &mut Arguments, fields: &Fields) -> syn::Result<TokenStream> {
    let object = Object::of(model, arguments, fields)?;
    let read = model.reading(|| read(model, &object));
    let write = model.writing(|| write(model, &object));
    let parameter = parameter::items(model, &object);
    model.shape = shape::of_object(model, &object);
    Ok(quote!(#read #write #parameter))
}

impl Object {
    fn of(model: &mut Model, arguments: &mut Arguments, fields: &Fields) -> syn::Result<Self> {
        let mut constants = Vec::new();
        while let Some((ident, mut list)) = arguments.list("constant") {
            constants.push(Constant::of(&ident, &mut list)?);
            list.finish()?;
        }
        let (mut members, mut others) = (Vec::new(), None);
        let fields = match fields {
            Fields::Named(fields) => &fields.named,
            Fields::Unnamed(fields) => return Err(Error::new_spanned(fields, "expected fields with names")),
            Fields::Unit => return Err(Error::new(model.name.span(), "expected fields with names, or `{}`")),
        };
        for field in fields {
            let Some(ident) = &field.ident else { continue };
            let mut arguments = Arguments::of(&field.attrs)?;
            if arguments.word("others") {
                let rules = rule::slice(&mut arguments, &mut model.statics)?;
                let (as_json, nested) = (arguments.word("as_json"), arguments.word("nested"));
                let value = values(&field.ty)?;
                others = Some(Others { field: ident.clone(), value, local: local(ident), rules, as_json, nested });
            } else {
                members.push(Member::of(field, ident, &mut arguments, model)?);
            }
            arguments.finish()?;
        }
        Ok(Self {
            constants,
            members,
            others,
            any_case: arguments.word("any_case"),
            closed: arguments.word("closed"),
            rules: rule::slice(arguments, &mut model.statics)?,
        })
    }

    /// The list of the members that are read.
    pub(crate) fn list(&self) -> TokenStream {
        let constants = || self.constants.iter().filter(|constant| !constant.skip_read);
        let members = || self.members.iter().filter(|member| !member.skip_read);
        let names: Vec<_> =
            constants().map(|constant| &constant.name).chain(members().map(|member| &member.name)).collect();
        let is_plain = names.iter().all(|name| in_json(name) == **name);
        let kind = if self.any_case {
            quote!(any_case)
        } else if is_plain {
            quote!(plain)
        } else {
            quote!(exact)
        };
        let presences = constants()
            .map(|constant| constant.presence.clone())
            .chain(members().map(|member| member.presence.in_list()));
        let expected: Vec<_> = members().filter(|member| member.is_expected).map(|member| &member.name).collect();
        let expecting = (!expected.is_empty()).then(|| quote!(.expecting(&[#(#expected),*])));
        quote! {
            __runtime::json::Members::#kind(&[#(#names),*])
                #expecting
                .with_presences(&[#(__runtime::json::Presence::#presences),*])
        }
    }
}

impl Constant {
    /// `constant("kind", "card", optional)`
    fn of(ident: &Ident, list: &mut Arguments) -> syn::Result<Self> {
        let (Some(name), Some(value)) = (list.literal(), list.literal()) else {
            return Err(Error::new(ident.span(), "expected the name of the member and its value"));
        };
        let presence = match (list.word("expected"), list.word("optional")) {
            (false, false) => quote!(Required),
            (true, _) => quote!(Expected),
            (false, true) => quote!(Optional),
        };
        let (skip_read, skip_write) = (list.word("skip_read"), list.word("skip_write"));
        Ok(Self { name: name.text()?, value: value.constant()?, presence, skip_read, skip_write })
    }
}

impl Member {
    fn of(field: &Field, ident: &Ident, arguments: &mut Arguments, model: &mut Model) -> syn::Result<Self> {
        let name = match arguments.literal() {
            Some(name) => name.text()?,
            None => syn::ext::IdentExt::unraw(ident).to_string(),
        };
        let (nullable, expected, any) = (arguments.word("nullable"), arguments.word("expected"), arguments.word("any"));
        let (option, maybe) = (inside(&field.ty, "Option"), inside(&field.ty, "Maybe"));
        let (presence, is_expected) = match (option, maybe, nullable, expected, any) {
            (None, None, false, expected, false) => {
                (if expected { Presence::Default } else { Presence::Required }, false)
            }
            (Some(_), _, true, expected, false) => {
                (if expected { Presence::Expected } else { Presence::Nullable }, false)
            }
            (Some(_), _, false, expected, any) => (if any { Presence::Any } else { Presence::Optional }, expected),
            (None, Some(_), false, expected, false) => (Presence::Maybe, expected),
            _ => return Err(Error::new(field.ty.span(), "`nullable` and `any` are for an `Option`, one at a time")),
        };
        let value = option.or(maybe).unwrap_or(&field.ty);
        Ok(Self {
            field: ident.clone(),
            value: value.clone(),
            local: local(ident),
            name,
            presence,
            is_expected,
            is_boxed: inside(value, "Box").is_some(),
            as_json: arguments.word("as_json"),
            skip_read: arguments.word("skip_read"),
            skip_write: arguments.word("skip_write"),
            rules: rule::slice(arguments, &mut model.statics)?,
        })
    }
}

impl Presence {
    /// The variant of `json::Presence`.
    pub(crate) fn in_list(self) -> TokenStream {
        match self {
            Self::Required => quote!(Required),
            Self::Nullable => quote!(Nullable),
            Self::Default | Self::Expected => quote!(Expected),
            Self::Optional => quote!(Optional),
            Self::Any => quote!(Any),
            Self::Maybe => quote!(Maybe),
        }
    }

    /// Whether it is written even without a value.
    fn is_always_written(self) -> bool {
        match self {
            Self::Required | Self::Default | Self::Nullable | Self::Expected => true,
            Self::Optional | Self::Any | Self::Maybe => false,
        }
    }
}

fn read(model: &Model, object: &Object) -> TokenStream {
    let name = &model.name;
    let list = object.list();
    let members: Vec<_> = object.members.iter().filter(|member| !member.skip_read).collect();
    let locals = members.iter().map(|member| {
        let local = &member.local;
        if member.presence == Presence::Maybe {
            quote!(let mut #local = __runtime::json::Maybe::Absent;)
        } else {
            quote!(let mut #local = None;)
        }
    });
    let constants = object.constants.iter().filter(|constant| !constant.skip_read).map(|constant| {
        let value = &constant.value;
        quote!(&mut __runtime::json::Constant(#value))
    });
    let slots = constants.chain(members.iter().map(|member| slot(&member.local, member.rules.as_ref())));
    let fields = object.members.iter().map(|Member { field, local, presence, skip_read, .. }| match presence {
        _ if *skip_read => quote!(#field: Default::default()),
        Presence::Required => quote!(#field: #local?),
        Presence::Default => quote!(#field: #local.unwrap_or_default()),
        _ => quote!(#field: #local),
    });
    let entries =
        object.others.iter().map(|Others { local, .. }| quote!(let mut #local = __runtime::json::Entries::new();));
    let others = match &object.others {
        Some(Others { local, rules, .. }) => slot(local, rules.as_ref()),
        None if object.closed => quote!(&mut __runtime::json::Others::Closed),
        None => quote!(&mut __runtime::json::Others::Open),
    };
    let finished = object.others.iter().map(|Others { field, local, .. }| quote!(#field: #local.finish()?));
    let fields = fields.chain(finished);
    let members = match &object.rules {
        None => quote!(json.members(&MEMBERS, &mut [#(#slots),*], #others)?),
        Some(rules) => quote!(json.members_checked(#rules, &MEMBERS, &mut [#(#slots),*], #others)?),
    };
    quote! {
        impl __runtime::json::Read for #name {
            fn read(json: &mut __runtime::json::Reader<'_>) -> ::core::option::Option<Self> {
                static MEMBERS: __runtime::json::Members = #list;
                #(#locals)*
                #(#entries)*
                #members;
                Some(Self { #(#fields),* })
            }
        }
    }
}

/// The storage of a member, and its rules.
fn slot(local: &Ident, rules: Option<&TokenStream>) -> TokenStream {
    match rules {
        None => quote!(&mut #local),
        Some(rules) => quote!(&mut __runtime::rule::Checked(&mut #local, #rules)),
    }
}

fn write(model: &Model, object: &Object) -> TokenStream {
    let name = &model.name;
    let constants: Vec<_> = object.constants.iter().filter(|constant| !constant.skip_write).collect();
    let members: Vec<_> = object.members.iter().filter(|member| !member.skip_write).collect();
    let names = constants.iter().map(|constant| (&constant.name, true));
    let names = names.chain(members.iter().map(|member| (&member.name, member.presence.is_always_written())));
    let names = names.map(|(name, always)| {
        let name = string(&in_json(name));
        quote!((#name, #always))
    });
    let constants = constants.iter().map(|Constant { value, .. }| quote!(&#value));
    let values = constants.chain(members.iter().map(|Member { field, .. }| quote!(&self.#field)));
    let described = object.constants.iter().map(|constant| &constant.name);
    let described = described.chain(object.members.iter().map(|member| &member.name));
    let described: Vec<_> = described.map(|name| string(name)).collect();
    let entries = object
        .others
        .iter()
        .map(|Others { field, .. }| quote!(json.entries_besides(&[#(#described),*], &self.#field);));
    quote! {
        impl __runtime::json::Write for #name {
            fn write(&self, json: &mut __runtime::json::Writer) {
                json.begin_object();
                json.members(&[#(#names),*], &[#(#values),*]);
                #(#entries)*
                json.end_object();
            }
        }
    }
}

/// A name as JSON writes it, without the quotes.
fn in_json(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for letter in name.chars() {
        match letter {
            '"' | '\\' => text.extend(['\\', letter]),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            letter if u32::from(letter) < 0x20 => text.extend(format!("\\u{:04x}", u32::from(letter)).chars()),
            letter => text.push(letter),
        }
    }
    text
}

/// A hygienic name for the variable of a field.
fn local(field: &Ident) -> Ident {
    let mut local = field.clone();
    local.set_span(Span::mixed_site());
    local
}

/// The `T` of `BTreeMap<String, T>`.
fn values(ty: &Type) -> syn::Result<Type> {
    let arguments = match ty {
        Type::Path(path) => path.path.segments.last().map(|last| &last.arguments),
        _ => None,
    };
    if let Some(PathArguments::AngleBracketed(arguments)) = arguments
        && let Some(GenericArgument::Type(value)) = arguments.args.last()
    {
        return Ok(value.clone());
    }
    Err(Error::new(ty.span(), "expected a `BTreeMap`"))
}

/// The `T` of `Option<T>`.
pub(crate) fn inside<'a>(ty: &'a Type, wrapper: &str) -> Option<&'a Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last().filter(|last| last.ident == wrapper)?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.first()? {
        GenericArgument::Type(inside) => Some(inside),
        _ => None,
    }
}
