//! Every operation of the description as a request that tests fill in and send.

use std::collections::BTreeMap;

use reqwest::Method;
use serde_json::{Map, Value};
use service::domain::token::Secret;

use crate::app::App;

const DESCRIPTION: &str = include_str!("../../spec/openapi.yaml");

/// The boundary of bodies with a file.
const BOUNDARY: &str = "a-file-of-a-test";

/// An operation with resolved references.
#[derive(Clone, Debug)]
pub(crate) struct Operation {
    pub(crate) id: String,
    pub(crate) method: Method,
    pub(crate) path: String,
    /// The required scopes.
    pub(crate) scopes: Vec<String>,
    pub(crate) parameters: Vec<Parameter>,
    pub(crate) body: Option<Body>,
}

#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    /// `path`, `query` or `header`
    pub(crate) location: String,
    pub(crate) is_required: bool,
    pub(crate) schema: Value,
    pub(crate) example: Value,
}

#[derive(Clone, Debug)]
pub(crate) enum Body {
    Json {
        schema: Value,
        example: Value,
    },
    /// A form with one file, in the part with this name.
    File(String),
}

/// A request of an operation, with required parameters and a body from the examples.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) operation: Operation,
    pub(crate) values: BTreeMap<String, String>,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Option<Value>,
}

/// A response without the parts that differ between equal requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: String,
}

/// The description.
pub(crate) fn description() -> Value {
    serde_yaml::from_str(DESCRIPTION).expect("the description is YAML")
}

/// All operations, in the order of the description.
pub(crate) fn operations() -> Vec<Operation> {
    let document = description();
    let mut operations = Vec::new();
    for (path, item) in document["paths"].as_object().expect("paths") {
        for (method, operation) in item.as_object().expect("a path item") {
            let Ok(method) = Method::from_bytes(method.to_uppercase().as_bytes()) else { continue };
            if let Some(id) = operation["operationId"].as_str() {
                operations.push(read(&document, (path, method, id), operation));
            }
        }
    }
    operations
}

fn read(document: &Value, (path, method, id): (&str, Method, &str), operation: &Value) -> Operation {
    let parameters = operation["parameters"].as_array().into_iter().flatten().map(|parameter| {
        let parameter = follow(document, parameter);
        let first = parameter["examples"].as_object().and_then(|examples| examples.values().next());
        let example = parameter.get("example").or_else(|| first.map(|example| &example["value"]));
        Parameter {
            name: parameter["name"].as_str().expect("a name").to_owned(),
            location: parameter["in"].as_str().expect("a location").to_owned(),
            is_required: parameter["required"] == true,
            schema: follow(document, &parameter["schema"]).clone(),
            example: example.or(parameter["schema"].get("example")).cloned().unwrap_or_default(),
        }
    });
    let body = operation.get("requestBody").map(|body| {
        let content = &follow(document, body)["content"];
        if let Some(form) = content.get("multipart/form-data") {
            let schema = follow(document, &form["schema"]);
            let parts = schema["properties"].as_object().expect("parts");
            let file = parts.iter().find(|(_, part)| part["format"] == "binary").expect("a file");
            return Body::File(file.0.clone());
        }
        let json = &content["application/json"];
        let first = json["examples"].as_object().and_then(|examples| examples.values().next());
        let example = json.get("example").or_else(|| first.map(|example| &example["value"])).cloned();
        Body::Json { schema: json["schema"].clone(), example: example.unwrap_or_default() }
    });
    let scopes = operation["security"].as_array().into_iter().flatten();
    let scopes = scopes.flat_map(|requirement| requirement["bearerAuth"].as_array().into_iter().flatten());
    Operation {
        id: id.to_owned(),
        method,
        path: path.to_owned(),
        scopes: scopes.filter_map(Value::as_str).map(str::to_owned).collect(),
        parameters: parameters.collect(),
        body,
    }
}

/// The target of a `$ref`.
pub(crate) fn follow<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    match value.get("$ref").and_then(Value::as_str) {
        Some(reference) => {
            let pointer = reference.strip_prefix('#').expect("a reference into the document");
            follow(document, document.pointer(pointer).expect("it leads somewhere"))
        }
        None => value,
    }
}

impl Operation {
    /// A request with all required values.
    pub(crate) fn request(&self) -> Request {
        let required = self.parameters.iter().filter(|parameter| parameter.is_required);
        let body = match &self.body {
            Some(Body::Json { example, .. }) => Some(example.clone()),
            Some(Body::File(_)) | None => None,
        };
        Request {
            values: required.map(|parameter| (parameter.name.clone(), text(&parameter.example))).collect(),
            headers: Vec::new(),
            body,
            operation: self.clone(),
        }
    }

    pub(crate) fn parameter(&self, name: &str) -> Option<&Parameter> {
        self.parameters.iter().find(|parameter| parameter.name == name)
    }
}

impl Request {
    /// Removes the JSON Patch operations `test`, which also require the scope to read.
    pub(crate) fn without_tests(mut self) -> Self {
        if let Some(steps) = self.body.as_mut().and_then(Value::as_array_mut) {
            steps.retain(|step| step["op"] != "test");
        }
        self
    }

