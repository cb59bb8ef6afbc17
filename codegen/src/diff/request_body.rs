//! Request bodies.

use super::change::Party;
use super::rule::Rule;
use super::site::{Context, Direction, Site};
use super::{content, request};
use crate::ir::Operation;

pub(super) fn compare(context: &mut Context<'_>, site: &Site<'_>, old: &Operation, new: &Operation) {
    let site = &Site { what: "the request body".to_owned(), direction: Direction::REQUEST, ..site.clone() };
    match (&old.request_body, &new.request_body) {
        (None, None) => {}
        (None, Some(body)) if body.required => {
            let change = context.report(Rule::RequiredRequestBodyAdded, site, "a request body is required now");
            change
                .breaking(Party::Callers, "requests without it are refused")
                .breaking(Party::Rust, "code that builds the request must set it");
        }
        (None, Some(_)) => {
            let api = context.old;
            let change = context.report(Rule::RequestBodyAdded, site, "there may be a request body now");
            change.harmless(Party::Callers, "clients may send it");
            request::optional_field(change, api, old);
        }
        (Some(_), None) => {
            context
                .report_gone(Rule::RequestBodyRemoved, site, "the request body is gone")
                .breaking(Party::Callers, "the body is ignored")
                .breaking_code("the field of the request is gone");
        }
        (Some(before), Some(after)) => {
            let rules = (Rule::RequestBodyMadeOptional, Rule::RequestBodyMadeRequired);
            request::required(context, site, (before.required, after.required), rules);
            content::compare(context, site, &before.contents, &after.contents);
        }
    }
}
