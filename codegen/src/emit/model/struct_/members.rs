//! The members of an object that a side reads of the texts of a parameter, and where they are kept until it is complete.

use crate::emit::model::rules::Rules;
use crate::emit::profile::Side;
use crate::emit::ty;
use crate::ir::{Additional, Api, Field, Model, ModelKind, Presence, Struct, Type};
use printing::{Ident, Tokens, quote};

/// With more members than this, variables are hard to keep apart, and a function of them grows long.
const LOCALS: usize = 24;

/// What a side reads of an object.
pub(super) struct Members<'api> {
    api: &'api Api,
    pub(super) side: Side,
    /// Texts are refused where the description does not allow them.
    pub(super) refuses_texts: bool,
    pub(super) struct_: &'api Struct,
    /// The members that are read or, where they can have only one value, looked at.
    pub(super) read: Vec<Member<'api>>,
    /// The rules of members that are not named.
    pub(super) additional_rules: Option<Tokens>,
}

/// One member, and its rules as a slice.
pub(super) struct Member<'api> {
    pub(super) field: &'api Field,
    pub(super) rules: Option<Tokens>,
}

impl<'api> Members<'api> {
    /// The members that `side` reads.
    pub(super) fn new(api: &'api Api, side: Side, model: &Model, struct_: &'api Struct, rules: &mut Rules<'_>) -> Self {
        let refuses_texts = side.refuses_texts(model);
        let fields = struct_.fields.iter().filter(|field| side.reads_field(field));
        let mut rules_of = |field: &Field| rules.of_value(&field.value, &field.name.rust).filter(|_| refuses_texts);
        let read = fields.map(|field| Member { field, rules: rules_of(field) }).collect();
        let additional = struct_.additional.as_ref().filter(|_| refuses_texts);
        let additional_rules = additional.and_then(|additional| rules.of_additional(additional));
        Self { api, side, refuses_texts, struct_, read, additional_rules }
    }

    /// `const MEMBERS`: all names, and those that must be there.
    pub(super) fn list(&self) -> Tokens {
        let names = self.read.iter().map(|member| &member.field.name.wire);
        let required = self
            .read
            .iter()
            .filter(|member| is_demanded(self.api, self.side, member.field))
            .map(|member| &member.field.name.wire);
        let expected = self.read.iter().filter(|member| is_expected(self.api, self.side, member.field));
        let expected: Vec<_> = expected.map(|member| &member.field.name.wire).collect();
        let expecting = (!expected.is_empty()).then(|| quote!(.expecting(&[#(#expected),*])));
        let additional = self.struct_.additional.as_ref();
        let nesting =
            additional.filter(|additional| is_nested(self.api, &additional.value.ty)).map(|_| quote!(.nesting()));
        let matching = if self.api.any_case { quote!(any_case) } else { quote!(exact) };

        quote! {
            const MEMBERS: Members = Members::#matching(&[#(#names),*], &[#(#required),*]) #expecting #nesting;
        }
    }

    /// The members whose values are kept.
    pub(super) fn kept(&self) -> impl Iterator<Item = &'api Field> + '_ {
        self.read.iter().map(|member| member.field).filter(|field| field.constant.is_none())
    }

    /// The members may be kept in variables; otherwise they need a struct of their own.
    pub(super) fn fit_in_locals(&self) -> bool {
        let names: Vec<_> = self.kept().map(|field| field.name.rust.as_str()).collect();
        let alike =
            names.iter().enumerate().any(|(index, name)| names[..index].iter().any(|other| look_alike(name, other)));
        let short = names.iter().filter(|name| name.len() == 1).count();
        names.len() <= LOCALS && !alike && short <= 4
    }

    /// The fields of the struct with their values, made of what `member` says holds each.
    pub(super) fn values(&self, member: impl Fn(&str) -> Tokens) -> Tokens {
        let fields = self.struct_.fields.iter().filter(|field| field.constant.is_none()).map(|field| {
            let rust = ty::ident(&field.name.rust);
            let value = self.value(field, &member(&field.name.rust));
            quote!(#rust: #value,)
        });
        let additional = self.struct_.additional.as_ref().map(|additional| {
            let rust = ty::ident(&additional.rust);
            let entries = member(&additional.rust);
            quote!(#rust: #entries.finish()?,)
        });
        quote!(#(#fields)* #additional)
    }

    fn value(&self, field: &Field, member: &Tokens) -> Tokens {
        if !self.side.reads_field(field) {
            return match field.presence {
                Presence::Required | Presence::Nullable | Presence::Optional => quote!(None),
                Presence::OptionalNullable => quote!(Maybe::Absent),
            };
        }
        match (field.presence, self.side) {
            (Presence::Required, Side::Client) if is_any(self.api, field) => {
                quote!(#member.optional()?.unwrap_or_default())
            }
            (Presence::Required, _) => quote!(#member.required()?),
            (Presence::Nullable, Side::Server) => quote!(#member.nullable()?),
            (Presence::Optional, _) | (Presence::Nullable, Side::Client) => quote!(#member.optional()?),
            (Presence::OptionalNullable, _) => quote!(#member.maybe()?),
        }
    }

    /// How many lines it takes to declare the variables and to put their values into the struct.
    pub(super) fn lines(&self) -> usize {
        let values = self.struct_.fields.iter().map(|field| if field.name.rust.len() > 28 { 2 } else { 1 });
        self.read.len() + values.sum::<usize>() + 8
    }

    /// Where members go that are not named.
    pub(super) fn additional(&self) -> Option<&'api Additional> {
        self.struct_.additional.as_ref()
    }
}

/// A missing member is a violation; a client takes a missing one for the `null` that it may be.
pub(super) fn is_demanded(api: &Api, side: Side, field: &Field) -> bool {
    match (field.presence, side) {
        (Presence::Required, Side::Client) => field.constant.is_none() && !is_any(api, field),
        (Presence::Required | Presence::Nullable, Side::Server) => true,
        (Presence::Nullable, Side::Client) | (Presence::Optional | Presence::OptionalNullable, _) => false,
    }
}

/// A member that only a strict reader misses: a client's is not, nor is that of what a server answers.
pub(super) fn is_expected(api: &Api, side: Side, field: &Field) -> bool {
    let is_required = field.is_required() || (side == Side::Server && field.required_in_requests);
    is_required && !is_demanded(api, side, field)
}

/// It may be `null`, as it may be anything.
pub(super) fn is_any(api: &Api, field: &Field) -> bool {
    *api.resolved(&field.value.ty) == Type::Any
}

/// The variable of a member; some names are taken by the functions around it.
pub(super) fn variable(rust: &str) -> Ident {
    match rust {
        "member" | "raw" | "at" => ty::ident(&format!("{rust}_")),
        rust => ty::ident(rust),
    }
}

/// Whether two names differ in one letter only, which makes variables hard to tell apart.
fn look_alike(a: &str, b: &str) -> bool {
    let (a, b): (Vec<_>, Vec<_>) = (a.chars().collect(), b.chars().collect());
    let start = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[start..], &b[start..]);
    let end = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    a.len() - end <= 1 && b.len() - end <= 1
}

/// An object, or a list of them, whose members have names of their own in a form.
fn is_nested(api: &Api, ty: &Type) -> bool {
    match api.resolved(ty) {
        Type::Map(_) => true,
        Type::Array(item) => is_nested(api, &item.ty),
        Type::Model(id) => matches!(api.model(*id).kind, ModelKind::Struct(_) | ModelKind::Union(_)),
        _ => false,
    }
}
