//! The tree of a file as its authors mean it, with absolute references.

use serde_json::{Map, Value};

/// Makes every reference absolute and collects the files.
pub(super) fn spell_out(node: &mut Value, file: &str, files: &mut Vec<String>) {
    match node {
        Value::Object(members) => {
            any_of_items(members);
            null_variants(members);
            enum_of_items(members);
            required_booleans(members);
            if let Some(Value::String(reference)) = members.get_mut("$ref") {
                *reference = absolute(reference, file);
                let target = reference.split('#').next().unwrap_or_default();
                // A file on disk fetches nothing.
                if target != file && (!target.contains("://") || file.contains("://")) {
                    files.push(target.to_owned());
                }
            }
            if let Some(Value::Object(mapping)) =
                members.get_mut("discriminator").and_then(|discriminator| discriminator.get_mut("mapping"))
            {
                for target in mapping.values_mut() {
                    if let Value::String(target) = target
                        && (target.contains('#') || target.contains('/'))
                    {
                        *target = absolute(target, file);
                    }
                }
            }
            members.values_mut().for_each(|member| spell_out(member, file, files));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| spell_out(item, file, files)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// `required: [true]` is the property `on`, and `false` is `off`, as YAML 1.1 reads them; other booleans are
/// ignored (W0206).
fn required_booleans(members: &mut Map<String, Value>) {
    let names: Vec<String> =
        members.get("properties").and_then(Value::as_object).into_iter().flat_map(Map::keys).cloned().collect();
    let Some(Value::Array(required)) = members.get_mut("required") else { return };
    for name in required.iter_mut() {
        let Value::Bool(flag) = *name else { continue };
        let words = if flag { ["true", "on", "yes", "y"] } else { ["false", "off", "no", "n"] };
        let found = names.iter().find(|name| words.iter().any(|word| word.eq_ignore_ascii_case(name)));
        *name = found.map_or(Value::Null, |found| Value::String(found.clone()));
    }
    required.retain(|name| !name.is_null());
}

/// `{ nullable: true }` as a variant is `null`.
fn null_variants(members: &mut Map<String, Value>) {
    for word in ["oneOf", "anyOf"] {
        for variant in members.get_mut(word).and_then(Value::as_array_mut).into_iter().flatten() {
            let Some(only) = variant.as_object() else { continue };
            if only.get("nullable") == Some(&Value::Bool(true))
                && only.keys().all(|key| matches!(key.as_str(), "nullable" | "title" | "description"))
            {
                *variant = serde_json::json!({ "type": "null" });
            }
        }
    }
}

/// `items: [a, b]` is `anyOf`: of the items where there is an array, else of the values (W0206).
fn any_of_items(members: &mut Map<String, Value>) {
    if members.get("items").and_then(Value::as_array).is_none_or(Vec::is_empty) {
        return;
    }
    let is_array =
        ["type", "minItems", "maxItems", "uniqueItems", "anyOf"].iter().any(|name| members.contains_key(*name));
    let Some(list) = members.remove("items") else { return };
    if is_array {
        members.insert("items".to_owned(), serde_json::json!({ "anyOf": list }));
    } else {
        members.insert("anyOf".to_owned(), list);
    }
}

/// `type: array, items: { type: string }, enum: [a, b]` lists the values of the items (W0206).
fn enum_of_items(members: &mut Map<String, Value>) {
    let is_scalar = |value: &Value| value.is_string() || value.is_number() || value.is_boolean();
    let values = members.get("enum").and_then(Value::as_array);
    let is_meant = values.is_some_and(|values| !values.is_empty() && values.iter().all(is_scalar));
    if !is_meant || members.get("type").is_none_or(|ty| ty != "array") {
        return;
    }
    let Some(Value::Object(mut items)) = members.get("items").cloned() else { return };
    if items.contains_key("$ref") || items.get("type").is_some_and(|ty| ty == "array") {
        return;
    }
    if let Some(values) = members.remove("enum") {
        items.entry("enum").or_insert(values);
    }
    members.insert("items".to_owned(), Value::Object(items));
}

/// The reference with the path of its file.
pub(super) fn absolute(reference: &str, file: &str) -> String {
    let (path, fragment) = reference.split_once('#').unwrap_or((reference, ""));
    if path.is_empty() {
        return format!("{file}#{fragment}");
    }
    if path.contains("://") {
        return reference.to_owned();
    }
    let mut parts: Vec<&str> = file.split('/').collect();
    match path.strip_prefix('/') {
        // After the scheme and the host of a URL.
        Some(path) if file.contains("://") => return format!("{}/{path}#{fragment}", parts[..3].join("/")),
        _ => drop(parts.pop()),
    }
    for part in path.split('/') {
        match part {
            "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    format!("{}#{fragment}", parts.join("/"))
}
