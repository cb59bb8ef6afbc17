//! The way to a member inside a value: `self.body.meta.as_ref().and_then(|meta| meta.next.as_ref())`.

use proc_macro2::TokenStream;
use quote::quote;

use crate::emit::ty;
use crate::ir::{Api, Field, IntegerKind, ModelKind, Name, Presence, Type, Value};

/// A member, and how it is reached.
pub(super) struct Member<'api> {
    start: TokenStream,
    value: &'api Value,
    steps: Vec<&'api Field>,
}

/// The member that `path` leads to from `value`, which `start` is an expression for.
pub(super) fn find<'api>(
    api: &'api Api,
    mut value: &'api Value,
    start: TokenStream,
    path: &[Name],
) -> Option<Member<'api>> {
    let mut steps = Vec::new();
    for name in path {
        let field = fields(api, value)?.iter().find(|field| field.name.wire == name.wire)?;
        steps.push(field);
        value = &field.value;
    }
    // A list that is itself an answer that may be `null` has no members to lead to.
    Some(Member { start, value: aliased(api, value), steps })
}

fn fields<'api>(api: &'api Api, value: &'api Value) -> Option<&'api [Field]> {
    let Type::Model(id) = aliased(api, value).ty else { return None };
    match &api.model(id).kind {
        ModelKind::Struct(struct_) => Some(&struct_.fields),
        ModelKind::Enum(_) | ModelKind::Union(_) | ModelKind::Alias(_) => None,
    }
}

/// What an alias stands for.
fn aliased<'api>(api: &'api Api, value: &'api Value) -> &'api Value {
    match value.ty {
        Type::Model(id) => match &api.model(id).kind {
            ModelKind::Alias(alias) => aliased(api, &alias.value),
            ModelKind::Struct(_) | ModelKind::Enum(_) | ModelKind::Union(_) => value,
        },
        _ => value,
    }
}

impl<'api> Member<'api> {
    pub(super) fn value(&self) -> &'api Value {
        self.value
    }

    /// How many items it has.
    pub(super) fn count(&self) -> TokenStream {
        match self.borrowed() {
            Reached::Always(list) => quote!(#list.len()),
            Reached::Maybe(list) => quote!(#list.map_or(0, Vec::len)),
        }
    }

    /// Its items.
    pub(super) fn into_items(&self) -> TokenStream {
        match self.owned() {
            Reached::Always(list) => list,
            Reached::Maybe(list) => quote!(#list.unwrap_or_default()),
        }
    }

    /// Its text, as an `Option<String>`.
    pub(super) fn text(&self) -> TokenStream {
        match (self.borrowed(), &self.value.ty) {
            (Reached::Always(text), Type::String) => quote!(Some(#text.clone())),
            (Reached::Maybe(text), Type::String) => quote!(#text.cloned()),
            (Reached::Always(value), _) => quote!(Some(#value.to_text().into_owned())),
            (Reached::Maybe(value), _) => quote!(#value.map(|value| value.to_text().into_owned())),
        }
    }

    /// The whole number that it is, as an `Option<u64>`.
    pub(super) fn number(&self, kind: IntegerKind) -> TokenStream {
        match (self.borrowed(), kind) {
            (Reached::Always(number), IntegerKind::U64) => quote!(Some(#number)),
            (Reached::Maybe(number), IntegerKind::U64) => quote!(#number.copied()),
            (Reached::Always(number), IntegerKind::U8 | IntegerKind::U16 | IntegerKind::U32) => {
                quote!(Some(u64::from(#number)))
            }
            (Reached::Maybe(number), IntegerKind::U8 | IntegerKind::U16 | IntegerKind::U32) => {
                quote!(#number.copied().map(u64::from))
            }
            (Reached::Always(number), IntegerKind::I8 | IntegerKind::I16 | IntegerKind::I32 | IntegerKind::I64) => {
                quote!(u64::try_from(#number).ok())
            }
            (Reached::Maybe(number), IntegerKind::I8 | IntegerKind::I16 | IntegerKind::I32 | IntegerKind::I64) => {
                quote!(#number.and_then(|number| u64::try_from(*number).ok()))
            }
        }
    }

    /// The place of the member, or an `Option` of a reference to it.
    fn borrowed(&self) -> Reached {
        self.reach(&quote!(&), |field, option| match field.presence {
            Presence::Required => None,
            Presence::Optional | Presence::Nullable => Some(quote!(#option.as_ref())),
            Presence::OptionalNullable => Some(quote!(#option.value())),
        })
    }

    /// The member itself, or an `Option` of it.
    fn owned(&self) -> Reached {
        self.reach(&TokenStream::new(), |field, option| match field.presence {
            Presence::Required => None,
            Presence::Optional | Presence::Nullable => Some(option),
            Presence::OptionalNullable => Some(quote!(#option.into_option())),
        })
    }

    /// Goes step by step; `borrow` stands before a field that is there, and `option` makes an `Option` of one that may
    /// not be.
    fn reach(&self, borrow: &TokenStream, option: impl Fn(&Field, TokenStream) -> Option<TokenStream>) -> Reached {
        let start = &self.start;
        let mut reached = Reached::Always(start.clone());
        for field in &self.steps {
            let name = ty::ident(&field.name.rust);
            reached = match reached {
                Reached::Always(place) => {
                    let place = quote!(#place.#name);
                    option(field, place.clone()).map_or(Reached::Always(place), Reached::Maybe)
                }
                Reached::Maybe(before) => match option(field, quote!(value.#name)) {
                    Some(inner) => Reached::Maybe(quote!(#before.and_then(|value| #inner))),
                    None => Reached::Maybe(quote!(#before.map(|value| #borrow value.#name))),
                },
            };
        }
        reached
    }
}

enum Reached {
    Always(TokenStream),
    Maybe(TokenStream),
}
