//! What the description says, and where each fact of it comes from.

use serde_json::{Map, Value};
use tests::description;

use super::{Fact, Source};

/// Every fact of the description with its source.
pub(super) fn facts() -> Vec<(Fact, Source)> {
    let document = description::load();
    let mut facts = Facts { document: &document, facts: Vec::new() };
    let root = Marks(Vec::new()).below(&document);
    for (path, item) in object(&document["paths"]) {
        for (method, operation) in object(item) {
            facts.operation(&root, &format!("{} {path}", method.to_uppercase()), operation);
        }
    }
    for (name, schema) in object(&document["components"]["schemas"]) {
        facts.schema(&root, name, schema);
    }
    for (name, scheme) in object(&document["components"]["securitySchemes"]) {
        facts.carrier(&root, name, "securitySchemes", scheme);
    }
    for tag in document["tags"].as_array().into_iter().flatten() {
        facts.carrier(&root, &text(&tag["name"]), "tags", tag);
    }
    facts.facts
}

/// The `x-source` of a node and of those above it, the nearest last.
#[derive(Clone)]
struct Marks<'a>(Vec<&'a Value>);

impl<'a> Marks<'a> {
    fn below(&self, node: &'a Value) -> Self {
        let mut marks = self.clone();
        marks.0.extend(node.get("x-source"));
        marks
    }

    /// A mark that names the keyword is stronger than one of a whole node; of either kind the nearest counts.
    fn source(&self, keyword: &str) -> Source {
        let named = self.0.iter().rev().find_map(|mark| mark.get(keyword).and_then(Value::as_str));
        match named.or_else(|| self.0.iter().rev().find_map(|mark| mark.as_str())) {
            None => Source::Interface,
            Some("contract") => Source::Contract,
            Some("decided") => Source::Decided,
            Some(other) => panic!("`x-source: {other}` is neither `contract` nor `decided`"),
        }
    }
}

struct Facts<'a> {
    document: &'a Value,
    facts: Vec<(Fact, Source)>,
}

impl<'a> Facts<'a> {
    fn say(&mut self, marks: &Marks, subject: &str, keyword: &str, value: &str) {
        self.facts.push((Fact::new(subject, keyword, value), marks.source(keyword)));
    }

    /// A node that stands at a place or is referred to from there: its marks, and that it is there.
    fn node(&mut self, marks: &Marks<'a>, subject: &str, keyword: &str, node: &'a Value) -> (Marks<'a>, &'a Value) {
        let (marks, node, elsewhere) = match description::reference(node) {
            None => (marks.below(node), node, Source::Interface),
            Some(pointer) => {
                let node = description::resolve(self.document, pointer);
                (Marks(Vec::new()).below(self.document).below(node), node, marks.source(keyword))
            }
        };
        let source = if elsewhere == Source::Interface { marks.source(keyword) } else { elsewhere };
        self.facts.push((Fact::new(subject, keyword, "is there"), source));
        (marks, node)
    }

    fn operation(&mut self, marks: &Marks<'a>, operation: &str, node: &'a Value) {
        let (marks, node) = self.node(marks, operation, "operation", node);
        for (keyword, value) in object(node) {
            match keyword.as_str() {
                "parameters" => value.as_array().into_iter().flatten().for_each(|parameter| {
                    self.parameter(&marks, operation, parameter);
                }),
                "requestBody" => self.carrier(&marks, &format!("{operation} body"), keyword, value),
                "responses" => object(value).iter().for_each(|(status, response)| {
                    self.carrier(&marks, &format!("{operation} {status}"), keyword, response);
                }),
                _ => self.keyword(&marks, operation, keyword, value),
            }
        }
    }

    fn parameter(&mut self, marks: &Marks<'a>, operation: &str, node: &'a Value) {
        let name = match description::reference(node) {
            None => &node["name"],
            Some(pointer) => &description::resolve(self.document, pointer)["name"],
        };
        let subject = format!("{operation} {}", text(name));
        let (marks, node) = self.node(marks, &subject, "parameters", node);
        self.say(&marks, &subject, "required", &text(node.get("required").unwrap_or(&Value::Bool(false))));
        for (keyword, value) in object(node) {
            match keyword.as_str() {
                "name" | "required" => {}
                "schema" => self.schema(&marks, &subject, value),
                _ => self.keyword(&marks, &subject, keyword, value),
            }
        }
    }

    /// A request body, a response, a header, or a node without inner structure.
    fn carrier(&mut self, marks: &Marks<'a>, subject: &str, place: &str, node: &'a Value) {
        let (marks, node) = self.node(marks, subject, place, node);
        for (keyword, value) in object(node) {
            match keyword.as_str() {
                "headers" => object(value).iter().for_each(|(name, header)| {
                    self.carrier(&marks, &format!("{subject} {name}"), keyword, header);
                }),
                "content" => object(value).iter().for_each(|(media_type, content)| {
                    self.say(&marks, &format!("{subject} {media_type}"), keyword, "is there");
                    self.schema(&marks, subject, &content["schema"]);
                }),
                "schema" => self.schema(&marks, subject, value),
                "name" => {}
                _ => self.keyword(&marks, subject, keyword, value),
            }
        }
    }

    fn schema(&mut self, marks: &Marks<'a>, subject: &str, node: &'a Value) {
        if let Some(pointer) = description::reference(node) {
            let name = pointer.rsplit('/').next().unwrap_or(pointer);
            return self.say(marks, subject, "schema", name);
        }
        let marks = marks.below(node);
        for (keyword, value) in object(node) {
            match keyword.as_str() {
                "properties" => object(value).iter().for_each(|(name, property)| {
                    let member = format!("{subject}.{name}");
                    self.say(&marks.below(property), &member, keyword, "is there");
                    self.schema(&marks, &member, property);
                }),
                "required" => value.as_array().into_iter().flatten().for_each(|name| {
                    self.say(&marks, &format!("{subject}.{}", text(name)), keyword, "true");
                }),
                "items" => self.schema(&marks, &format!("{subject} items"), value),
                "type" => value.as_array().unwrap_or(&vec![value.clone()]).iter().for_each(|ty| match ty.as_str() {
                    Some("null") => self.say(&marks, subject, "nullable", "true"),
                    _ => self.keyword(&marks, subject, keyword, ty),
                }),
                _ => self.keyword(&marks, subject, keyword, value),
            }
        }
    }

    fn keyword(&mut self, marks: &Marks, subject: &str, keyword: &str, value: &Value) {
        if keyword != "x-source" {
            self.say(marks, subject, keyword, &text(value));
        }
    }
}

fn object(node: &Value) -> &Map<String, Value> {
    node.as_object().unwrap_or_else(|| panic!("not an object: {node}"))
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
