//! The visitor that both parsers fill: refuses duplicate names, merges `<<`, bounds alias expansion.

use std::cell::{Cell, RefCell};
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, VariantAccess, Visitor};
use serde_json::map::Entry;
use serde_json::{Map, Number, Value};

use crate::location::Path;

/// The syntax of the text; `<<` has a meaning only in YAML.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Syntax {
    Json,
    Yaml,
}

/// Problems noticed while the tree is built; reading continues.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Problem {
    /// The member at this pointer appears more than once.
    Duplicate(String, String),
    /// The value of the merge key at this pointer cannot be merged.
    Merge(String),
    /// The aliases of the document expand to far more than its text.
    TooLarge,
}

/// The state of reading one text.
pub(super) struct Reading {
    syntax: Syntax,
    /// Nodes that may still be created. A text of n bytes has fewer than n nodes, so only aliases can exhaust
    /// it.
    budget: Cell<usize>,
    problems: RefCell<Vec<Problem>>,
}

impl Reading {
    /// Prepares to read a text of this many bytes.
    pub(super) fn new(syntax: Syntax, bytes: usize) -> Self {
        Self { syntax, budget: Cell::new(bytes + 1_000_000), problems: RefCell::default() }
    }

    /// Reads the whole document.
    pub(super) fn root(&self) -> Node<'_> {
        Node { reading: self, path: Path::Root }
    }

    /// The problems noticed.
    pub(super) fn problems(&self) -> Vec<Problem> {
        self.problems.borrow().clone()
    }

    fn note(&self, problem: Problem) {
        self.problems.borrow_mut().push(problem);
    }
}

/// Reads one node and all below it.
pub(super) struct Node<'a> {
    reading: &'a Reading,
    path: Path<'a>,
}

impl<'de> DeserializeSeed<'de> for Node<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        let Some(budget) = self.reading.budget.get().checked_sub(1) else {
            self.reading.note(Problem::TooLarge);
            return Err(D::Error::custom("too large"));
        };
        self.reading.budget.set(budget);
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Node<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i128<E>(self, value: i128) -> Result<Value, E> {
        Ok(wide(&value.to_string()))
    }

    fn visit_u128<E>(self, value: u128) -> Result<Value, E> {
        Ok(wide(&value.to_string()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        // JSON has no infinity; YAML's is kept as text.
        Ok(Number::from_f64(value).map_or_else(|| Value::String(value.to_string()), Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    /// A custom YAML tag, as in `!include x`, is ignored; its value is read.
    fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<Value, A::Error> {
        let (_tag, tagged) = data.variant::<String>()?;
        tagged.newtype_variant_seed(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut array = Vec::new();
        while let Some(item) =
            items.next_element_seed(Node { reading: self.reading, path: Path::Item(&self.path, array.len()) })?
        {
            array.push(item);
        }
        Ok(Value::Array(array))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        let mut merged = Vec::new();
        while let Some(name) = members.next_key_seed(Name)? {
            let path = Path::Member(&self.path, &name);
            let value = members.next_value_seed(Node { reading: self.reading, path })?;
            if name == "<<" && self.reading.syntax == Syntax::Yaml {
                merged.push(value);
                continue;
            }
            match object.entry(name) {
                Entry::Vacant(entry) => {
                    entry.insert(value);
                }
                Entry::Occupied(entry) => {
                    let pointer = Path::Member(&self.path, entry.key()).pointer();
                    self.reading.note(Problem::Duplicate(pointer, entry.key().clone()));
                }
            }
        }
        for value in merged {
            if !merge(&mut object, value) {
                self.reading.note(Problem::Merge(Path::Member(&self.path, "<<").pointer()));
            }
        }
        Ok(Value::Object(object))
    }
}

/// A member name as written: `200:` and `no:` are the names `200` and `no`.
struct Name;

impl<'de> DeserializeSeed<'de> for Name {
    type Value = String;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<String, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Name {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E>(self, name: &str) -> Result<String, E> {
        Ok(name.to_owned())
    }

    fn visit_string<E>(self, name: String) -> Result<String, E> {
        Ok(name)
    }
}

/// An integer beyond 64 bits, rounded to `f64`; nothing wider is representable.
fn wide(digits: &str) -> Value {
    digits.parse().ok().and_then(Number::from_f64).map_or_else(|| Value::String(digits.to_owned()), Value::Number)
}

/// The object's own members win, then those of the earlier merge. `false`: the value cannot be merged.
fn merge(object: &mut Map<String, Value>, value: Value) -> bool {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                object.entry(name).or_insert(value);
            }
            true
        }
        Value::Array(items) => items.into_iter().all(|item| item.is_object() && merge(object, item)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn yaml(text: &str) -> (Value, Vec<Problem>) {
        let reading = Reading::new(Syntax::Yaml, text.len());
        let tree = reading.root().deserialize(serde_yaml::Deserializer::from_str(text)).unwrap_or(Value::Null);
        (tree, reading.problems())
    }

    #[test]
    fn names_are_text() {
        let text = "200: a\nno: b\n1.10: c\n~: d\ntrue: e\n";
        assert_eq!(yaml(text), (json!({"200": "a", "no": "b", "1.10": "c", "~": "d", "true": "e"}), vec![]));
    }

    #[test]
    fn scalars_are_those_of_the_core_schema() {
        let text = "[no, on, 2020-01-01, 0x10, 0o17, 1_000, 18446744073709551615, 1e3, ~, 'null', 012, !own x, .inf]";
        let tree =
            json!(["no", "on", "2020-01-01", 16, 15, "1_000", u64::MAX, 1000.0, null, "null", "012", "x", "inf"]);
        assert_eq!(yaml(text).0, tree);
    }

    #[test]
    fn merge_keys_fill_what_is_missing() {
        let text = "a: &a {x: 1, y: 2}\nb: &b {y: 3, z: 4}\nc: {<<: [*a, *b], x: 0}\n";
        assert_eq!(yaml(text).0["c"], json!({"x": 0, "y": 2, "z": 4}));
        assert_eq!(yaml("c: {<<: 1}").1, [Problem::Merge("/c/<<".to_owned())]);
    }

    #[test]
    fn duplicates_are_all_found() {
        let (_, problems) = yaml("a: {b: 1, b: 2}\nc: [{d: 1, d: 1}]\n");
        let found = [("/a/b", "b"), ("/c/0/d", "d")];
        assert_eq!(problems, found.map(|(pointer, name)| Problem::Duplicate(pointer.to_owned(), name.to_owned())));
    }

    #[test]
    fn aliases_have_a_budget() {
        let text = format!("a: &a [{}]\nb: [{}]\n", "x,".repeat(10_000), "*a,".repeat(200));
        assert_eq!(yaml(&text).1, [Problem::TooLarge]);
    }
}
