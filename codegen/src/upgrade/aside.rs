//! Sets parts of the tree aside while the object model is read: callbacks, in which it knows no `$ref` and no extension,
//! and the other files.

use serde_json::{Map, Value};

use super::bundle::FILES;
use crate::location;

/// What was taken out of a tree, and from where.
pub(super) struct Aside(Vec<(String, &'static str, Value)>);

/// Takes it out of the tree.
pub(super) fn take(tree: &mut Value) -> Aside {
    let mut aside = Vec::new();
    let mut take = |holder: &mut Map<String, Value>, name: &'static str, pointer: String| {
        if let Some(value) = holder.shift_remove(name) {
            aside.push((pointer, name, value));
        }
    };
    for (path, item) in objects(tree.get_mut("paths")) {
        for (method, operation) in objects(Some(item)) {
            if let Value::Object(operation) = operation {
                take(operation, "callbacks", pointer(&["paths", path, method]));
            }
        }
    }
    if let Some(Value::Object(components)) = tree.get_mut("components") {
        take(components, "callbacks", "/components".to_owned());
    }
    if let Value::Object(root) = tree {
        take(root, FILES, String::new());
    }
    Aside(aside)
}

/// Puts them back.
pub(super) fn put_back(tree: &mut Value, aside: Aside) {
    for (pointer, name, value) in aside.0 {
        if let Some(Value::Object(holder)) = tree.pointer_mut(&pointer) {
            holder.insert(name.to_owned(), value);
        }
    }
}

fn objects(value: Option<&mut Value>) -> impl Iterator<Item = (&String, &mut Value)> {
    value.and_then(Value::as_object_mut).into_iter().flatten()
}

fn pointer(names: &[&str]) -> String {
    let mut pointer = String::new();
    for name in names {
        location::push(&mut pointer, name);
    }
    pointer
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_was_taken_comes_back() {
        let mut tree = json!({
            "paths": {"/a/{b}": {"post": {"callbacks": {"done": {"$ref": "#/components/callbacks/done"}}}}, "x-a": 1},
            "components": {"callbacks": {"done": {"x-note": "here"}}, "schemas": {}},
            "x-codegen-files": {"a.yaml": 1},
        });
        let whole = tree.clone();
        let aside = take(&mut tree);
        assert_eq!(tree, json!({"paths": {"/a/{b}": {"post": {}}, "x-a": 1}, "components": {"schemas": {}}}));
        put_back(&mut tree, aside);
        assert_eq!(tree, whole);
    }
}
