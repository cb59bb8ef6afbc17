//! Reads and checks forms.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::document::Document;
use crate::duplicates::{TWICE, read_twice};
use crate::fault::Fault;
use crate::style::{Nested, Reading, Style, fault_of_texts, member, properties, types, unescaped};

/// The members of a form.
pub(crate) fn form(
    document: &Document,
    schema: &Value,
    pairs: &[(String, String)],
    styles: &[(String, Style)],
) -> Map<String, Value> {
    let mut names: Vec<String> = pairs.iter().map(|(name, _)| unescaped(name)).collect();
    names.extend(styles.iter().map(|(name, _)| name.clone()));
    names.sort();
    names.dedup();
    // The members of an exploded object are not those of the form.
    for (name, _) in styles.iter().filter(|(_, style)| style.is_spread()) {
        let object = member(document, schema, name, 0);
        let mut spread = Vec::new();
        properties(document, object, &mut spread, 0);
        names.retain(|name| !spread.contains(name));
    }
    let nested = Nested::of(document, schema, pairs, styles);
    names.retain(|name| !nested.names.contains(name));
    let mut members = nested.values(document, schema);
    for name in names {
        let member = member(document, schema, &name, 0);
        let own =
            styles.iter().find(|(styled, _)| *styled == name).map_or_else(Style::form, |(_, style)| style.clone());
        // The name of a member of a `deepObject` is that of the object.
        if name.ends_with(']') && name.split('[').next().is_some_and(|of| styles.iter().any(|(styled, _)| styled == of))
        {
            continue;
        }
        let all = types(document, member, 0);
        let reading = Reading { document, schema: member, types: all, prefers_text: false };
        // Without a style, an object is JSON unless its members are in brackets.
        if all.object && !all.array && !styles.iter().any(|(styled, _)| *styled == name) {
            let raw = pairs.iter().find(|(key, _)| unescaped(key) == name);
            members.extend(raw.map(|(_, raw)| (name, reading.scalar(&unescaped(raw), all))));
        } else if let Some(value) = own.of_pairs(&name, pairs, &[], &reading) {
            // A text that is not in the style has no type of the schema.
            members.insert(name, value.unwrap_or(Value::Null));
        }
    }
    members
}

/// What is wrong with the texts of the members of a form.
pub(super) fn faults_of_form(
    document: &Document,
    schema: &Value,
    pairs: &[(String, String)],
    styles: &[(String, Style)],
) -> Vec<Fault> {
    let nested = Nested::of(document, schema, pairs, styles);
    let mut faults = nested.faults(document, schema);
    let mut described = Vec::new();
    properties(document, schema, &mut described, 0);
    for (name, style) in styles {
        let schema = member(document, schema, name, 0);
        let mut found = style.faults((document, schema), name, pairs, &[]);
        if style.is_json() {
            found.extend(faults_of_json(document, schema, name, pairs, &described));
        } else if style.is_deep()
            && !types(document, schema, 0).array
            && pairs.iter().any(|(found, _)| unescaped(found) == *name)
        {
            found.push(Fault::new("type", "is a text, not an object"));
        }
        faults.extend(found.into_iter().map(|fault| fault.below(&format!("/{name}"))));
    }
    let names: BTreeSet<String> = pairs.iter().map(|(name, _)| unescaped(name)).collect();
    for name in names.into_iter().filter(|name| !nested.names.contains(name)) {
        let own = pairs.iter().filter(|(found, _)| unescaped(found) == name);
        let texts: Vec<&str> = own.map(|(_, raw)| raw.as_str()).collect();
        let types = types(document, member(document, schema, &name, 0), 0);
        faults.extend(fault_of_texts(types.is_one(), &texts).map(|fault| fault.below(&format!("/{name}"))));
    }
    faults
}

/// What is wrong with the texts of a member of a form that is JSON.
fn faults_of_json(
    document: &Document,
    schema: &Value,
    name: &str,
    pairs: &[(String, String)],
    described: &[String],
) -> Vec<Fault> {
    let mut faults = Vec::new();
    for (found, raw) in pairs {
        let (found, text) = (unescaped(found), unescaped(raw));
        if found == name {
            if let Err(error) = serde_json::from_str::<Value>(&text) {
                faults.push(Fault::new("syntax", format!("is not JSON: {error}")));
            }
            let twice = read_twice(document, schema, text.as_bytes());
            faults.extend(twice.iter().map(|pointer| Fault::new("duplicate", TWICE).below(pointer)));
        }
        let inside = found.strip_prefix(name).is_some_and(|rest| rest.starts_with('[') && rest != "[]");
        if inside && !described.contains(&found) {
            faults.push(Fault::new("type", "is given in brackets, not as JSON"));
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::check::pairs;

    #[test]
    fn members_of_forms_are_written_in_their_style() {
        let inner = json!({ "type": "object", "properties": { "x": { "type": "integer" } } });
        let properties = json!({ "plain": inner, "deep": inner, "json": inner, "json[y]": { "type": "string" } });
        let schema = json!({ "type": "object", "properties": properties });
        let document = Document::of(json!({ "openapi": "3.1.0", "paths": {} }));
        let styles = [
            ("deep".to_owned(), Style::of(&json!({ "style": "deepObject" }))),
            ("json".to_owned(), Style::of(&json!({ "contentType": "application/json" }))),
        ];
        for (text, expected) in [
            ("plain[x]=1&deep[x]=1&json=%7B%22x%22:1%7D&json[y]=a&more=1&more=2", &[][..]),
            ("plain[x]=1&plain[x]=2", &[("/plain/x", "duplicate")]),
            ("plain[x]=%FF", &[("/plain/x", "syntax")]),
            ("deep[x]=1&deep[x]=2&deep[more]=1&deep[more]=2", &[("/deep/x", "duplicate")]),
            ("deep=1", &[("/deep", "type")]),
            ("json=a", &[("/json", "syntax")]),
            ("json=%7B%22x%22:1,%22x%22:2%7D", &[("/json/x", "duplicate")]),
            ("json[x]=1", &[("/json", "type")]),
        ] {
            let faults = faults_of_form(&document, &schema, &pairs(text), &styles);
            let found: Vec<_> = faults.iter().map(|fault| (fault.pointer.as_str(), fault.rule)).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
