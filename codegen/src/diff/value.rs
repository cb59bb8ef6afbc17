//! Values: whether more or fewer are allowed than before.

use super::change::Change;
use super::change::Level::{Breaking, Harmless, Notice};
use super::change::Party::{self, Callers, Servers};
use super::constraint;
use super::rule::Rule;
use super::site::{Context, Site};
use super::types::{self, Relation};
use crate::ir::{Api, Constant, Default, ModelKind, Type, Value};

/// Compares a value that may itself be `null`: a body, an item, the value of a map.
pub(super) fn compare(context: &mut Context<'_>, site: &Site<'_>, old: &Value, new: &Value) {
    null(context, site, old.nullable, new.nullable);
    present(context, site, old, new);
}

/// Compares a value that is present and not `null`.
pub(super) fn present(context: &mut Context<'_>, site: &Site<'_>, old: &Value, new: &Value) {
    match (context.old.resolved(&old.ty), context.new.resolved(&new.ty)) {
        (Type::Array(old), Type::Array(new)) => {
            compare(context, &site.named(format!("an item of {}", site.what)), old, new);
        }
        (Type::Tuple(old), Type::Tuple(new)) if old.has_form_of(new) => {
            for (index, (old, new)) in old.values().zip(new.values()).enumerate() {
                compare(context, &site.named(format!("item {index} of {}", site.what)), old, new);
            }
        }
        (Type::Map(old), Type::Map(new)) => {
            compare(context, &site.named(format!("a value of {}", site.what)), old, new);
        }
        (old_type, new_type) => type_(context, site, old_type, new_type),
    }
    constraint::compare(context, site, &old.rules, &new.rules);
    if old.boxed != new.boxed && types::is_same_shape((context.old, &old.ty), (context.new, &new.ty)) {
        let message = if new.boxed { "is in a `Box` now" } else { "is not in a `Box` any more" };
        context
            .report(Rule::RustTypeChanged, site, format!("{} {message}", site.what))
            .breaking_code("code that makes or takes the value does not compile");
    }
}

fn type_(context: &mut Context<'_>, site: &Site<'_>, old: &Type, new: &Type) {
    let names = (types::text(context.old, old), types::text(context.new, new));
    let code = "the Rust type is another one";
    let relation = types::relation((context.old, old), (context.new, new));
    let rule = match relation {
        Relation::Same => {
            let is_foreign = matches!((old, new), (Type::Foreign(_), _) | (_, Type::Foreign(_)));
            let is_another = context.still_has(&names.0) && !types::is_called(context.new, &names.0, new);
            if names.0 != names.1 && (is_foreign || is_another) {
                let message = format!("{} is `{}` in Rust, not `{}`", site.what, names.1, names.0);
                context.report(Rule::RustTypeChanged, site, message).breaking_code(code);
            }
            return;
        }
        Relation::Wider => Rule::TypeWidened,
        Relation::Narrower => Rule::TypeNarrowed,
        Relation::Other => Rule::TypeChanged,
    };
    let change = context.report(rule, site, format!("{} is `{}` now, not `{}`", site.what, names.1, names.0));
    accepted(change, relation == Relation::Wider);
    answered(change, relation == Relation::Narrower);
    change.breaking_code(code);
}

/// Records whether requests may have all old values, and more.
fn accepted(change: &mut Change, is_wider: bool) {
    if is_wider {
        change.in_requests(Harmless, Callers, "values that were refused are accepted");
    } else {
        change.in_requests(Breaking, Callers, "values that were accepted are refused");
    }
}

/// Records whether responses have only old values, and fewer.
fn answered(change: &mut Change, is_narrower: bool) {
    if is_narrower {
        change.in_responses(Harmless, Callers, "other values do not arrive any more");
    } else {
        change.in_responses(Breaking, Callers, "values arrive that clients cannot read");
    }
}

