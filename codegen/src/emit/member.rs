//! The way to a member inside a value: `self.body.meta.as_ref().and_then(|meta| meta.next.as_ref())`.

use crate::emit::ty;
use crate::ir::{Api, Field, IntegerKind, MemberPath, ModelKind, Name, Presence, Type, Value};
use proc_macro2::TokenStream;
use quote::quote;

/// A member, and how it is reached.
pub(super) struct Member<'api> {
    start: TokenStream,
    ty: &'api Type,
    steps: Vec<Step<'api>>,
}

/// A field on the way.
struct Step<'api> {
    rust: &'api str,
    presence: Presence,
}

/// The member that `path` leads to from `start`.
pub(super) fn at(start: TokenStream, path: &MemberPath) -> Member<'_> {
    let steps = path.steps.iter().map(|step| Step { rust: &step.name.rust, presence: step.presence });
    Member { start, ty: &path.ty, steps: steps.collect() }
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
        steps.push(Step { rust: &field.name.rust, presence: field.presence });
        value = &field.value;
    }
    Some(Member { start, ty: api.resolved(&value.ty), steps })
}

fn fields<'api>(api: &'api Api, value: &'api Value) -> Option<&'api [Field]> {
    match api.kind(&value.ty)? {
        ModelKind::Struct(struct_) => Some(&struct_.fields),
        ModelKind::Enum(_) | ModelKind::Union(_) | ModelKind::Alias(_) => None,
    }
}

impl<'api> Member<'api> {
    /// Its type behind aliases.
    pub(super) fn ty(&self) -> &'api Type {
        self.ty
    }

    /// The number of items.
    pub(super) fn count(&self) -> TokenStream {
        match self.reach(Mode::Borrow) {
            Reached::Always(list) => quote!(#list.len()),
            Reached::Maybe(list) => quote!(#list.map_or(0, Vec::len)),
        }
    }

    /// Its items.
    pub(super) fn items(&self) -> TokenStream {
        match self.reach(Mode::Own) {
            Reached::Always(list) => list,
            Reached::Maybe(list) => quote!(#list.unwrap_or_default()),
        }
    }

    /// Its text, as an `Option<String>`.
    pub(super) fn text(&self) -> TokenStream {
        if let ([before @ .., last], Type::String) = (self.steps.as_slice(), self.ty)
            && before.iter().all(|step| step.presence == Presence::Required)
            && matches!(last.presence, Presence::Optional | Presence::Nullable)
        {
            let (start, names) = (&self.start, self.steps.iter().map(|step| ty::ident(step.rust)));
            return quote!(#start #(.#names)* .clone());
        }
        match (self.reach(Mode::Borrow), self.ty) {
            (Reached::Always(text), Type::String) => quote!(Some(#text.clone())),
            (Reached::Maybe(text), Type::String) => quote!(#text.cloned()),
            (Reached::Always(value), _) => quote!(Some(ToText::to_text(&#value).into_owned())),
            (Reached::Maybe(value), _) => quote!(#value.map(|value| ToText::to_text(value).into_owned())),
        }
    }

    /// Its text in an `Option` of what the way starts at, as an `Option<String>`.
    pub(super) fn text_in(&self, start: &TokenStream) -> TokenStream {
        let name = &self.start;
        match (self.reach(Mode::Borrow), self.ty) {
            (Reached::Always(text), Type::String) => quote!(#start.map(|#name| #text.clone())),
            (Reached::Maybe(text), Type::String) => quote!(#start.and_then(|#name| #text.cloned())),
            (Reached::Always(value), _) => quote!(#start.map(|#name| ToText::to_text(&#value).into_owned())),
            (Reached::Maybe(value), _) => {
                quote!(#start.and_then(|#name| #value.map(|value| ToText::to_text(value).into_owned())))
            }
        }
    }

    /// Its last item, as an `Option` of a reference.
    pub(super) fn last(&self) -> TokenStream {
        match self.reach(Mode::Borrow) {
            Reached::Always(list) => quote!(#list.last()),
            Reached::Maybe(list) => quote!(#list.and_then(|items| items.last())),
        }
    }

    /// Whether it is `true`.
    pub(super) fn flag(&self) -> TokenStream {
        match self.reach(Mode::Copy) {
            Reached::Always(flag) => flag,
            Reached::Maybe(flag) => quote!(#flag == Some(true)),
        }
    }

    /// The whole number that it is, as an `Option<u64>`.
    pub(super) fn number(&self, kind: IntegerKind) -> TokenStream {
        let number = self.reach(Mode::Copy);
        match kind {
            IntegerKind::U64 => match number {
                Reached::Always(number) => quote!(Some(#number)),
                Reached::Maybe(number) => number,
            },
            IntegerKind::U8 | IntegerKind::U16 | IntegerKind::U32 => match number {
                Reached::Always(number) => quote!(Some(u64::from(#number))),
                Reached::Maybe(number) => quote!(#number.map(u64::from)),
            },
            IntegerKind::I8 | IntegerKind::I16 | IntegerKind::I32 | IntegerKind::I64 => match number {
                Reached::Always(number) => quote!(u64::try_from(#number).ok()),
                Reached::Maybe(number) => quote!(#number.and_then(|number| u64::try_from(number).ok())),
            },
        }
    }

    /// Goes to the member step by step.
    fn reach(&self, mode: Mode) -> Reached {
        let mut reached = Reached::Always(self.start.clone());
        for (index, step) in self.steps.iter().enumerate() {
            let is_last = index + 1 == self.steps.len();
            let mode = if mode == Mode::Copy && !is_last { Mode::Borrow } else { mode };
            let name = ty::ident(step.rust);
            reached = match reached {
                Reached::Always(place) => {
                    let place = quote!(#place.#name);
                    mode.option(step.presence, &place).map_or(Reached::Always(place), Reached::Maybe)
                }
                Reached::Maybe(before) => match mode.option(step.presence, &quote!(value.#name)) {
                    Some(inner) => Reached::Maybe(quote!(#before.and_then(|value| #inner))),
                    None if mode == Mode::Borrow => Reached::Maybe(quote!(#before.map(|value| &value.#name))),
                    None => Reached::Maybe(quote!(#before.map(|value| value.#name))),
                },
            };
        }
        reached
    }
}

/// What becomes of the value that is looked into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// It is looked at.
    Borrow,
    /// It is taken apart.
    Own,
    /// It is looked at, and the member is a copy.
    Copy,
}

impl Mode {
    /// A field that may not be there, as an `Option`.
    fn option(self, presence: Presence, place: &TokenStream) -> Option<TokenStream> {
        match (presence, self) {
            (Presence::Required, _) => None,
            (Presence::Optional | Presence::Nullable, Self::Borrow) => Some(quote!(#place.as_ref())),
            (Presence::Optional | Presence::Nullable, Self::Own | Self::Copy) => Some(quote!(#place)),
            (Presence::OptionalNullable, Self::Borrow) => Some(quote!(#place.value())),
            (Presence::OptionalNullable, Self::Own | Self::Copy) => Some(quote!(#place.into_option())),
        }
    }
}

/// A member, or an `Option` of it or of a reference to it.
enum Reached {
    Always(TokenStream),
    Maybe(TokenStream),
}
