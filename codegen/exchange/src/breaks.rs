//! Requests that break one rule of the description.

use std::collections::BTreeSet;
use std::sync::Arc;

use fastrand::Rng;
use http::{HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;

use crate::check::{Received, Violation};
use crate::media_type;
use crate::mutation::mutations;
use crate::operation::{Credential, Operation};
use crate::place::Place;
use crate::request::{Content, Message, Payload, Request, Sent};
use crate::values::Values;

/// Texts that few schemas allow. An empty text is not one of them, because it may count as absent.
const TEXTS: &[&str] = &["~not~this~", "1.37", "-1000000000000", "9000000000000", "1000000", "true", "0", "-1"];

/// The length of a text that few schemas allow.
const LONG: usize = 3000;

/// Maximum number of mutations of one value.
const TRIED: usize = 150;

/// The media type of bodies that no operation takes.
const UNKNOWN: &str = "application/x-not-described";

/// A request that breaks one rule.
#[derive(Clone, Debug)]
pub struct Break {
    /// The request.
    pub message: Message,
    /// What it breaks.
    pub violation: Violation,
    /// How: the text, or the name of the change.
    pub how: String,
}

impl<'a> Values<'a> {
    /// Requests that each break one rule that the valid request keeps, and that are not valid for another of `operations`.
    /// `seen` has the rules that were broken before; they are not broken again.
    pub fn breaks(
        &mut self,
        operation: &'a Operation,
        operations: &'a [Operation],
        request: &Request,
        random: &mut Rng,
        seen: &mut BTreeSet<String>,
    ) -> Vec<Break> {
        let mut breaks = Vec::new();
        for (index, parameter) in operation.parameters.iter().enumerate() {
            let mut try_one = |sent: Sent, how: String, breaks: &mut Vec<Break>| {
                let mut changed = request.clone();
                changed.parameters[index] = sent;
                self.one(operation, &changed, how, seen, breaks);
            };
            if parameter.required
                && parameter.within != "path"
                && !is_key(operation, &parameter.within, &parameter.name)
            {
                try_one(Sent::Absent, "its absence".to_owned(), &mut breaks);
            }
            if let Sent::Value(value @ (Value::Array(_) | Value::Object(_))) = &request.parameters[index] {
                let mut mutations = mutations(value);
                random.shuffle(&mut mutations);
                for mutation in mutations.into_iter().take(TRIED) {
                    if let Some(broken) = mutation.apply(value).filter(|broken| !is_nothing(broken)) {
                        try_one(Sent::Value(broken), at(mutation.name, &mutation.pointer), &mut breaks);
                    }
                }
                continue;
            }
            for text in TEXTS {
                try_one(Sent::Text((*text).to_owned()), format!("`{text}`"), &mut breaks);
            }
            try_one(Sent::Text("x".repeat(LONG)), format!("a text of {LONG} characters"), &mut breaks);
        }
        self.break_body(operation, request, random, seen, &mut breaks);
        let others = operations.iter().filter(|other| other.method == operation.method && other.id != operation.id);
        let others: Vec<&'a Operation> = others.collect();
        breaks.retain(|broken| !others.iter().any(|other| self.is_valid(other, &broken.message)));
        breaks
    }

    fn break_body(
        &mut self,
        operation: &'a Operation,
        request: &Request,
        random: &mut Rng,
        seen: &mut BTreeSet<String>,
        breaks: &mut Vec<Break>,
    ) {
        let Some(payload) = &request.body else { return };
        let document = Arc::clone(self.document());
        let mut try_one = |body: Option<Payload>, how: &str, breaks: &mut Vec<Break>| {
            let changed = Request { body, ..request.clone() };
            self.one(operation, &changed, how.to_owned(), seen, breaks);
        };
        if operation.body.as_ref().is_some_and(|body| body.required) {
            try_one(None, "its absence", breaks);
        }
        let with = |content: Content| Some(Payload { content, ..payload.clone() });
        match &payload.content {
            Content::Json(value) => {
                let mut mutations = mutations(value);
                random.shuffle(&mut mutations);
                for mutation in mutations.into_iter().take(TRIED) {
                    if let Some(broken) = mutation.apply(value) {
                        try_one(with(Content::Json(broken)), &at(mutation.name, &mutation.pointer), breaks);
                    }
                }
                try_one(with(Content::Bytes(b"{\"".to_vec())), "an unfinished text", breaks);
                let unknown = Payload { media_type: UNKNOWN.to_owned(), ..payload.clone() };
                try_one(Some(unknown), "an unknown media type", breaks);
            }
            Content::Xml(value, bytes) => {
                let schema = operation.body.as_ref().and_then(|body| {
                    let media_type = media_type::best(&body.media_types, &payload.media_type)?;
                    Some(document.describe(operation.named(), Place::xml_body(media_type))?.schema)
                });
                let mut mutations = mutations(value);
                random.shuffle(&mut mutations);
                for mutation in mutations.into_iter().take(TRIED) {
                    let broken = mutation.apply(value);
                    let written = broken.and_then(|broken| document.to_xml(schema.as_ref()?, &broken));
                    if let Some(bytes) = written {
                        try_one(with(Content::Bytes(bytes)), &at(mutation.name, &mutation.pointer), breaks);
                    }
                }
                let unfinished = bytes.split_last().map(|(_, rest)| rest.to_vec()).unwrap_or_default();
                try_one(with(Content::Bytes(unfinished)), "an unfinished element", breaks);
                let typed = [b"<!DOCTYPE a [<!ENTITY b 'c'>]>", bytes.as_slice()].concat();
                try_one(with(Content::Bytes(typed)), "a document type", breaks);
                let unknown = Payload { media_type: UNKNOWN.to_owned(), ..payload.clone() };
                try_one(Some(unknown), "an unknown media type", breaks);
            }
            Content::Form(members, styles) => {
                let value = Value::Object(members.clone());
                let mut mutations = mutations(&value);
                random.shuffle(&mut mutations);
                for mutation in mutations.into_iter().take(TRIED) {
                    // A form has no `null`.
                    if let Some(Value::Object(broken)) = mutation.apply(&value)
                        && !broken.values().any(is_nothing)
                    {
                        let form = Content::Form(broken, styles.clone());
                        try_one(with(form), &at(mutation.name, &mutation.pointer), breaks);
                    }
                }
            }
            Content::Parts(parts) => {
                for index in 0..parts.len() {
                    let mut parts = parts.clone();
                    let part = parts.remove(index);
                    let name = part.name();
                    let how = if name.is_empty() {
                        format!("the absence of the part at position {index}")
                    } else {
                        format!("the absence of `{name}`")
                    };
                    try_one(with(Content::Parts(parts)), &how, breaks);
                }
            }
            Content::Items(_) | Content::Bytes(_) => {}
        }
    }

    /// Adds the request if it breaks one rule that was not broken before.
    fn one(
        &mut self,
        operation: &'a Operation,
        request: &Request,
        how: String,
        seen: &mut BTreeSet<String>,
        breaks: &mut Vec<Break>,
    ) {
        let message = request.message(operation);
        let Some(violations) = self.check_message(operation, &message) else { return };
        let [violation] = violations.as_slice() else { return };
        if seen.insert(violation.key()) {
            breaks.push(Break { message, violation: violation.clone(), how });
        }
    }

    /// Whether a message is a valid request for an operation.
    pub fn is_valid(&mut self, operation: &'a Operation, message: &Message) -> bool {
        self.check_message(operation, message).is_some_and(|violations| violations.is_empty())
    }

    /// `None` if it is not a message for the operation.
    fn check_message(&mut self, operation: &'a Operation, message: &Message) -> Option<Vec<Violation>> {
        let mut headers = HeaderMap::new();
        for (name, value) in &message.headers {
            headers.append(HeaderName::try_from(name).ok()?, HeaderValue::try_from(value).ok()?);
        }
        let (path, query) =
            message.target.split_once('?').map_or((message.target.as_str(), None), |(path, query)| (path, Some(query)));
        if !operation.is_at(path) || !operation.has_fixed(query) {
            return None;
        }
        let received = Received { path, query, headers: &headers, body: &message.body };
        Some(self.check_request(operation, &received))
    }
}

impl Violation {
    /// The rule and its place; items of a list are one place.
    pub fn key(&self) -> String {
        let steps = self.pointer.split('/').map(|step| if step.parse::<usize>().is_ok() { "*" } else { step });
        let place = steps.collect::<Vec<_>>().join("/");
        format!("{} {} {place} {}", self.part, self.name.as_deref().unwrap_or_default(), self.rule)
    }
}

/// Whether the value is not written in a query or form.
fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty() || items.iter().any(is_nothing),
        Value::Object(members) => members.is_empty() || members.values().any(is_nothing),
        Value::String(text) => text.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

fn is_key(operation: &Operation, within: &str, name: &str) -> bool {
    operation.security.iter().flatten().any(|credential| match credential {
        Credential::Header(key) => within == "header" && key.eq_ignore_ascii_case(name),
        Credential::Query(key) => within == "query" && key == name,
        Credential::Cookie(key) => within == "cookie" && key == name,
        Credential::Authorization(_) | Credential::Other => false,
    })
}

fn at(name: &str, pointer: &str) -> String {
    if pointer.is_empty() { name.to_owned() } else { format!("{name} at {pointer}") }
}
