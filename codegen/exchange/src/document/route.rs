//! Distinguishes the operations of one route.

use serde_json::{Map, Value};

use super::{Document, Named, Parameter};

impl Document {
    /// Whether one operation requires a query parameter or header that the other does not have, or both
    /// require it with different values.
    pub fn are_told_apart(&self, one: Named<'_>, other: Named<'_>) -> bool {
        let differ = |own: &Parameter| {
            let theirs = self.parameters_of(other);
            let their = theirs.iter().find(|other| other.required && own.is_same(other));
            let their = their.and_then(|their| self.only_values(&their.schema));
            let (Some(ours), Some(their)) = (self.only_values(&own.schema), their) else { return false };
            ours.iter().all(|value| !their.contains(value))
        };
        let is_asked_for =
            |own: &Parameter, other: Named<'_>| own.required && self.is_text(own) && !self.has(other, own);
        self.parameters_of(one).iter().any(|own| own.required && differ(own) || is_asked_for(own, other))
            || self.parameters_of(other).iter().any(|their| is_asked_for(their, one))
            || self.answer_others(one, other)
            || self.are_sent_others(one, other)
    }

    /// Whether both bodies require a member with different values.
    fn are_sent_others(&self, one: Named<'_>, other: Named<'_>) -> bool {
        let members = |operation: Named<'_>| {
            let body = self.operation(operation).and_then(|(_, node)| Some(self.follow(node.get("requestBody")?)));
            let contents = body.and_then(|body| body.get("content")?.as_object());
            let schema = contents.and_then(|contents| Some(self.follow(contents.values().next()?.get("schema")?)));
            let required = schema.and_then(|schema| schema.get("required")?.as_array()).into_iter().flatten();
            let listed = required.filter_map(|name| {
                let name = name.as_str()?;
                Some((name, self.only_values(schema?.get("properties")?.get(name)?)?))
            });
            listed.collect::<Vec<_>>()
        };
        let (ones, others) = (members(one), members(other));
        ones.iter().any(|(name, values)| {
            let theirs = others.iter().find(|(their, _)| their == name);
            theirs.is_some_and(|(_, theirs)| values.iter().all(|value| !theirs.contains(value)))
        })
    }

    /// Whether the successful answers of both have no media type in common.
    fn answer_others(&self, one: Named<'_>, other: Named<'_>) -> bool {
        let answered = |operation: Named<'_>| {
            let responses = self.operation(operation).and_then(|(_, node)| node.get("responses")?.as_object());
            let responses = responses.into_iter().flatten().filter(|(status, _)| status.starts_with('2'));
            let contents = responses.filter_map(|(_, response)| self.follow(response).get("content")?.as_object());
            contents.flat_map(Map::keys).collect::<Vec<_>>()
        };
        let (ones, others) = (answered(one), answered(other));
        let is_same =
            |one: &&String| one.contains('*') || others.iter().any(|other| other.contains('*') || other == one);
        !ones.is_empty() && !others.is_empty() && !ones.iter().any(is_same)
    }

    /// Whether the operation has the parameter, or a query parameter with arbitrary names.
    pub fn has(&self, operation: Named<'_>, parameter: &Parameter) -> bool {
        self.parameters_of(operation).iter().any(|own| {
            let schema = self.follow(&own.schema);
            let is_spread = own.within == "querystring" || own.within == "query" && schema["type"] == "object";
            own.is_same(parameter) || parameter.within == "query" && is_spread
        })
    }

    /// Whether the parameter is a single text in the query or a header.
    fn is_text(&self, parameter: &Parameter) -> bool {
        let ty = self.follow(&parameter.schema)["type"].as_str();
        let is_text = matches!(ty, Some("string" | "integer" | "number" | "boolean"));
        is_text && matches!(parameter.within.as_str(), "query" | "header")
    }

    /// The list of all values that a schema allows, if it has one.
    fn only_values<'a>(&'a self, schema: &'a Value) -> Option<Vec<&'a Value>> {
        let schema = self.follow(schema);
        let listed = schema.get("enum").and_then(Value::as_array);
        listed.map(|values| values.iter().collect()).or_else(|| Some(vec![schema.get("const")?]))
    }
}
