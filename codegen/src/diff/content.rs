//! The forms of a body.

use std::mem::discriminant;

use super::change::{Level, Party};
use super::model::member::{self, Members};
use super::rule::Rule;
use super::site::{Context, Site, pairs};
use super::{constraint, name, value};
use crate::ir::{Api, Content, ContentKind, Form, ModelKind, Multipart};

/// Pairs old and new forms: first those that share a media type, then those of the same kind.
pub(super) fn matched<'a>(old: &'a [Content], new: &'a [Content]) -> Vec<(&'a Content, &'a Content)> {
    let by_media_type = |before: &Content, after: &Content| {
        before.media_types.iter().any(|media_type| after.media_types.contains(media_type))
    };
    let by_kind = |before: &Content, after: &Content| discriminant(&before.kind) == discriminant(&after.kind);
    pairs(&Vec::from_iter(old), &Vec::from_iter(new), &[&by_media_type, &by_kind])
}

/// Compares all forms of a body that both descriptions have.
pub(super) fn compare(context: &mut Context<'_>, site: &Site<'_>, old: &[Content], new: &[Content]) {
    let of = |contents: &[Content]| -> Vec<String> {
        contents.iter().flat_map(|content| content.media_types.clone()).collect()
    };
    let (before, after) = (of(old), of(new));
    for media_type in after.iter().filter(|media_type| !before.contains(media_type)) {
        let message = format!("{} may be `{media_type}`", site.what);
        context
            .report(Rule::MediaTypeAdded, site, message)
            .in_requests(Level::Harmless, Party::Callers, "requests as before are still accepted")
            .in_responses(Level::Notice, Party::Callers, "clients without `Accept` get it");
    }
    for media_type in before.iter().filter(|media_type| !after.contains(media_type)) {
        let message = format!("{} may not be `{media_type}` any more", site.what);
        let reason = if site.direction.request {
            "clients send it, and it is refused"
        } else {
            "clients ask for it, and do not get it"
        };
        context.report_gone(Rule::MediaTypeRemoved, site, message).breaking(Party::Callers, reason);
    }
    shape(context, site, old, new);
    for (before, after) in matched(old, new) {
        content(context, site, before, after);
        if old.len() > 1 && new.len() > 1 {
            name::compare(context, site, "the variant", &before.variant, &after.variant);
        }
    }
}

/// Whether the Rust type changes: one form is its type, several are an enum with a variant for each.
fn shape(context: &mut Context<'_>, site: &Site<'_>, old: &[Content], new: &[Content]) {
    let message = match (old.len(), new.len()) {
        (1, 2..) => format!("{} is an enum of its forms in Rust now", site.what),
        (2.., 1) => format!("{} is no longer an enum of its forms in Rust", site.what),
        (before, after) if before != after => {
            format!("{} is an enum of {after} forms in Rust, not of {before}", site.what)
        }
        (before, _) if matched(old, new).len() == before => return,
        (1, _) => format!("{} is {} in Rust now, not {}", site.what, word(&new[0].kind), word(&old[0].kind)),
        (count, _) => format!("{} is an enum of {count} other forms in Rust", site.what),
    };
    let reason = "code that makes or takes the body does not compile";
    context.report(Rule::RustTypeChanged, site, message).breaking_code(reason);
}

fn content(context: &mut Context<'_>, site: &Site<'_>, old: &Content, new: &Content) {
    match (&old.kind, &new.kind) {
        (ContentKind::Json(old), ContentKind::Json(new))
        | (ContentKind::JsonLines(old), ContentKind::JsonLines(new))
        | (ContentKind::Events(Some(old)), ContentKind::Events(Some(new))) => {
            value::compare(context, site, old, new);
        }
        (ContentKind::Xml(old), ContentKind::Xml(new)) => value::compare(context, site, &old.value, &new.value),
        (ContentKind::Form(old), ContentKind::Form(new)) => {
            value::compare(context, site, &old.value, &new.value);
            members(context, site, old, new);
        }
        (ContentKind::Text(old), ContentKind::Text(new)) => constraint::compare(context, site, &old.rules, &new.rules),
        (ContentKind::Bytes, ContentKind::Bytes) | (ContentKind::Events(None), ContentKind::Events(None)) => {}
        (ContentKind::Multipart(old), ContentKind::Multipart(new)) if old.positional == new.positional => {
            multipart(context, site, old, new);
        }
        (before, after) => {
            let message = format!("{} is {} now, not {}", site.what, word(after), word(before));
            context
                .report(Rule::TypeChanged, site, message)
                .breaking(Party::Callers, "clients write or read it in another way")
                .breaking_code("the Rust type is another one");
        }
    }
}

