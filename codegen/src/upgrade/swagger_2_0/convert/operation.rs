//! Path items and operations: body parameters become request bodies.

use serde_json::Value;

use super::{Members, Upgrade, copy, extensions};
use crate::location::joined;
use crate::upgrade::swagger_2_0::METHODS;

/// A parameter that is the body or a part of it.
#[derive(Clone)]
pub(super) struct Payload<'t> {
    pub(super) members: &'t Members,
    /// Its location.
    pub(super) from: String,
    /// Where the operation or path item lists it; differs from `from` for a reference.
    pub(super) listed: String,
}

impl Payload<'_> {
    pub(super) fn is_body(&self) -> bool {
        self.members.get("in").is_some_and(|place| place == "body")
    }

    pub(super) fn name(&self) -> &str {
        self.members.get("name").and_then(Value::as_str).unwrap_or_default()
    }
}

impl<'t> Upgrade<'t> {
    pub(super) fn path_item(&mut self, old: &'t Value, from: &str, to: &str) -> Value {
        let Some(members) = old.as_object() else { return old.clone() };
        if members.contains_key("$ref") {
            return old.clone();
        }
        let (parameters, payload) = self.parameters(members, from, to, false);
        let mut item = Members::new();
        if !parameters.is_empty() {
            item.insert("parameters".to_owned(), Value::Array(parameters));
        }
        for (name, value) in members {
            if METHODS.contains(&name.as_str()) {
                let (from, to) = (joined(from, &[name]), joined(to, &[name]));
                item.insert(name.clone(), self.operation(name, value, &from, &to, &payload));
            }
        }
        item.extend(extensions(members));
        Value::Object(item)
    }

    fn operation(&mut self, method: &str, old: &'t Value, from: &str, to: &str, inherited: &[Payload<'t>]) -> Value {
        let Some(members) = old.as_object() else { return old.clone() };
        let has_no_body = method == "get" || method == "head";
        let mut operation = Members::new();
        copy(
            &["tags", "summary", "description", "externalDocs", "operationId", "deprecated", "security"],
            members,
            &mut operation,
        );
        if let Some(schemes) = members.get("schemes").filter(|own| Some(*own) != self.old.get("schemes")) {
            self.moves.add(&joined(to, &["servers"]), &joined(from, &["schemes"]));
            operation.extend(self.servers_with(Some(schemes)).map(|servers| ("servers".to_owned(), servers)));
        }
        let (parameters, mut payload) = self.parameters(members, from, to, has_no_body);
        if !parameters.is_empty() {
            operation.insert("parameters".to_owned(), Value::Array(parameters));
        }
        let is_replaced = |other: &&Payload<'_>| {
            payload.iter().any(|own| own.is_body() == other.is_body() && (own.is_body() || own.name() == other.name()))
        };
        // A body shared by a path does not apply to methods without a body.
        let inherited: Vec<_> = inherited.iter().filter(|other| !has_no_body && !is_replaced(other)).cloned().collect();
        payload.extend(inherited);
        if let Some(body) = self.request_body(&payload, old, from, &joined(to, &["requestBody"])) {
            operation.insert("requestBody".to_owned(), body);
        }
        if let Some(responses) = members.get("responses") {
            operation.insert("responses".to_owned(), self.responses(responses, old, from, to));
        }
        operation.extend(extensions(members));
        Value::Object(operation)
    }

    /// Separates real parameters from body parameters.
    fn parameters(
        &mut self,
        owner: &'t Members,
        from: &str,
        to: &str,
        has_no_body: bool,
    ) -> (Vec<Value>, Vec<Payload<'t>>) {
        let (mut parameters, mut payload) = (Vec::new(), Vec::new());
        let list = owner.get("parameters").and_then(Value::as_array);
        for (index, value) in list.into_iter().flatten().enumerate() {
            let listed = joined(from, &["parameters", &index.to_string()]);
            let to = joined(to, &["parameters", &parameters.len().to_string()]);
            let Some((members, from)) = self.follow(value, &listed) else {
                // Broken references are reported when they are resolved.
                self.moves.add(&to, &listed);
                parameters.push(value.clone());
                continue;
            };
            let is = |name: &str, word: &str| members.get(name).is_some_and(|value| value == word);
            let is_query = is("in", "formData") && has_no_body && !is("type", "file");
            if (is("in", "body") || is("in", "formData")) && !is_query {
                payload.push(Payload { members, from, listed });
                continue;
            }
            self.moves.add(&to, &listed);
            parameters.push(if is_query {
                self.repaired(&listed, "a request by GET or HEAD has no form; `in: query` is meant");
                let mut members = members.clone();
                members.insert("in".to_owned(), "query".into());
                self.parameter(&members, &from, &to)
            } else if value.get("$ref").is_some() {
                value.clone()
            } else {
                self.parameter(members, &listed, &to)
            });
        }
        (parameters, payload)
    }
}
