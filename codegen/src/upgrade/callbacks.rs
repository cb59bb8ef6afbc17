//! Sets callbacks aside while the object model is read: it knows no `$ref` and no extension inside of them.

use serde_json::{Map, Value};

use crate::location;

/// The callbacks of a tree, and where they were.
pub(super) struct Aside(Vec<(String, Value)>);

/// Takes all callbacks out of the tree.
pub(super) fn take(tree: &mut Value) -> Aside {
    let mut aside = Vec::new();
    let mut take = |holder: &mut Map<String, Value>, pointer: String| {
        if let Some(callbacks) = holder.shift_remove("callbacks") {
            aside.push((pointer, callbacks));
        }
    };
    for (path, item) in objects(tree.get_mut("paths")) {
        for (method, operation) in objects(Some(item)) {
            if let Value::Object(operation) = operation {
                take(operation, pointer(&["paths", path, method]));
            }
        }
    }
    if let Some(Value::Object(components)) = tree.get_mut("components") {
        take(components, "/components".to_owned());
    }
    Aside(aside)
}

/// Puts them back.
pub(super) fn put_back(tree: &mut Value, aside: Aside) {
    for (pointer, callbacks) in aside.0 {
        if let Some(Value::Object(holder)) = tree.pointer_mut(&pointer) {
            holder.insert("callbacks".to_owned(), callbacks);
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
    fn callbacks_come_back() {
        let mut tree = json!({
            "paths": {"/a/{b}": {"post": {"callbacks": {"done": {"$ref": "#/components/callbacks/done"}}}}, "x-a": 1},
            "components": {"callbacks": {"done": {"x-note": "here"}}, "schemas": {}},
        });
        let whole = tree.clone();
        let aside = take(&mut tree);
        assert_eq!(tree, json!({"paths": {"/a/{b}": {"post": {}}, "x-a": 1}, "components": {"schemas": {}}}));
        put_back(&mut tree, aside);
        assert_eq!(tree, whole);
    }
}
