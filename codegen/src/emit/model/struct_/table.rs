//! The table of an object's members, from which it is read and written as JSON, as a parameter, and as a form.

use std::iter;

use crate::emit::model::Context;
use crate::emit::model::rules::Rules;
use crate::emit::profile::Side;
use crate::emit::{feature, ty};
use crate::ir::{Api, Constant, Field, Presence, Struct, TextForm, Type};
use proc_macro2::TokenStream;
use quote::quote;

/// The statics that the rules mention, and `json::object! { … }`: one table for all ways where they have the same members.
/// A way of JSON that this side does not go is there for the traits of serde, with every member.
pub(super) fn items(context: &Context<'_>, struct_: &Struct, rules: &mut Rules<'_>) -> TokenStream {
    let Context { side, model, .. } = *context;
    let (reads, writes) = (side.reads(model), side.writes(model));
    let is_read = |field: &&Field| !reads || side.reads_field(field);
    let is_written = |field: &&Field| !writes || side.writes_field(field);
    let is_plain = |field: &Field| in_json(&field.name.wire) == field.name.wire;

    let members = struct_.fields.iter().filter(is_read).map(|field| member(context, field, rules)).collect::<Vec<_>>();
    let additional = struct_.additional.as_ref();
    let entries_rules = additional.and_then(|additional| rules.listed_of_additional(additional));
    let keeping = rules.listed_of_whole(&struct_.rules).map(|rules| quote!(keeping #rules));
    let read = way("read", [(rules.has_listed(), "checked"), (!reads, "serde")]);
    let write = way("write", [(!writes, "serde")]);
    let from_parameter = way("from_parameter", [(side.refuses_texts(model), "checked")]);
    let from_parameter = (model.in_parameter && reads).then_some(from_parameter);
    let to_parameter = (model.in_parameter && writes).then(|| quote!(to_parameter));
    let statics = rules.take_statics();
    let statics = if reads { statics } else { feature::each(feature::SERDE, statics) };
    let expecting = expecting(context, struct_.fields.iter().filter(is_read));
    let head = head(context, struct_, entries_rules.as_ref());

    if struct_.fields.iter().all(|field| is_read(&field) && is_written(&field) && is_plain(field)) {
        let ways = if writes && !reads { [write, read] } else { [read, write] };
        let ways = ways.into_iter().chain(from_parameter).chain(to_parameter);
        return quote! {
            #statics

            json::object! {
                #head, #(#ways),* #expecting #keeping { #(#members,)* }
            }
        };
    }
    let unread = struct_.fields.iter().filter(|field| !is_read(field) && field.constant.is_none()).map(|field| {
        let rust = ty::ident(&field.name.rust);
        quote!(unread #rust)
    });
    let ways = iter::once(read).chain(from_parameter);
    let unchecked = self::head(context, struct_, None);
    let written = |name: fn(&str) -> String| {
        let written = struct_.fields.iter().filter(is_written).map(|field| written(context, field, name));
        quote!(#(#written,)*)
    };
    let is_same = struct_.fields.iter().filter(is_written).all(is_plain);
    let (with_json, alone) = if is_same { (to_parameter, None) } else { (None, to_parameter) };
    let writes = iter::once(write).chain(with_json);
    let members_in_json = written(in_json);
    let alone = alone.map(|way| {
        let members = written(str::to_owned);
        quote!(json::object! { #unchecked, #way { #members } })
    });
    quote! {
        #statics

        json::object! {
            #head, #(#ways),* #expecting #keeping { #(#members,)* #(#unread,)* }
        }

        json::object! {
            #unchecked, #(#writes),* { #members_in_json }
        }

        #alone
    }
}

/// `read(checked, serde)`: a way, and those of its options that hold.
fn way<const N: usize>(way: &str, options: [(bool, &str); N]) -> TokenStream {
    let way = ty::ident(way);
    let options: Vec<_> = options.iter().filter(|(holds, _)| *holds).map(|(_, option)| ty::ident(option)).collect();
    if options.is_empty() { quote!(#way) } else { quote!(#way(#(#options),*)) }
}

/// `Pet, exact, open`: the struct, how names are matched, and what becomes of members that are not named.
fn head(context: &Context<'_>, struct_: &Struct, rules: Option<&TokenStream>) -> TokenStream {
    let Context { api, model, .. } = *context;
    let name = ty::ident(&model.name.rust);
    let case = if api.any_case { quote!(any_case) } else { quote!(exact) };
    let others = match (&struct_.additional, struct_.closed) {
        (Some(additional), _) => {
            let rust = ty::ident(&additional.rust);
            let form = (model.in_parameter && additional.form == TextForm::Json).then(|| quote!(as json));
            let is_nested = model.in_parameter && matches!(additional.form, TextForm::Fields | TextForm::Several);
            let entries = if is_nested { quote!(nested_entries) } else { quote!(entries) };
            quote!(#entries(#rust #form #rules))
        }
        (None, true) => quote!(closed),
        (None, false) => quote!(open),
    };
    quote!(#name, #case, #others)
}

/// The members that only a strict reader misses, where their presence does not say so.
fn expecting<'api>(context: &Context<'_>, fields: impl Iterator<Item = &'api Field>) -> Option<TokenStream> {
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
fn member(context: &Context<'_>, field: &Field, rules: &mut Rules<'_>) -> TokenStream {
    let presence = ty::ident(presence(context, field));
    let wire = &field.name.wire;
    if let Some(constant) = &field.constant {
        let constant = literal(constant);
        return quote!(#presence #wire is #constant);
    }
    let rust = ty::ident(&field.name.rust);
    let form = form(context, field);
    let rules = rules.listed(&field.value, &field.name.rust);
    quote!(#presence #rust = #wire #form #rules)
}

/// The same for what is only written, under its name as `name` writes it.
fn written(context: &Context<'_>, field: &Field, name: fn(&str) -> String) -> TokenStream {
    let presence = ty::ident(presence(context, field));
    let wire = name(&field.name.wire);
    if let Some(constant) = &field.constant {
        let constant = literal(constant);
        return quote!(#presence #wire is #constant);
    }
    let rust = ty::ident(&field.name.rust);
    let form = form(context, field);
    quote!(#presence #rust = #wire #form)
}

/// How a member differs in a parameter from those that are texts.
fn form(context: &Context<'_>, field: &Field) -> Option<TokenStream> {
    if !context.model.in_parameter {
        None
    } else if field.form == TextForm::Json {
        Some(quote!(as json))
    } else {
        field.form.is_boxed(&field.value).then(|| quote!(as boxed))
    }
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
        Presence::Optional if api.takes_null(&field.value.ty) => "optional_any",
        Presence::Optional => "optional",
        Presence::OptionalNullable => "maybe",
    }
}

fn literal(constant: &Constant) -> TokenStream {
    match constant {
        Constant::String(text) => quote!(#text),
        Constant::Integer(number) => ty::tokens(&format!("{number}i64")),
        Constant::Boolean(flag) => quote!(#flag),
    }
}

/// A name as it stands in JSON between the quotes.
fn in_json(name: &str) -> String {
    let quoted = serde_json::Value::from(name).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

/// A missing member is a violation; a client takes a missing one for the `null` that it may be.
fn is_demanded(api: &Api, side: Side, field: &Field) -> bool {
    match (field.presence, side) {
        (Presence::Required, Side::Client) => field.constant.is_none() && !is_any(api, field),
        (Presence::Required | Presence::Nullable, Side::Server) => true,
        (Presence::Nullable, Side::Client) | (Presence::Optional | Presence::OptionalNullable, _) => false,
    }
}

/// A member that only a strict reader misses: a client's is not, nor is that of what a server answers.
fn is_expected(api: &Api, side: Side, field: &Field) -> bool {
    let is_required = field.is_required() || (side == Side::Server && field.required_in_requests);
    is_required && !is_demanded(api, side, field)
}

/// It may be `null`, as it may be anything.
fn is_any(api: &Api, field: &Field) -> bool {
    *api.resolved(&field.value.ty) == Type::Any
}
