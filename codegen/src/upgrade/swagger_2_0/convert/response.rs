//! Responses: `schema`, `produces` and `examples` → `content`.

use serde_json::Value;

use super::request_body::or_json;
use super::{MediaTypes, Members, Upgrade, copy, extensions, reference};
use crate::diagnostic::Code;
use crate::location::joined;

impl<'t> Upgrade<'t> {
    /// The responses of the operation at `from`.
    pub(super) fn responses(&mut self, old: &'t Value, operation: &Value, from: &str, to: &str) -> Value {
        let produces = self.media_types(Some(operation), from, "produces");
        let mut responses = Members::new();
        for (status, value) in old.as_object().into_iter().flatten() {
            let from = joined(from, &["responses", status]);
            let to = joined(to, &["responses", status]);
            let response = if status.starts_with("x-") {
                value.clone()
            } else {
                self.response(value, Some(status), &from, &to, &produces)
            };
            responses.insert(status.clone(), response);
        }
        Value::Object(responses)
    }

    /// A response; a shared one if it has no status.
    pub(super) fn response(
        &mut self,
        old: &'t Value,
        status: Option<&str>,
        from: &str,
        to: &str,
        produces: &MediaTypes,
    ) -> Value {
        // Broken references are reported when they are resolved.
        let Some((members, at)) = self.follow(old, from) else { return old.clone() };
        let is_reference = old.get("$ref").is_some();
        let is_failure = status.is_none_or(|status| !status.starts_with(['1', '2', '3']));
        let media_types = self.response_media_types(members, is_failure, from, produces, is_reference);
        if is_reference {
            let all = self.media_types(None, "", "produces");
            let shared = self.response_media_types(members, true, from, &all, true);
            if media_types == shared {
                return old.clone();
            }
        }
        self.content_response(members, &at, to, &media_types, is_reference)
    }

    fn content_response(
        &mut self,
        old: &Members,
        from: &str,
        to: &str,
        media_types: &[String],
        is_reference: bool,
    ) -> Value {
        let mut response = Members::new();
        copy(&["description"], old, &mut response);
        let mut headers = Members::new();
        for (name, header) in old.get("headers").and_then(Value::as_object).into_iter().flatten() {
            let Some(header) = header.as_object() else { continue };
            let (from, to) = (joined(from, &["headers", name]), joined(to, &["headers", name]));
            headers.insert(name.clone(), self.header(header, &from, &to));
        }
        if !headers.is_empty() {
            response.insert("headers".to_owned(), Value::Object(headers));
        }
        let mut content = Members::new();
        if let Some(schema) = old.get("schema") {
            let from = joined(from, &["schema"]);
            let shared = self.moves.forward(&from);
            let schema = if is_reference && shared.starts_with("/components/responses/") && schema.get("$ref").is_none()
            {
                // Reference the shared schema, so that it is one model.
                reference(&shared)
            } else {
                let mut schema = schema.clone();
                super::schema::schema(&mut schema);
                schema
            };
            for name in media_types {
                self.moves.add(&joined(to, &["content", name, "schema"]), &from);
                let mut media_type = Members::new();
                media_type.insert("schema".to_owned(), schema.clone());
                content.insert(name.clone(), Value::Object(media_type));
            }
        }
        self.examples(old, from, &mut content);
        if !content.is_empty() {
            response.insert("content".to_owned(), Value::Object(content));
        }
        response.extend(extensions(old));
        Value::Object(response)
    }

    /// The media types of a response with this schema.
    fn response_media_types(
        &mut self,
        old: &Members,
        is_failure: bool,
        from: &str,
        produces: &MediaTypes,
        is_reference: bool,
    ) -> Vec<String> {
        let Some(schema) = old.get("schema") else { return Vec::new() };
        let ty = schema.get("type").and_then(Value::as_str);
        if ty == Some("file") {
            // The document's list does not apply to files.
            let fit = |name: &&String| produces.own.is_some() || !is_json(name);
            let list: Vec<String> = produces.list.iter().filter(fit).cloned().collect();
            return if list.is_empty() { vec!["application/octet-stream".to_owned()] } else { list };
        }
        let holds_json = |name: &String| is_json(name) || name.contains('*') || name.ends_with("xml");
        let is_structure = ty != Some("string");
        if is_failure
            && is_structure
            && produces.own.is_some()
            && !produces.list.is_empty()
            && !produces.list.iter().any(holds_json)
        {
            if !is_reference {
                let message = format!("a failure is not sent as `{}`; `application/json` is meant", produces.list[0]);
                self.repaired(&joined(from, &["schema"]), message);
            }
            let all = self.media_types(None, "", "produces").list;
            return or_json(&all.into_iter().filter(holds_json).collect::<Vec<_>>());
        }
        or_json(&produces.list)
    }

    /// Examples by media type. An example without a schema implies a body.
    fn examples(&mut self, old: &Members, from: &str, content: &mut Members) {
        for (name, example) in old.get("examples").and_then(Value::as_object).into_iter().flatten() {
            if !old.contains_key("schema") && name.contains('/') {
                content.entry(name).or_insert_with(|| Value::Object(Members::new()));
            }
            match content.get_mut(name).and_then(Value::as_object_mut) {
                Some(media_type) => {
                    media_type.insert("example".to_owned(), example.clone());
                }
                None if name.starts_with("x-") => {}
                None => {
                    self.report(
                        Code::LeftOut,
                        &joined(from, &["examples", name]),
                        format!("the example is left out: nothing is sent as `{name}`"),
                    );
                }
            }
        }
    }
}

fn is_json(media_type: &str) -> bool {
    let essence = media_type.split(';').next().unwrap_or_default().trim();
    essence.ends_with("/json") || essence.ends_with("+json")
}
