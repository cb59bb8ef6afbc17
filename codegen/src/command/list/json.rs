//! Operations as a JSON array.

use serde_json::{Value, json};
use specwright::Description;
use specwright::ir::{Content, Operation, Parameter, Response, Tag};

use super::human;

/// Every operation in the order of the tags, then every webhook and callback.
pub(super) fn json(description: &Description) -> Value {
    let api = description.api();
    let operations = api
        .tags
        .iter()
        .chain(&api.webhooks)
        .flat_map(|tag| tag.operations.iter().map(move |operation| (tag, operation)));
    operations.map(|(tag, operation)| object(description, tag, operation)).collect()
}

fn object(description: &Description, tag: &Tag, operation: &Operation) -> Value {
    let api = description.api();
    let [handler, method] = description.signatures(operation);
    let above = if operation.webhook.is_some() { "webhooks::" } else { "" };
    json!({
        "method": operation.method.as_str(),
        "path": operation.path,
        "operationId": operation.name.wire,
        "tag": tag.name.wire,
        "summary": operation.summary,
        "deprecated": operation.deprecated,
        "rust": {
            "module": format!("{above}{}", tag.module),
            "trait": tag.name.rust,
            "request": operation.name.rust,
            "handler": handler,
            "method": method,
        },
        "webhook": operation.webhook.as_ref().map(|webhook| json!({ "expression": webhook.expression })),
        "parameters": operation.parameters.iter().map(parameter).collect::<Value>(),
        "requestBody": operation.request_body.as_ref().map(|body| json!({
            "required": body.required,
            "mediaTypes": media_types(&body.contents),
        })),
        "responses": operation.responses.all().map(response).collect::<Value>(),
        "security": human::security(api, operation),
        "anonymous": operation.security.alternatives.is_empty() || operation.security.optional,
    })
}

fn parameter(parameter: &Parameter) -> Value {
    json!({
        "name": parameter.name.wire,
        "in": parameter.location.word(),
        "required": parameter.required,
    })
}

fn response(response: &Response) -> Value {
    json!({ "status": human::status(response.status), "mediaTypes": media_types(&response.contents) })
}

fn media_types(contents: &[Content]) -> Vec<&str> {
    contents.iter().flat_map(|content| content.media_types.iter().map(String::as_str)).collect()
}
