//! What a crate over the client says of the arguments of operations: their schemas, and where each is sent.

mod schema;
mod table;
mod text_form;

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::doc;
use crate::ir::{self, Api, Content, ContentKind, Operation, Parameter, Part, PartKind, RequestBody, Rule, Type};
use schema::Schema;
pub(super) use table::table;

/// `arguments.json`: for each operation, by a name, the schema of its arguments, and under `$defs` the types that they
/// refer to.
pub(super) fn schemas(api: &Api, operations: &[(String, &Operation)]) -> String {
    let schemas: Map<_, _> =
        operations.iter().map(|(name, operation)| (name.clone(), arguments(api, operation))).collect();
    let file = json!({ "$defs": definitions(api, operations), "operations": schemas });
    format!("{file:#}\n")
}

/// The types that arguments refer to, by name.
fn definitions(api: &Api, operations: &[(String, &Operation)]) -> Map<String, Value> {
    let mut reached: BTreeSet<usize> = BTreeSet::new();
    let mut next: Vec<usize> = operations.iter().flat_map(|(_, operation)| models(operation)).collect();
    while let Some(model) = next.pop() {
        if reached.insert(model) {
            next.extend(api.models[model].kind.models());
        }
    }
    let definition = |index: usize| {
        let model = &api.models[index];
        (model.name.rust.clone(), Value::Object(schema::of_model(api, model)))
    };
    reached.into_iter().map(definition).collect()
}

/// The models that the arguments of an operation mention.
fn models(operation: &Operation) -> Vec<usize> {
    let parameters = operation.parameters.iter().flat_map(|parameter| parameter.value.models());
    let body = content(operation).into_iter().flat_map(|content| content.kind.values());
    parameters.chain(body.flat_map(ir::Value::models)).collect()
}

/// The content that the body is sent as.
fn content(operation: &Operation) -> Option<&Content> {
    let (_, content) = operation.arguments.body.as_ref()?;
    operation.request_body.as_ref()?.contents.get(*content)
}

/// The schema of an object with a member for each parameter and one for the body.
fn arguments(api: &Api, operation: &Operation) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for (parameter, argument) in operation.parameters.iter().zip(&operation.arguments.parameters) {
        properties.insert(argument.clone(), Value::Object(self::parameter(api, parameter)));
        if parameter.required {
            required.push(argument.as_str());
        }
    }
    if let (Some(body), Some((argument, _)), Some(content)) =
        (&operation.request_body, &operation.arguments.body, content(operation))
    {
        properties.insert(argument.clone(), Value::Object(self::body(api, body, content)));
        if body.required {
            required.push(argument);
        }
    }
    let mut schema = json!({ "type": "object", "properties": properties, "additionalProperties": false });
    if !required.is_empty() {
        schema["required"] = json!(required);
    }
    schema
}

fn parameter(api: &Api, parameter: &Parameter) -> Schema {
    let mut schema = schema::of_value(api, &parameter.value);
    schema::describe(&mut schema, parameter.doc.as_deref());
    if let Some(default) = &parameter.default {
        schema.insert("default".to_owned(), schema::of_default(api, &parameter.value.ty, default));
    }
    if parameter.deprecated {
        schema.insert("deprecated".to_owned(), json!(true));
    }
    schema
}

fn body(api: &Api, body: &RequestBody, content: &Content) -> Schema {
    let list = |items: Schema| schema::object(json!({ "type": "array", "items": items }));
    let text = || schema::object(json!({ "type": "string" }));
    let mut schema = match &content.kind {
        ContentKind::Json(value) | ContentKind::Text(value) => schema::of_value(api, value),
        ContentKind::Form(form) => schema::of_value(api, &form.value),
        // The caller, who knows only the schema of the arguments, writes the document.
        ContentKind::Bytes | ContentKind::Xml(_) => file(None),
        ContentKind::JsonLines(value) | ContentKind::Events(Some(value)) => list(schema::of_value(api, value)),
        ContentKind::Events(None) => list(text()),
        ContentKind::Multipart(multipart) => {
            let mut properties = Map::new();
            for part in &multipart.parts {
                properties.insert(multipart.argument(part).to_owned(), Value::Object(self::part(api, part)));
            }
            let required = multipart.parts.iter().filter(|part| part.field.is_required());
            let required: Vec<_> = required.map(|part| multipart.argument(part)).collect();
            let mut schema = schema::object(json!({
                "type": "object",
                "properties": properties,
                "required": required,
                "additionalProperties": false,
            }));
            // Those of parts without names count all parts.
            if !multipart.positional {
                // In their schemas a file is a text; here it is an object.
                let is_meant = |rule: &&Rule| !matches!(rule, Rule::Schema(_));
                let rules: Vec<_> = multipart.rules.iter().filter(is_meant).cloned().collect();
                schema::restrict(&mut schema, &rules);
            }
            schema
        }
    };
    schema::describe(&mut schema, body.doc.as_deref());
    schema
}

fn part(api: &Api, part: &Part) -> Schema {
    let text = part.field.doc.as_deref();
    // The type of a list may be that of its items.
    let item = match &part.field.value.ty {
        Type::Array(item) if part.repeated => item,
        _ => &part.field.value,
    };
    let one = match part.kind {
        PartKind::File => file(text),
        PartKind::Text | PartKind::Json => schema::of_value(api, item),
    };
    let mut schema = if part.repeated {
        let mut list = schema::object(json!({ "type": "array", "items": one }));
        schema::restrict(&mut list, &part.rules);
        list
    } else {
        one
    };
    if part.kind != PartKind::File || part.repeated {
        schema::describe(&mut schema, text);
    }
    schema
}

/// A file as an object: its content as text or in base64, its name and its media type.
fn file(text: Option<&str>) -> Schema {
    let how = "Give its content in `text` or in `base64`.";
    schema::object(json!({
        "type": "object",
        "description": doc::paragraphs([text, Some(how)]),
        "properties": {
            "text": { "type": "string" },
            "base64": { "type": "string", "contentEncoding": "base64" },
            "fileName": { "type": "string" },
            "mediaType": { "type": "string" },
        },
        "additionalProperties": false,
    }))
}