/// Compares whether a value may be `null`.
pub(super) fn null(context: &mut Context<'_>, site: &Site<'_>, old: bool, new: bool) {
    if old && !new {
        context
            .report(Rule::NullRefused, site, format!("{} may no longer be `null`", site.what))
            .in_requests(Breaking, Callers, "`null` was accepted and is refused")
            .in_responses(Harmless, Callers, "`null` does not arrive any more")
            .breaking_code("`null` has no place in the Rust type any more");
    } else if new && !old {
        context
            .report(Rule::NullAllowed, site, format!("{} may be `null` now", site.what))
            .in_responses(Breaking, Callers, "clients do not expect `null`")
            .in_requests(Harmless, Callers, "`null` was refused and is accepted")
            .breaking_code("the Rust type has a place for `null` now");
    }
}

/// Compares defaults: the meaning of an absent value.
pub(super) fn default(
    context: &mut Context<'_>,
    site: &Site<'_>,
    old: (Option<&Default>, &Value),
    new: (Option<&Default>, &Value),
) {
    let old = old.0.map(|default| default_text(context.old, default, old.1));
    let new = new.0.map(|default| default_text(context.new, default, new.1));
    let message = match (&old, &new) {
        (Some(old), Some(new)) if old != new => format!("without {}, `{new}` is meant now, not `{old}`", site.what),
        (Some(old), None) => format!("without {}, `{old}` is not meant any more", site.what),
        (None, Some(new)) => format!("without {}, `{new}` is meant now", site.what),
        (Some(_), Some(_)) | (None, None) => return,
    };
    let is_another = old.is_some() && new.is_some();
    let change = context.report(Rule::DefaultChanged, site, message);
    match (site.direction.request, is_another) {
        (true, true) => change.breaking(Party::Callers, "requests that leave it out mean another thing"),
        (false, true) => change.breaking(Party::Callers, "answers that leave it out mean another thing"),
        (_, false) => change.notice(Party::Callers, "the description of its absence changed"),
    };
    change.in_requests(Notice, Servers, "the implementation decides what an absent value means, and must be adapted");
}

fn default_text(api: &Api, default: &Default, value: &Value) -> String {
    match default {
        Default::Boolean(flag) => flag.to_string(),
        Default::Number(text) | Default::String(text) => text.clone(),
        Default::Array(items) => {
            let item = match api.resolved(&value.ty) {
                Type::Array(item) => item,
                _ => value,
            };
            let items = items.iter().map(|own| default_text(api, own, item)).collect::<Vec<_>>();
            format!("[{}]", items.join(", "))
        }
        Default::OfVariant(rust, own) => match api.kind(&value.ty) {
            Some(ModelKind::Union(union)) => {
                let variant = union.variants.iter().find(|variant| variant.rust == *rust);
                variant.map(|variant| default_text(api, own, &variant.value)).unwrap_or_default()
            }
            _ => String::new(),
        },
        Default::Variant(index) => match api.kind(&value.ty) {
            Some(ModelKind::Enum(enum_)) => enum_.texts().into_iter().nth(*index).unwrap_or_default(),
            _ => String::new(),
        },
    }
}

/// Compares constants. Returns whether that is all there is to report.
pub(super) fn constant(
    context: &mut Context<'_>,
    site: &Site<'_>,
    old: Option<&Constant>,
    new: Option<&Constant>,
) -> bool {
    let (rule, message) = match (old, new) {
        (None, None) => return false,
        (Some(old), Some(new)) if old == new => return true,
        (Some(old), Some(new)) => {
            (Rule::TypeChanged, format!("{} is always `{}` now, not `{}`", site.what, new.text(), old.text()))
        }
        (None, Some(new)) => (Rule::TypeNarrowed, format!("{} is always `{}` now", site.what, new.text())),
        (Some(old), None) => (Rule::TypeWidened, format!("{} is not always `{}` any more", site.what, old.text())),
    };
    let change = context.report(rule, site, message);
    accepted(change, new.is_none());
    answered(change, old.is_none());
    if old.is_none() || new.is_none() {
        change.breaking_code("a member with only one value has no field");
    }
    true
}
