//! Small changes of a JSON value, made without knowing its schema.

use serde_json::{Map, Value, json};

/// A small change of a JSON value.
#[derive(Clone, Debug)]
pub struct Mutation {
    /// Where the change is.
    pub pointer: String,
    /// The name of the change.
    pub name: &'static str,
    change: Change,
}

#[derive(Clone, Debug)]
enum Change {
    Put(Value),
    /// Removes the member of this name from the object.
    Remove {
        parent: String,
        name: String,
    },
}

impl Mutation {
    /// The changed value.
    pub fn apply(&self, value: &Value) -> Option<Value> {
        let mut changed = value.clone();
        match &self.change {
            Change::Put(new) => *changed.pointer_mut(&self.pointer)? = new.clone(),
            Change::Remove { parent, name } => {
                changed.pointer_mut(parent)?.as_object_mut()?.remove(name)?;
            }
        }
        Some(changed)
    }
}

/// All changes at all places of a value.
pub fn mutations(value: &Value) -> Vec<Mutation> {
    let mut mutations = Vec::new();
    walk(value, "", &mut mutations);
    mutations
}

fn walk(value: &Value, pointer: &str, mutations: &mut Vec<Mutation>) {
    let mut put = |name: &'static str, new: Value| {
        if new != *value {
            mutations.push(Mutation { pointer: pointer.to_owned(), name, change: Change::Put(new) });
        }
    };
    put("null", Value::Null);
    put("another type", if value.is_string() { json!(true) } else { json!("another type") });
    match value {
        Value::String(text) => {
            put("an empty text", json!(""));
            put("a long text", json!(text.repeat(1 + 6000 / text.len().max(1)) + &"x".repeat(6000)));
            put("a strange text", json!("\u{2603} ~ \u{2603}"));
        }
        Value::Number(number) => {
            put("a small number", json!(-1_000_000_000_000_i64));
            put("a large number", json!(9_000_000_000_000_i64));
            // Those are not integers of 32 bits.
            put("a smaller number", json!(-1000));
            put("a larger number", json!(1_000_000));
            put("a fraction", json!(number.as_f64().unwrap_or(0.0).trunc() + 0.37));
            put("a bit more", json!(number.as_i64().unwrap_or(0).saturating_add(1)));
        }
        Value::Array(items) => {
            put("no items", json!([]));
            if let Some(first) = items.first() {
                let again = |count| Value::Array(std::iter::repeat_n(first.clone(), count).collect());
                put("an item twice", again(2));
                put("many items", again(300));
            }
        }
        Value::Object(members) => {
            put("no members", json!({}));
            let mut more = members.clone();
            more.insert("zzUnknown".to_owned(), json!(1));
            put("an unknown member", Value::Object(more));
            let numbered = (0..300).map(|number| (format!("zz{number}"), json!(1)));
            put("many members", Value::Object(members.clone().into_iter().chain(numbered).collect::<Map<_, _>>()));
        }
        Value::Null | Value::Bool(_) => {}
    }
    match value {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                walk(item, &format!("{pointer}/{index}"), mutations);
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                let place = format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1"));
                let change = Change::Remove { parent: pointer.to_owned(), name: name.clone() };
                mutations.push(Mutation { pointer: place.clone(), name: "its absence", change });
                walk(member, &place, mutations);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