    /// Sets a parameter, or a member of the body by JSON Pointer.
    pub(crate) fn with(mut self, place: &str, value: &Value) -> Self {
        if place.starts_with('/') {
            let body = self.body.as_mut().expect("a body");
            if let Some(member) = body.pointer_mut(place) {
                *member = value.clone();
            } else {
                let (parent, name) = place.rsplit_once('/').expect("a pointer");
                let parent = body.pointer_mut(parent).and_then(Value::as_object_mut);
                parent.expect("an object").insert(name.to_owned(), value.clone());
            }
        } else {
            assert!(self.operation.parameter(place).is_some(), "{} has no parameter {place}", self.operation.id);
            self.values.insert(place.to_owned(), text(value));
        }
        self
    }

    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) async fn send(&self, app: &App, token: &Secret) -> Answer {
        let mut path = self.operation.path.clone();
        let mut query = Vec::new();
        let mut headers = self.headers.clone();
        for (name, value) in &self.values {
            let location = self.operation.parameter(name).map_or("query", |parameter| parameter.location.as_str());
            match location {
                "path" => path = path.replace(&format!("{{{name}}}"), &encoded(value)),
                "query" => query.push(format!("{}={}", encoded(name), encoded(value))),
                _ => headers.push((name.clone(), value.clone())),
            }
        }
        let query = if query.is_empty() { String::new() } else { format!("?{}", query.join("&")) };
        let url = format!("http://{}{path}{query}", app.address);
        let mut request = app.http.request(self.operation.method.clone(), url).bearer_auth(token.reveal());
        for (name, value) in &headers {
            request = request.header(name, value);
        }
        request = match (&self.operation.body, &self.body) {
            (Some(Body::File(part)), _) => {
                let content = format!(
                    "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{part}\"; filename=\"a.txt\"\r\n\r\ntext\r\n--{BOUNDARY}--\r\n"
                );
                let kind = format!("multipart/form-data; boundary={BOUNDARY}");
                request.header("content-type", kind).body(content)
            }
            (_, Some(body)) => request.header("content-type", "application/json").body(body.to_string()),
            (_, None) => request,
        };
        let response = request.send().await.expect("an answer");
        let changing = ["date", "x-request-id"];
        Answer {
            status: response.status().as_u16(),
            headers: response
                .headers()
                .iter()
                .filter(|(name, _)| !changing.contains(&name.as_str()))
                .map(|(name, value)| (name.to_string(), String::from_utf8_lossy(value.as_bytes()).into_owned()))
                .collect(),
            body: response.text().await.expect("a body"),
        }
    }
}

impl Answer {
    pub(crate) fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }

    /// The same with `#` in place of these numbers.
    pub(crate) fn without(&self, numbers: &[String]) -> Self {
        let cleaned = |text: &str| {
            let mut result = String::new();
            let mut rest = text;
            while let Some(start) = rest.find(|letter: char| letter.is_ascii_digit()) {
                let tail = &rest[start..];
                let end = tail.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(tail.len());
                result.push_str(&rest[..start]);
                let number = &tail[..end];
                result.push_str(if numbers.iter().any(|known| known == number) { "#" } else { number });
                rest = &tail[end..];
            }
            result + rest
        };
        // The length of a number reveals nothing new to the caller.
        let headers = self.headers.iter().filter(|(name, _)| *name != "content-length");
        Self {
            status: self.status,
            headers: headers.map(|(name, value)| (name.clone(), cleaned(value))).collect(),
            body: cleaned(&self.body),
        }
    }

    /// The body as JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("no JSON: {}", self.body))
    }
}

/// A value as text in a path or a query.
fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(text).collect::<Vec<_>>().join(","),
        value => value.to_string(),
    }
}

fn encoded(text: &str) -> String {
    text.bytes()
        .map(|byte| match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => char::from(byte).to_string(),
            byte => format!("%{byte:02X}"),
        })
        .collect()
}

/// Every object in a value whose schema is closed, with the properties of the schema: JSON Pointers and
/// names.
pub(crate) fn closed_objects(
    document: &Value,
    schema: &Value,
    value: &Value,
    pointer: &str,
) -> Vec<(String, Map<String, Value>)> {
    let schema = follow(document, schema);
    match value {
        Value::Object(members) => {
            let properties = schema["properties"].as_object().cloned().unwrap_or_default();
            let inner: Vec<_> = members
                .iter()
                .filter_map(|(name, member)| Some((properties.get(name)?.clone(), name, member)))
                .flat_map(|(schema, name, member)| {
                    closed_objects(document, &schema, member, &format!("{pointer}/{name}"))
                })
                .collect();
            let own = (schema["additionalProperties"] == false).then(|| (pointer.to_owned(), properties));
            own.into_iter().chain(inner).collect()
        }
        Value::Array(items) => items
            .iter()
            .enumerate()
            .flat_map(|(index, item)| closed_objects(document, &schema["items"], item, &format!("{pointer}/{index}")))
            .collect(),
        _ => Vec::new(),
    }
}