/// Compares how the members of a form are written; those that only one of the two has are skipped.
fn members(context: &mut Context<'_>, site: &Site<'_>, old: &Form, new: &Form) {
    let style = |form: &Form, name: &str| form.members.iter().find(|member| member.name == name).cloned();
    let before = names_of(context.old, old);
    let both: Vec<_> = names_of(context.new, new).into_iter().filter(|name| before.contains(name)).collect();
    for name in both.into_iter().filter(|name| style(old, name) != style(new, name)) {
        context
            .report(
                Rule::ParameterEncodingChanged,
                site,
                format!("`{name}` of {} is written in another way", site.what),
            )
            .breaking(Party::Callers, "values are read differently, or refused");
    }
}

fn names_of<'api>(api: &'api Api, form: &Form) -> Vec<&'api str> {
    match api.kind(&form.value.ty) {
        Some(ModelKind::Struct(struct_)) => struct_.fields.iter().map(|field| field.name.wire.as_str()).collect(),
        _ => Vec::new(),
    }
}

fn multipart(context: &mut Context<'_>, site: &Site<'_>, old: &Multipart, new: &Multipart) {
    let (before, after) = (parts(context.old, old), parts(context.new, new));
    member::compare(context, site, "body", &before, &after);
    constraint::compare(context, site, &old.rules, &new.rules);
    if !old.closed && new.closed {
        context
            .report(
                Rule::OtherMembersRefused,
                site,
                format!("{} may have no other parts than those described", site.what),
            )
            .in_requests(Level::Breaking, Party::Callers, "requests with other parts were accepted and are refused")
            .in_responses(Level::Notice, Party::Servers, "answers may not have other parts")
            .in_responses(Level::Harmless, Party::Callers, "answers have no others");
    } else if old.closed && !new.closed {
        context
            .report(Rule::OtherMembersAllowed, site, format!("{} may have other parts than those described", site.what))
            .in_requests(Level::Harmless, Party::Callers, "requests as before are still accepted")
            .in_responses(Level::Notice, Party::Callers, "parts arrive that were ruled out");
    }
    for part in &new.parts {
        let before = old.parts.iter().find(|before| before.field.name.wire == part.field.name.wire);
        if before.is_none() && old.item().is_none() {
            let message = format!("the enum of the parts of {} has the new variant `{}`", site.what, part.variant);
            let reason = "a `match` of the receiver's enum needs an arm for it";
            let change = context.report(Rule::VariantAdded, site, message);
            if site.direction.request {
                change.breaking_code(reason);
            } else {
                change.breaking(Party::Rust, reason);
            }
        }
        if let Some(before) = before.filter(|before| before.kind != part.kind) {
            let message = format!("the part `{}` is read in another way", part.field.name.wire);
            context
                .report(
                    Rule::TypeChanged,
                    &site.part("", before.field.location.as_ref(), part.field.location.as_ref()),
                    message,
                )
                .in_requests(Level::Breaking, Party::Callers, "clients write it in another way")
                .in_responses(Level::Breaking, Party::Callers, "clients read it in another way")
                .breaking_code("the Rust type is another one");
        }
    }
}

fn parts<'a>(api: &Api, multipart: &'a Multipart) -> Members<'a> {
    let fields = multipart.parts.iter().map(|part| &part.field).collect();
    let literals_are_open = multipart.has_new(api) || multipart.has_client_default(&api.models);
    Members { fields, literals_are_open, closed: multipart.closed }
}

fn word(kind: &ContentKind) -> &'static str {
    match kind {
        ContentKind::Json(_) => "JSON",
        ContentKind::Xml(_) => "XML",
        ContentKind::Text(_) => "text",
        ContentKind::Bytes => "bytes",
        ContentKind::Form(_) => "a form",
        ContentKind::Multipart(multipart) if multipart.positional => "a list of parts",
        ContentKind::Multipart(_) => "a form of several parts",
        ContentKind::Events(_) => "a stream of events",
        ContentKind::JsonLines(_) => "a stream of JSON",
    }
}
