//! `in: body` and `consumes` → request bodies.

use serde_json::{Value, json};

use super::operation::Payload;
use super::{MediaTypes, Members, Upgrade, copy, extensions, reference};
use crate::location::joined;

impl Upgrade<'_> {
    /// The request body of an operation.
    pub(super) fn request_body(
        &mut self,
        payload: &[Payload<'_>],
        operation: &Value,
        from: &str,
        to: &str,
    ) -> Option<Value> {
        let consumes = self.media_types(Some(operation), from, "consumes");
        let (bodies, fields): (Vec<&Payload<'_>>, Vec<_>) = payload.iter().partition(|payload| payload.is_body());
        match (bodies.as_slice(), fields.as_slice()) {
            ([], []) => None,
            ([body], []) => Some(self.body(body, &consumes, to)),
            ([first, others @ ..], []) => {
                for other in others {
                    let message = format!(
                        "an operation has one body; `{}` and `{}` are read as members of one object",
                        first.name(),
                        other.name()
                    );
                    self.repaired(&other.listed, message);
                }
                Some(self.object(&bodies, &or_json(&consumes.list), to))
            }
            (bodies, _) => {
                for body in bodies {
                    let message = format!("a form is the whole body; `{}` is read as one of its fields", body.name());
                    self.repaired(&body.listed, message);
                }
                let all: Vec<_> = payload.iter().collect();
                Some(self.form(&all, &consumes, to))
            }
        }
    }

    /// A body shared by several operations.
    pub(super) fn shared_body(&mut self, parameter: &Value, from: &str, to: &str) -> Option<Value> {
        let consumes = self.media_types(None, "", "consumes");
        Some(self.content_of(parameter.as_object()?, from, to, &or_json(&consumes.list)))
    }

    fn body(&mut self, body: &Payload<'_>, consumes: &MediaTypes, to: &str) -> Value {
        let shared = self.moves.forward(&body.from);
        if !shared.starts_with("/components/requestBodies/") {
            return self.content_of(body.members, &body.from, to, &or_json(&consumes.list));
        }
        self.moves.add(to, &body.listed);
        if consumes.list == self.media_types(None, "", "consumes").list {
            return reference(&shared);
        }
        // Reference the shared schema, so that it is one model.
        let schema = self.moves.forward(&joined(&body.from, &["schema"]));
        let mut members = body.members.clone();
        members.insert("schema".to_owned(), reference(&schema));
        request_body(&members, &reference(&schema), &or_json(&consumes.list))
    }

    fn content_of(&mut self, members: &Members, from: &str, to: &str, media_types: &[String]) -> Value {
        self.moves.add(to, from);
        let at: Vec<String> =
            media_types.iter().map(|media_type| joined(to, &["content", media_type, "schema"])).collect();
        let schema = self.inline(members, from, at.first().map_or(to, String::as_str));
        for copy in at.iter().skip(1) {
            self.moves.add(copy, &joined(from, &["schema"]));
        }
        request_body(members, &schema, media_types)
    }

    /// Combines several bodies into one object.
    fn object(&mut self, bodies: &[&Payload<'_>], media_types: &[String], to: &str) -> Value {
        let mut content = Members::new();
        for media_type in media_types {
            let to = joined(to, &["content", media_type, "schema"]);
            content.insert(media_type.clone(), json!({"schema": self.object_schema(bodies, &to)}));
        }
        json!({"content": content, "required": bodies.iter().any(|body| is_required(body.members))})
    }

    /// An object with a member for each parameter.
    pub(super) fn object_schema(&mut self, parameters: &[&Payload<'_>], to: &str) -> Value {
        let (mut properties, mut required) = (Members::new(), Vec::new());
        for parameter in parameters {
            let name = parameter.name();
            if properties.contains_key(name) {
                self.repaired(&parameter.listed, format!("`{name}` occurs twice; the first one counts"));
                continue;
            }
            let mut schema = self.inline(parameter.members, &parameter.from, &joined(to, &["properties", name]));
            if let Some(schema) = schema.as_object_mut().filter(|schema| !schema.contains_key("$ref")) {
                copy(&["description", "example", "deprecated"], parameter.members, schema);
                schema.extend(extensions(parameter.members));
            }
            properties.insert(name.to_owned(), schema);
            if is_required(parameter.members) {
                required.push(Value::String(name.to_owned()));
            }
        }
        let mut schema = Members::new();
        schema.insert("type".to_owned(), "object".into());
        if !required.is_empty() {
            schema.insert("required".to_owned(), Value::Array(required));
        }
        schema.insert("properties".to_owned(), Value::Object(properties));
        Value::Object(schema)
    }
}

pub(super) fn is_required(parameter: &Members) -> bool {
    parameter.get("required") == Some(&Value::Bool(true))
}

fn request_body(members: &Members, schema: &Value, media_types: &[String]) -> Value {
    let mut media_type = Members::new();
    media_type.insert("schema".to_owned(), schema.clone());
    if let Some(example) = members.get("x-example").or_else(|| members.get("example")) {
        media_type.insert("example".to_owned(), example.clone());
    }
    let content = media_types.iter().map(|name| (name.clone(), Value::Object(media_type.clone()))).collect();
    let mut body = Members::new();
    copy(&["description"], members, &mut body);
    body.insert("content".to_owned(), Value::Object(content));
    copy(&["required"], members, &mut body);
    body.extend(extensions(members));
    Value::Object(body)
}

/// The media types, or JSON where none is named.
pub(super) fn or_json(media_types: &[String]) -> Vec<String> {
    if media_types.is_empty() { vec!["application/json".to_owned()] } else { media_types.to_vec() }
}
