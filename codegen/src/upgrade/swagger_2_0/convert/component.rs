//! `definitions`, `parameters`, `responses` and `securityDefinitions` → components; also parts of other
//! files.

use serde_json::Value;

use super::{Members, Upgrade, security};
use crate::location::joined;
use crate::upgrade::bundle::Outside;

impl Upgrade<'_> {
    /// All components of the document.
    pub(super) fn components(&mut self) -> Members {
        self.moves.add("/components/schemas", "/definitions");
        self.moves.add("/components/responses", "/responses");
        self.moves.add("/components/securitySchemes", "/securityDefinitions");
        let mut schemas = Members::new();
        for (name, schema) in self.section("definitions") {
            let mut schema = schema.clone();
            super::schema::schema(&mut schema);
            schemas.insert(name.clone(), schema);
        }
        let mut responses = Members::new();
        let produces = self.media_types(None, "", "produces");
        for (name, response) in self.section("responses") {
            let from = joined("/responses", &[name]);
            let to = joined("/components/responses", &[name]);
            responses.insert(name.clone(), self.response(response, None, &from, &to, &produces));
        }
        let (mut parameters, mut bodies) = (Members::new(), Members::new());
        for (name, parameter) in self.section("parameters") {
            let from = joined("/parameters", &[name]);
            match parameter.get("in").and_then(Value::as_str) {
                Some("body") => {
                    let to = joined("/components/requestBodies", &[name]);
                    bodies.extend(self.shared_body(parameter, &from, &to).map(|body| (name.clone(), body)));
                }
                // Form fields become part of the operations that use them.
                Some("formData") => {}
                _ => {
                    let to = joined("/components/parameters", &[name]);
                    parameters.insert(name.clone(), self.parameter_or_reference(parameter, &from, &to));
                }
            }
        }
        let security = self.section("securityDefinitions");
        let security =
            security.filter_map(|(name, scheme)| Some((name.clone(), security::scheme(scheme.as_object()?))));
        let sections = [
            ("schemas", schemas),
            ("responses", responses),
            ("parameters", parameters),
            ("requestBodies", bodies),
            ("securitySchemes", security.collect()),
        ];
        let filled = sections.into_iter().filter(|(_, section)| !section.is_empty());
        filled.map(|(name, section)| (name.to_owned(), Value::Object(section))).collect()
    }

    /// Converts the used parts of other files in place. Nested parts are converted with their parent.
    pub(super) fn parts(&mut self, document: &mut Value, parts: &[Outside]) {
        let mut parts: Vec<&Outside> = parts.iter().collect();
        parts.sort_by_key(|part| part.pointer.len());
        let mut done: Vec<&str> = Vec::new();
        for part in parts {
            let at = part.pointer.as_str();
            let is_inside = |outer: &&str| at.strip_prefix(outer).is_some_and(|rest| rest.starts_with('/'));
            if done.iter().any(is_inside) {
                continue;
            }
            let Some(old) = self.old.pointer(at) else { continue };
            let converted = match part.object.name {
                "Schema" | "Items" => {
                    let mut schema = old.clone();
                    super::schema::schema(&mut schema);
                    schema
                }
                "Parameter" if !is_payload(old) => self.parameter_or_reference(old, at, at),
                "Response" => {
                    let produces = self.media_types(None, "", "produces");
                    self.response(old, None, at, at, &produces)
                }
                "Path Item" => self.path_item(old, at, at),
                _ => continue,
            };
            if let Some(place) = document.pointer_mut(at) {
                *place = converted;
                done.push(at);
            }
        }
    }

    fn parameter_or_reference(&mut self, parameter: &Value, from: &str, to: &str) -> Value {
        match parameter.as_object() {
            Some(members) if !members.contains_key("$ref") => self.parameter(members, from, to),
            _ => parameter.clone(),
        }
    }
}

impl<'t> Upgrade<'t> {
    fn section(&self, name: &str) -> impl Iterator<Item = (&'t String, &'t Value)> + use<'t> {
        self.old.get(name).and_then(Value::as_object).into_iter().flatten().filter(|(name, _)| !name.starts_with("x-"))
    }
}

/// Whether the parameter is the body or a part of it.
pub(super) fn is_payload(parameter: &Value) -> bool {
    parameter.get("in").is_some_and(|place| place == "body" || place == "formData")
}
