//! The table of an object's members, from which it is read and written as JSON.

use std::collections::BTreeSet;

use super::members::{is_any, is_demanded, is_expected};
use crate::emit::model::Context;
use crate::emit::model::rules::Rules;
use crate::emit::{feature, ty};
use crate::ir::{Api, Constant, Field, ModelKind, Presence, Struct, Type};
use printing::{Ident, Tokens, format_ident, quote};

/// The statics that the rules mention, and `json::object! { … }`: one table for both ways where they have the same members.
/// A way that this side does not go is there for the traits of serde, with every member.
pub(super) fn items(context: &Context<'_>, struct_: &Struct, rules: &mut Rules<'_>) -> Tokens {
    let Context { api, side, model, .. } = *context;
    let (reads, writes) = (side.reads(model), side.writes(model));
    let is_read = |field: &&Field| !reads || side.reads_field(field);
    let is_written = |field: &&Field| !writes || side.writes_field(field);
    let is_plain = |field: &Field| in_json(&field.name.wire) == field.name.wire;

    let members = struct_.fields.iter().filter(is_read).map(|field| member(context, field, rules)).collect::<Vec<_>>();
    let entries = struct_.additional.as_ref().map(|additional| {
        let rust = ty::ident(&additional.rust);
        let rules = rules.listed_of_additional(additional);
        quote!((#rust #rules))
    });
    let keeping = rules.listed_of_whole(&struct_.rules).map(|rules| quote!(keeping #rules));
    let is_checked = rules.has_listed();
    let serde = |is_there: bool, option: Option<Ident>| {
        let serde = (!is_there).then(|| format_ident!("serde"));
        let options: Vec<_> = option.into_iter().chain(serde).collect();
        (!options.is_empty()).then(|| quote!((#(#options),*)))
    };
    let read = {
        let options = serde(reads, is_checked.then(|| format_ident!("checked")));
        quote!(read #options)
    };
    let write = {
        let options = serde(writes, None);
        quote!(write #options)
    };
    let statics = rules.take_statics();
    let statics = if reads { statics } else { feature::each(feature::SERDE, &statics) };

    let name = ty::ident(&model.name.rust);
    let case = if api.any_case { quote!(any_case) } else { quote!(exact) };
    let others = match (&entries, struct_.closed) {
        (Some(_), _) => quote!(entries),
        (None, true) => quote!(closed),
        (None, false) => quote!(open),
    };
    let expecting = expecting(context, struct_.fields.iter().filter(is_read));

    if struct_.fields.iter().all(|field| is_read(&field) && is_written(&field) && is_plain(field)) {
        let ways = if writes && !reads { quote!(#write, #read) } else { quote!(#read, #write) };
        return quote! {
            #statics

            json::object! {
                #name, #case, #others #entries, #ways #expecting #keeping { #(#members,)* }
            }
        };
    }
    let unread = struct_.fields.iter().filter(|field| !is_read(field) && field.constant.is_none()).map(|field| {
        let rust = ty::ident(&field.name.rust);
        quote!(unread #rust)
    });
    let written = struct_.fields.iter().filter(is_written).map(|field| written(context, field));
    let unchecked = struct_.additional.as_ref().map(|additional| {
        let rust = ty::ident(&additional.rust);
        quote!((#rust))
    });
    quote! {
        #statics

        json::object! {
            #name, #case, #others #entries, #read #expecting #keeping { #(#members,)* #(#unread,)* }
        }

        json::object! {
            #name, #case, #others #unchecked, #write { #(#written,)* }
        }
    }
}

/// The members that only a strict reader misses, where their presence does not say so.
fn expecting<'api>(context: &Context<'_>, fields: impl Iterator<Item = &'api Field>) -> Option<Tokens> {
    let Context { api, side, .. } = *context;
    let names: Vec<_> = fields
        .filter(|field| is_expected(api, side, field) && !says_expected(context, field))
        .map(|field| &field.name.wire)
        .collect();
    (!names.is_empty()).then(|| quote!(expecting [#(#names),*]))
}

fn says_expected(context: &Context<'_>, field: &Field) -> bool {
    field.constant.is_some() || matches!(presence(context, field), "expected" | "any")
}

/// `optional name = "Name" [Rule::MaxLength(255)]`
fn member(context: &Context<'_>, field: &Field, rules: &mut Rules<'_>) -> Tokens {
    let presence = format_ident!("{}", presence(context, field));
    let wire = &field.name.wire;
    if let Some(constant) = &field.constant {
        let constant = literal(constant);
        return quote!(#presence #wire is #constant);
    }
    let rust = ty::ident(&field.name.rust);
    let rules = rules.listed(&field.value, &field.name.rust);
    quote!(#presence #rust = #wire #rules)
}

/// The same for what is only written.
fn written(context: &Context<'_>, field: &Field) -> Tokens {
    let presence = format_ident!("{}", presence(context, field));
    let wire = in_json(&field.name.wire);
    if let Some(constant) = &field.constant {
        let constant = literal(constant);
        return quote!(#presence #wire is #constant);
    }
    let rust = ty::ident(&field.name.rust);
    quote!(#presence #rust = #wire)
}

/// What the table calls the presence of a member.
fn presence(context: &Context<'_>, field: &Field) -> &'static str {
    let Context { api, side, .. } = *context;
    if field.constant.is_some() {
        return match (is_demanded(api, side, field), is_expected(api, side, field)) {
            (true, _) => "required",
            (false, true) => "expected",
            (false, false) => "optional",
        };
    }
    match field.presence {
        Presence::Required if is_demanded(api, side, field) => "required",
        Presence::Required => "any",
        Presence::Nullable if is_demanded(api, side, field) => "nullable",
        Presence::Nullable => "expected",
        // Where any value may stand, `null` is one.
        Presence::Optional if is_any(api, field) || may_be_null(api, &field.value.ty) => "optional_any",
        Presence::Optional => "optional",
        Presence::OptionalNullable => "maybe",
    }
}

fn literal(constant: &Constant) -> Tokens {
    match constant {
        Constant::String(text) => quote!(#text),
        Constant::Integer(number) => Tokens::read(&format!("{number}i64")),
        Constant::Boolean(flag) => quote!(#flag),
    }
}

/// A name as it stands in JSON between the quotes.
fn in_json(name: &str) -> String {
    let quoted = serde_json::Value::from(name).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

/// `null` is a value of the type itself.
fn may_be_null(api: &Api, ty: &Type) -> bool {
    // Variants may lead back to their union.
    let mut seen = BTreeSet::new();
    let mut next = vec![ty];
    while let Some(ty) = next.pop() {
        match ty {
            Type::Any => return true,
            Type::Model(id) if seen.insert(*id) => match &api.model(*id).kind {
                ModelKind::Alias(alias) => next.push(&alias.value.ty),
                ModelKind::Union(union) => next.extend(union.variants.iter().map(|variant| &variant.value.ty)),
                ModelKind::Struct(_) | ModelKind::Enum(_) => {}
            },
            _ => {}
        }
    }
    false
}
