//! Responses and their headers.

use super::change::Party;
use super::rule::Rule;
use super::site::{Context, Direction, Site};
use super::{content, name, value};
use crate::ir::{Failure, Header, Response, Responses, Status, Success};

/// The responses that both descriptions declare.
pub(super) fn matched<'a>(old: &'a Responses, new: &'a Responses) -> Vec<(&'a Response, &'a Response)> {
    let pair = |after: &'a Response| Some((old.all().find(|before| before.status == after.status)?, after));
    new.all().filter_map(pair).collect()
}

/// Compares all responses of an operation.
pub(super) fn compare(context: &mut Context<'_>, site: &Site<'_>, old: &Responses, new: &Responses) {
    let site = &Site { direction: Direction::RESPONSE, ..site.clone() };
    shape(context, site, "success", success(old), success(new));
    shape(context, site, "failure", failure(old), failure(new));
    for (before, after) in matched(old, new) {
        both(context, &site.named(text(after)), before, after);
    }
    for response in new.success.responses().iter().filter(|response| is_absent(old, response)) {
        let change = context.report(Rule::ResponseAdded, site, format!("{} is new", text(response)));
        if is_covered(old, response.status) {
            change.notice(Party::Callers, "a range or `default` declared it, with another content perhaps");
        } else {
            change.breaking(Party::Callers, "clients take a status that they do not know for a failure");
        }
        if success(old) == Shape::Enum {
            change.breaking(Party::Rust, "a `match` of the answer needs an arm for it");
        }
    }
    for response in new.failure.responses().iter().filter(|response| is_absent(old, response)) {
        let change = context.report(Rule::ResponseAdded, site, format!("{} is new", text(response)));
        if is_covered(old, response.status) {
            change.harmless(Party::Callers, "a range or `default` declared it");
        } else {
            change.notice(Party::Callers, "clients take it for a failure that is not described");
        }
        if failure(old) == Shape::Enum && failure(new) == Shape::Enum {
            change.breaking(Party::Rust, "a `match` of the failure needs an arm for it");
        }
    }
    for response in old.all().filter(|response| is_absent(new, response)) {
        let change = context.report_gone(Rule::ResponseRemoved, site, format!("{} is gone", text(response)));
        if failure(old) == Shape::Body
            && failure(new) == Shape::Body
            && old.failure.responses().iter().any(|other| other.status == response.status)
        {
            change.harmless(Party::Callers, "the failures that are left carry the same");
            change.breaking(Party::Servers, "the implementation may not answer with it any more");
        } else {
            change.harmless(Party::Callers, "clients do not get it any more");
            change.breaking_code("the implementation may not answer with it any more, and nothing is named after it");
        }
    }
}

fn is_absent(responses: &Responses, response: &Response) -> bool {
    responses.all().all(|other| other.status != response.status)
}

/// Whether a range or `default` covers the status.
fn is_covered(responses: &Responses, status: Status) -> bool {
    responses.all().any(|other| match (other.status, status) {
        (Status::Default, _) => true,
        (Status::Range(range), Status::Code(code)) => u16::from(range) == code / 100,
        (Status::Code(_) | Status::Range(_), _) => false,
    })
}

/// What a method returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Nothing,
    Body,
    Struct,
    Enum,
}

impl Shape {
    fn text(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Body => "the body",
            Self::Struct => "a struct of status, headers and body",
            Self::Enum => "an enum with a variant for each status",
        }
    }
}

fn success(responses: &Responses) -> Shape {
    match responses.success {
        Success::Nothing(_) => Shape::Nothing,
        Success::Body(_) => Shape::Body,
        Success::Struct { .. } => Shape::Struct,
        Success::Enum { .. } => Shape::Enum,
    }
}

fn failure(responses: &Responses) -> Shape {
    match responses.failure {
        Failure::Undocumented => Shape::Nothing,
        Failure::Shared { .. } => Shape::Body,
        Failure::Enum { .. } => Shape::Enum,
    }
}

fn shape(context: &mut Context<'_>, site: &Site<'_>, which: &str, old: Shape, new: Shape) {
    if old != new {
        let message = format!("the type of the {which} is {} now, not {}", new.text(), old.text());
        context
            .report(Rule::ResponseShapeChanged, site, message)
            .breaking_code("code that gives or takes the answer does not compile");
    }
}

fn both(context: &mut Context<'_>, site: &Site<'_>, old: &Response, new: &Response) {
    match (old.contents.as_slice(), new.contents.as_slice()) {
        ([], []) => {}
        ([], _) => {
            context
                .report(Rule::ResponseBodyAdded, site, format!("{} carries a body now", site.what))
                .harmless(Party::Callers, "clients do not look for one")
                .breaking_code("the answer has to be given with its body");
        }
        (_, []) => {
            context
                .report(Rule::ResponseBodyRemoved, site, format!("{} carries no body any more", site.what))
                .breaking(Party::Callers, "clients do not find it")
                .breaking_code("the answer has no place for a body");
        }
        (before, after) => {
            content::compare(context, &site.named(format!("the body of {}", text(new))), before, after);
        }
    }
    for header in &new.headers {
        let site = site.named(format!("the header `{}` of {}", header.name.wire, text(new)));
        match old.headers.iter().find(|before| before.name.wire == header.name.wire) {
            Some(before) => self::header(context, &site, before, header),
            None => header_added(context, &site, header, old),
        }
    }
    for header in &old.headers {
        if new.headers.iter().all(|after| after.name.wire != header.name.wire) {
            let site = site.named(format!("the header `{}` of {}", header.name.wire, text(new)));
            context
                .report_gone(Rule::HeaderRemoved, &site, format!("{} is gone", site.what))
                .breaking(Party::Callers, "clients do not find it in answers")
                .breaking_code("the field is gone");
        }
    }
}

fn header(context: &mut Context<'_>, site: &Site<'_>, old: &Header, new: &Header) {
    if new.required && !old.required {
        context
            .report(Rule::HeaderMadeRequired, site, format!("{} is always there now", site.what))
            .harmless(Party::Callers, "clients did not rely on it")
            .breaking_code("the field has another type");
    } else if old.required && !new.required {
        context
            .report(Rule::HeaderMadeOptional, site, format!("{} may be absent now", site.what))
            .breaking(Party::Callers, "clients rely on it")
            .breaking_code("the field has another type");
    }
    value::present(context, site, &old.value, &new.value);
    if old.shape == new.shape && old.explode != new.explode {
        context
            .report(Rule::ParameterEncodingChanged, site, format!("{} is written in another way", site.what))
            .breaking(Party::Callers, "clients read it in another way");
    }
    name::compare(context, site, "the field", &old.name.rust, &new.name.rust);
}

fn header_added(context: &mut Context<'_>, site: &Site<'_>, header: &Header, old: &Response) {
    let need = if header.required { "new, and always there" } else { "new" };
    let change = context.report(Rule::HeaderAdded, site, format!("{} is {need}", site.what));
    change.harmless(Party::Callers, "clients do not look for it");
    // A response without headers has another shape; unless it is a variant, that is reported by itself.
    if header.required || old.headers.is_empty() || old.headers.iter().all(|header| header.required) {
        change.breaking_code("code that builds the response must set it or its absence");
    } else {
        change.breaking(Party::Servers, "answers are literals that name every header");
    }
}

pub(super) fn text(response: &Response) -> String {
    match response.status {
        Status::Code(code) => format!("the response {code}"),
        Status::Range(first) => format!("the response {first}XX"),
        Status::Default => "the response `default`".to_owned(),
    }
}
