//! What the interface document says: `interface.tsv` as facts.

use std::collections::BTreeSet;

use super::Fact;

const REQUEST_TYPES: [&str; 4] = ["application/json-patch+json", "application/json", "text/json", "application/*+json"];
const RESPONSE_TYPES: [&str; 3] = ["text/plain", "application/json", "text/json"];
const PAGING: [(&str, &str); 4] =
    [("Sort", "string"), ("Exclude", "string"), ("PageSize", "int32"), ("PageNumber", "int32")];

/// Every fact of the interface document.
pub(super) fn facts() -> BTreeSet<Fact> {
    let mut facts = Facts(BTreeSet::new());
    for line in include_str!("../interface.tsv").lines().filter(|line| !line.starts_with('#')) {
        let columns: Vec<&str> = line.split('\t').collect();
        match columns[..] {
            ["operation", method, path, inputs, returns] => facts.operation(method, path, inputs, returns, ""),
            ["operation", method, path, inputs, returns, notes] => {
                facts.operation(method, path, inputs, returns, notes);
            }
            ["list", name, item] => {
                facts.say(name, "type", "array");
                facts.value(&format!("{name} items"), item);
            }
            ["member", object, name, ty] => facts.member(object, name, ty, ""),
            ["member", object, name, ty, notes] => facts.member(object, name, ty, notes),
            ["enumeration", name, ty] => facts.value(name, ty),
            _ => panic!("not a line of interface.tsv: {line}"),
        }
    }
    facts.0
}

struct Facts(BTreeSet<Fact>);

impl Facts {
    fn say(&mut self, subject: &str, keyword: &str, value: &str) {
        self.0.insert(Fact::new(subject, keyword, value));
    }

    fn operation(&mut self, method: &str, path: &str, inputs: &str, returns: &str, notes: &str) {
        let operation = format!("{method} {path}");
        self.say(&operation, "operation", "is there");
        for input in inputs.split("; ").filter(|input| !input.is_empty()) {
            self.input(&operation, input);
        }
        if returns != "?" {
            self.answer(&format!("{operation} 200"), returns, path.starts_with("/v2/"));
        }
        for note in notes.split("; ").filter(|note| !note.is_empty()) {
            if note == "deprecated" {
                self.say(&operation, "deprecated", "true");
            } else {
                self.say(&format!("{operation} {note}"), "responses", "is there");
            }
        }
    }

    fn input(&mut self, operation: &str, input: &str) {
        match input.split_once(' ') {
            None if input == "Paging" => {
                for (name, ty) in PAGING {
                    self.parameter(operation, "query", name, ty);
                }
            }
            Some(("body", schema)) => {
                let body = format!("{operation} body");
                self.say(&body, "requestBody", "is there");
                self.say(&body, "schema", schema);
                if operation.contains(" /v2/") {
                    for media_type in REQUEST_TYPES {
                        self.say(&format!("{body} {media_type}"), "content", "is there");
                    }
                }
            }
            Some(("part", name)) => {
                let body = format!("{operation} body");
                self.say(&body, "requestBody", "is there");
                self.say(&format!("{body} multipart/form-data"), "content", "is there");
                self.say(&body, "type", "object");
                let part = format!("{body}.{name}");
                self.say(&part, "properties", "is there");
                self.say(&part, "type", "string");
                self.say(&part, "format", "binary");
            }
            Some((place, declaration)) => match declaration.split_once(": ") {
                Some((name, ty)) => self.parameter(operation, place, name, ty),
                None => panic!("`{declaration}` has no type"),
            },
            None => panic!("`{input}` is not an input"),
        }
    }

    fn parameter(&mut self, operation: &str, place: &str, name: &str, ty: &str) {
        let parameter = format!("{operation} {name}");
        self.say(&parameter, "parameters", "is there");
        self.say(&parameter, "in", place);
        self.say(&parameter, "required", if place == "path" { "true" } else { "false" });
        self.value(&parameter, ty);
    }

    fn answer(&mut self, answer: &str, returns: &str, v2: bool) {
        self.say(answer, "responses", "is there");
        match returns {
            "no body" => {}
            "file" => {
                self.say(answer, "type", "string");
                self.say(answer, "format", "binary");
            }
            schema => {
                self.say(answer, "schema", schema);
                for media_type in RESPONSE_TYPES.iter().filter(|_| v2) {
                    self.say(&format!("{answer} {media_type}"), "content", "is there");
                }
            }
        }
    }

    fn member(&mut self, object: &str, name: &str, ty: &str, notes: &str) {
        self.say(object, "type", "object");
        let member = format!("{object}.{name}");
        self.say(&member, "properties", "is there");
        self.value(&member, ty);
        if notes == "nullable" {
            self.say(&member, "nullable", "true");
        }
    }

    /// The type of a value: `int32`, `array of int32`, the name of a schema, or `?`.
    fn value(&mut self, subject: &str, ty: &str) {
        match ty {
            "?" => {}
            "string" | "boolean" | "integer" | "object" => self.say(subject, "type", ty),
            "int32" | "int64" => {
                self.say(subject, "type", "integer");
                self.say(subject, "format", ty);
            }
            "date-time" | "date-time-local" => {
                self.say(subject, "type", "string");
                self.say(subject, "format", ty);
            }
            _ => match ty.strip_prefix("array of ") {
                Some(item) => {
                    self.say(subject, "type", "array");
                    self.value(&format!("{subject} items"), item);
                }
                None => self.say(subject, "schema", ty),
            },
        }
    }
}
