//! Webhooks and callbacks: the service sends them, so callers read the request and write the response.

use super::change::Party;
use super::deprecated::deprecated;
use super::rule::Rule;
use super::site::{Context, Direction, Site};
use super::{content, name, parameter, response, value};
use crate::ir::{Operation, Parameter, RequestBody, Responses};

pub(super) fn added(context: &mut Context<'_>, site: &Site<'_>) {
    context
        .report(Rule::WebhookAdded, site, "the webhook is new")
        .notice(Party::Callers, "receivers may get unknown content")
        .breaking(Party::Servers, "the trait of a receiver has a method that has to be implemented");
}

pub(super) fn removed(context: &mut Context<'_>, site: &Site<'_>) {
    context
        .report_gone(Rule::WebhookRemoved, site, "the webhook is gone")
        .breaking(Party::Callers, "receivers wait for something that is no longer sent")
        .breaking_code("the method is gone from the trait of a receiver and from the sender");
}

/// Compares what is sent and answered.
pub(super) fn compare(context: &mut Context<'_>, site: &Site<'_>, old: &Operation, new: &Operation) {
    if old.method != new.method {
        let message = format!("the webhook was sent with `{}`", old.method.as_str());
        context
            .report(Rule::WebhookMoved, site, message)
            .breaking(Party::Callers, "receivers listen for the other method");
    }
    if old.path != new.path {
        context
            .report(Rule::WebhookMoved, site, "the router of a receiver listens on another path")
            .breaking(Party::Rust, "URLs that end with the old path lead nowhere");
    }
    let request = Site { direction: Direction::RESPONSE, ..site.clone() };
    parameters(context, &request, old, new);
    body(context, &request.named("the body"), old.request_body.as_ref(), new.request_body.as_ref());
    responses(context, &Site { direction: Direction::REQUEST, ..site.clone() }, &old.responses, &new.responses);
}

fn parameters(context: &mut Context<'_>, site: &Site<'_>, old: &Operation, new: &Operation) {
    let pairs = parameter::matched(old, new);
    for after in &new.parameters {
        if let Some((before, _)) = pairs.iter().find(|(_, other)| std::ptr::eq(*other, after)) {
            let site = site.part(parameter::text(after), before.written.as_ref(), after.written.as_ref());
            one_parameter(context, &site, before, after);
        } else {
            let site = site.part(parameter::text(after), None, after.written.as_ref());
            let change = context.report(Rule::ParameterAdded, &site, format!("{} is new", site.what));
            change.harmless(Party::Callers, "receivers need not look at it");
            if after.required {
                change.breaking(Party::Rust, "code that sends it must set it");
            }
        }
    }
    for before in &old.parameters {
        if pairs.iter().all(|(other, _)| !std::ptr::eq(*other, before)) {
            let site = site.part(parameter::text(before), before.written.as_ref(), None);
            let change = context.report_gone(Rule::ParameterRemoved, &site, format!("{} is gone", site.what));
            if before.required {
                change.breaking(Party::Callers, "receivers count on it");
            } else {
                change.notice(Party::Callers, "receivers do not get it any more");
            }
            change.breaking_code("the field of the request is gone");
        }
    }
}

fn one_parameter(context: &mut Context<'_>, site: &Site<'_>, old: &Parameter, new: &Parameter) {
    if old.location != new.location || old.encoding != new.encoding {
        context
            .report(Rule::ParameterEncodingChanged, site, format!("{} is written in another way", site.what))
            .breaking(Party::Callers, "receivers read it as it was written before");
    }
    required(context, site, (old.required, new.required), (Rule::ParameterMadeOptional, Rule::ParameterMadeRequired));
    value::present(context, site, &old.value, &new.value);
    deprecated(context, site, old.deprecated, new.deprecated);
    name::compare(context, site, "the field", &old.name.rust, &new.name.rust);
}

/// Compares whether the body is required.
fn required(context: &mut Context<'_>, site: &Site<'_>, (old, new): (bool, bool), rules: (Rule, Rule)) {
    let code = "the field has another type";
    if old && !new {
        context
            .report(rules.0, site, format!("{} is optional now", site.what))
            .breaking(Party::Callers, "receivers count on it")
            .breaking_code(code);
    } else if new && !old {
        context
            .report(rules.1, site, format!("{} is always there now", site.what))
            .harmless(Party::Callers, "receivers did not rely on it")
            .breaking_code(code);
    }
}

fn body(context: &mut Context<'_>, site: &Site<'_>, old: Option<&RequestBody>, new: Option<&RequestBody>) {
    match (old, new) {
        (None, None) => {}
        (None, Some(_)) => {
            context
                .report(Rule::RequestBodyAdded, site, "a body is sent now")
                .harmless(Party::Callers, "receivers need not look at it")
                .breaking(Party::Rust, "the request has a new field");
        }
        (Some(_), None) => {
            context
                .report_gone(Rule::RequestBodyRemoved, site, "the body is gone")
                .breaking(Party::Callers, "receivers read it")
                .breaking_code("the field of the request is gone");
        }
        (Some(before), Some(after)) => {
            let rules = (Rule::RequestBodyMadeOptional, Rule::RequestBodyMadeRequired);
            required(context, site, (before.required, after.required), rules);
            content::compare(context, site, &before.contents, &after.contents);
        }
    }
}

fn responses(context: &mut Context<'_>, site: &Site<'_>, old: &Responses, new: &Responses) {
    let pairs = response::matched(old, new);
    for (before, after) in &pairs {
        content::compare(context, &site.named(response::text(after)), &before.contents, &after.contents);
    }
    for after in new.all().filter(|after| pairs.iter().all(|(_, other)| !std::ptr::eq(*other, *after))) {
        context
            .report(Rule::ResponseAdded, site, format!("{} is new", response::text(after)))
            .harmless(Party::Callers, "receivers need not answer with it")
            .breaking(Party::Rust, "a `match` of the answer needs an arm for it");
    }
    for before in old.all().filter(|before| pairs.iter().all(|(other, _)| !std::ptr::eq(*other, *before))) {
        context
            .report_gone(Rule::ResponseRemoved, site, format!("{} is gone", response::text(before)))
            .breaking(Party::Callers, "receivers answer with it")
            .breaking_code("a receiver may not answer with it any more");
    }
}
