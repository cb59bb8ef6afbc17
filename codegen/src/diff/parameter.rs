//! Parameters.

use super::change::Party;
use super::deprecated::deprecated;
use super::rule::Rule;
use super::site::{Context, Direction, Site, pairs};
use super::{name, request, types, value};
use crate::ir::{Operation, Parameter, ParameterEncoding, ParameterLocation, ParameterShape};

/// Pairs old and new parameters: path parameters by position if the template is the same, the others by
/// location and name, then the rest by name.
pub(super) fn matched<'a>(old: &'a Operation, new: &'a Operation) -> Vec<(&'a Parameter, &'a Parameter)> {
    let is_same_template = request::template(old) == request::template(new);
    let (old_names, new_names) = (request::placeholders(old), request::placeholders(new));
    let by_position = |before: &Parameter, after: &Parameter| {
        let position =
            |names: &[&str], parameter: &Parameter| names.iter().position(|name| *name == parameter.name.wire);
        is_same_template
            && before.location == ParameterLocation::Path
            && after.location == ParameterLocation::Path
            && position(&old_names, before) == position(&new_names, after)
    };
    let by_name = |before: &Parameter, after: &Parameter| before.name.wire == after.name.wire;
    let (old, new) = (Vec::from_iter(&old.parameters), Vec::from_iter(&new.parameters));
    pairs(&old, &new, &[&by_position, &Parameter::is_same, &by_name])
}

/// Compares all parameters of an operation.
pub(super) fn compare(context: &mut Context<'_>, site: &Site<'_>, old: &Operation, new: &Operation) {
    let pairs = matched(old, new);
    let site = Site { direction: Direction::REQUEST, ..site.clone() };
    for after in &new.parameters {
        match pairs.iter().find(|(_, other)| std::ptr::eq(*other, after)) {
            Some((before, _)) => {
                let site = site.part(text(after), before.written.as_ref(), after.written.as_ref());
                both(context, &site, before, after);
            }
            None => added(context, &site.part(text(after), None, after.written.as_ref()), after, old),
        }
    }
    for before in &old.parameters {
        if pairs.iter().all(|(other, _)| !std::ptr::eq(*other, before)) {
            let site = site.part(text(before), before.written.as_ref(), None);
            let is_kept = new.parameters.iter().any(|after| is_same_field(context, before, after));
            let change = context.report_gone(Rule::ParameterRemoved, &site, format!("{} is gone", site.what));
            change.breaking(Party::Callers, "its values are ignored");
            if !is_kept {
                change.breaking_code("the field of the request is gone");
            }
        }
    }
}

/// Whether code that builds or reads the request compiles unchanged although it means another parameter.
fn is_same_field(context: &Context<'_>, old: &Parameter, new: &Parameter) -> bool {
    old.name.rust == new.name.rust
        && old.required == new.required
        && types::is_same_shape((context.old, &old.value.ty), (context.new, &new.value.ty))
}

fn both(context: &mut Context<'_>, site: &Site<'_>, old: &Parameter, new: &Parameter) {
    if old.location == new.location {
        encoding(context, site, &old.encoding, &new.encoding);
    } else {
        context
            .report(Rule::ParameterMoved, site, format!("{} was in the {}", site.what, old.location.word()))
            .breaking(Party::Callers, "clients send it where it is not read");
    }
    let rules = (Rule::ParameterMadeOptional, Rule::ParameterMadeRequired);
    request::required(context, site, (old.required, new.required), rules);
    value::present(context, site, &old.value, &new.value);
    if old.required == new.required {
        value::default(context, site, (old.default.as_ref(), &old.value), (new.default.as_ref(), &new.value));
    }
    deprecated(context, site, old.deprecated, new.deprecated);
    name::compare(context, site, "the field", &old.name.rust, &new.name.rust);
}

/// Compares how the value is serialized. `allowReserved` is ignored: both spellings are read.
fn encoding(context: &mut Context<'_>, site: &Site<'_>, old: &ParameterEncoding, new: &ParameterEncoding) {
    let is_same = match (old, new) {
        (
            ParameterEncoding::Style { style, explode, shape, .. },
            ParameterEncoding::Style { style: new_style, explode: new_explode, shape: new_shape, .. },
        ) => {
            // Another shape is another type, reported elsewhere; `explode` does not matter for a single text.
            shape != new_shape || style == new_style && (explode == new_explode || *shape == ParameterShape::Primitive)
        }
        _ => old == new,
    };
    if !is_same {
        context
            .report(
                Rule::ParameterEncodingChanged,
                site,
                format!("{} is written as {}, not as {}", site.what, form(new), form(old)),
            )
            .breaking(Party::Callers, "values are read differently, or refused");
    }
}

fn form(encoding: &ParameterEncoding) -> String {
    match encoding {
        ParameterEncoding::Style { style, explode, .. } => {
            let name = format!("{style:?}");
            let (first, rest) = name.split_at(1);
            format!("`style: {}{rest}, explode: {explode}`", first.to_lowercase())
        }
        ParameterEncoding::Json => "JSON".to_owned(),
        ParameterEncoding::JsonItems => "JSON item by item".to_owned(),
    }
}

fn added(context: &mut Context<'_>, site: &Site<'_>, parameter: &Parameter, old: &Operation) {
    let is_field = old.parameters.iter().any(|before| is_same_field(context, before, parameter));
    if parameter.required {
        let change = context.report(Rule::RequiredParameterAdded, site, format!("{} is new and required", site.what));
        change.breaking(Party::Callers, "requests without it are refused");
        if !is_field {
            change.breaking(Party::Rust, "code that builds the request must set it");
        }
        return;
    }
    let api = context.old;
    let change = context.report(Rule::ParameterAdded, site, format!("{} is new", site.what));
    change.harmless(Party::Callers, "clients may send it");
    if is_field {
        change.harmless(Party::Rust, "the request has the same field for it as for the old one");
    } else {
        request::optional_field(change, api, old);
    }
}

pub(super) fn text(parameter: &Parameter) -> String {
    format!("the {} parameter `{}`", parameter.location.word(), parameter.name.wire)
}
