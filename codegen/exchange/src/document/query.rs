//! Names in a query that may belong to several parameters.

use serde_json::Value;

use super::{Document, Named};
use crate::place::{Kind, Place};

impl Document {
    /// Whether another parameter of the query may be written under the same name, as members of an exploded
    /// object may be (W0311). The server cannot know then which parameter a value belongs to.
    pub fn is_ambiguous(&self, operation: Named<'_>, place: Place<'_>) -> bool {
        let Some((item, node)) = self.operation(operation).filter(|_| place.kind == Kind::Query) else { return false };
        let query = || self.parameters(item, node).filter(|parameter| parameter["in"] == "query");
        let Some(own) = query().find(|parameter| parameter["name"] == place.name) else { return false };
        let names = self.written_names(own);
        query().filter(|other| other["name"] != place.name).any(|other| {
            let others = self.written_names(other);
            names.iter().any(|name| others.contains(name)) || self.takes_any_name(own) && self.takes_any_name(other)
        })
    }

    /// Whether the parameter is an exploded object with arbitrary member names.
    fn takes_any_name(&self, parameter: &Value) -> bool {
        let schema = parameter.get("schema").map(|schema| self.follow(schema));
        is_exploded(parameter)
            && schema.is_some_and(|schema| schema["type"] == "object" && schema["additionalProperties"] != false)
    }

    /// The names under which a parameter is written in the query.
    fn written_names<'a>(&'a self, parameter: &'a Value) -> Vec<&'a str> {
        let schema = parameter.get("schema").filter(|_| is_exploded(parameter)).map(|schema| self.follow(schema));
        // Each variant is written in its own way.
        let variants = schema.into_iter().flat_map(|schema| [schema.get("oneOf"), schema.get("anyOf")]).flatten();
        let variants = variants.filter_map(Value::as_array).flatten().map(|variant| self.follow(variant));
        let mut names: Vec<&str> = parameter["name"].as_str().into_iter().collect();
        for (index, schema) in schema.into_iter().chain(variants).enumerate() {
            if let Some(members) = schema.get("properties").and_then(Value::as_object) {
                if index == 0 {
                    names.clear();
                }
                names.extend(members.keys().map(String::as_str));
            }
        }
        names
    }
}

/// An object stands in the query member by member.
fn is_exploded(parameter: &Value) -> bool {
    parameter.get("style").is_none_or(|style| style == "form") && parameter["explode"] != false
}
