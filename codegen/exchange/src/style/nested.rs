//! Members of forms in brackets: `owner[name]=a`, `lines[0][price]=1`, `tags[]=a`.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::reading::Reading;
use super::types::{items as items_of, member, properties, types};
use super::{Style, fault_of_texts, unescaped};
use crate::document::Document;
use crate::fault::Fault;

/// Maximum number of brackets in a name.
const DEEPEST: usize = 32;

/// The texts of a member, percent-encoded, or its members by name.
pub(super) enum Node {
    Texts(Vec<String>),
    Members(BTreeMap<String, Node>),
}

/// The members of a form that are written in brackets.
pub(crate) struct Nested {
    /// The names of the pairs.
    pub(crate) names: Vec<String>,
    nodes: BTreeMap<String, Node>,
}

impl Nested {
    /// Those of the pairs, without members with a style of their own.
    pub(crate) fn of(
        document: &Document,
        schema: &Value,
        pairs: &[(String, String)],
        styles: &[(String, Style)],
    ) -> Self {
        let mut described = Vec::new();
        properties(document, schema, &mut described, 0);
        let mut nested = Self { names: Vec::new(), nodes: BTreeMap::new() };
        for (name, raw) in pairs {
            let name = unescaped(name);
            let Some((outer, inner)) = name.split_once('[') else { continue };
            let Some(inner) = inner.strip_suffix(']') else { continue };
            let has_members = || {
                let types = types(document, member(document, schema, outer, 0), 0);
                types.object || types.array
            };
            if described.contains(&name) || styles.iter().any(|(styled, _)| styled == outer) {
                continue;
            }
            let path: Vec<&str> = inner.split("][").collect();
            if path.len() <= DEEPEST && (described.iter().any(|name| name == outer) || has_members()) {
                let node = nested.nodes.entry(outer.to_owned()).or_insert_with(Node::empty);
                node.insert(&path, raw);
                nested.names.push(name);
            }
        }
        nested
    }

    /// The values of the members.
    pub(crate) fn values(&self, document: &Document, schema: &Value) -> Map<String, Value> {
        let value =
            |(name, node): (&String, &Node)| (name.clone(), node.value(document, member(document, schema, name, 0)));
        self.nodes.iter().map(value).collect()
    }

    /// What is wrong with the texts of the members, with their pointers.
    pub(crate) fn faults(&self, document: &Document, schema: &Value) -> Vec<Fault> {
        let mut faults = Vec::new();
        for (name, node) in &self.nodes {
            node.faults(document, member(document, schema, name, 0), &format!("/{name}"), &mut faults);
        }
        faults
    }
}

/// The members of a parameter: `name[member]=text`. `others`: the names of other parameters.
pub(super) fn deep(name: &str, pairs: &[(String, String)], others: &[&str]) -> Option<Node> {
    let mut node = None;
    for (key, raw) in pairs {
        let key = unescaped(key);
        let path = key.strip_prefix(name).and_then(|rest| rest.strip_prefix('[')?.strip_suffix(']'));
        let Some(path) = path.filter(|_| !others.contains(&key.as_str())) else { continue };
        let path: Vec<&str> = path.split("][").collect();
        if path.len() <= DEEPEST {
            node.get_or_insert_with(Node::empty).insert(&path, raw);
        }
    }
    node
}

impl Node {
    fn empty() -> Self {
        Self::Members(BTreeMap::new())
    }

    fn insert(&mut self, path: &[&str], raw: &str) {
        match (&mut *self, path) {
            // `name[]=a` is another item of the list.
            (Self::Texts(texts), [] | [""]) => texts.push(raw.to_owned()),
            (Self::Texts(texts), path) => {
                let texts = Self::Texts(std::mem::take(texts));
                *self = Self::Members(BTreeMap::from([(String::new(), texts)]));
                self.insert(path, raw);
            }
            (Self::Members(_), []) => self.insert(&[""], raw),
            (Self::Members(members), [first, rest @ ..]) => {
                let empty = || if matches!(rest, [] | [""]) { Self::Texts(Vec::new()) } else { Self::empty() };
                members.entry((*first).to_owned()).or_insert_with(empty).insert(rest, raw);
            }
        }
    }

    /// The value of the texts and members.
    pub(super) fn value(&self, document: &Document, schema: &Value) -> Value {
        let types = types(document, schema, 0);
        let reading = Reading { document, schema, types, prefers_text: false };
        let texts = |raw: &[String]| raw.iter().map(|raw| unescaped(raw)).collect::<Vec<_>>();
        match self {
            Self::Texts(raw) if types.array => reading.list(&texts(raw)),
            Self::Texts(raw) => reading.scalar(&texts(raw).concat(), types),
            Self::Members(members) if types.array => {
                let mut numbered: Vec<_> = members.iter().collect();
                numbered.sort_by_key(|(index, _)| index.parse().unwrap_or(u32::MAX));
                let mut list = Vec::new();
                for (index, node) in numbered {
                    match node {
                        Self::Texts(raw) if index.is_empty() => {
                            let items = raw.iter().map(|raw| Self::Texts(vec![raw.clone()]));
                            list.extend(items.map(|item| item.value(document, items_of(document, schema))));
                        }
                        node => list.push(node.value(document, items_of(document, schema))),
                    }
                }
                Value::Array(list)
            }
            Self::Members(members) => members
                .iter()
                .map(|(name, node)| (name.clone(), node.value(document, member(document, schema, name, 0))))
                .collect(),
        }
    }

    /// Adds what is wrong with the texts, with their pointers.
    pub(super) fn faults(&self, document: &Document, schema: &Value, pointer: &str, faults: &mut Vec<Fault>) {
        let types = types(document, schema, 0);
        match self {
            Self::Texts(raw) => {
                let raw: Vec<&str> = raw.iter().map(String::as_str).collect();
                faults.extend(fault_of_texts(types.is_one(), &raw).map(|fault| fault.below(pointer)));
            }
            Self::Members(members) => {
                for (name, node) in members {
                    let inner = match (types.array, name.is_empty()) {
                        (true, true) => schema,
                        (true, false) => items_of(document, schema),
                        (false, _) => member(document, schema, name, 0),
                    };
                    node.faults(document, inner, &format!("{pointer}/{name}"), faults);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::check::form;

    #[test]
    fn members_in_brackets_are_those_of_objects_and_lists() {
        let place =
            json!({ "type": "object", "properties": { "name": { "type": "string" }, "size": { "type": "integer" } } });
        let schema = json!({ "type": "object", "properties": {
            "owner": place, "lines": { "type": "array", "items": place }, "tags": { "type": "array", "items": { "type": "integer" } },
            "note": {}, "a[b]": { "type": "integer" },
        } });
        let document = Document::of(json!({ "openapi": "3.1.0", "paths": {} }));
        for (text, expected) in [
            ("owner[name]=1&owner[size]=2", json!({ "owner": { "name": "1", "size": 2 } })),
            ("owner%5Bname%5D=a", json!({ "owner": { "name": "a" } })),
            (
                "lines[10][size]=3&lines[2][size]=1&lines[2][name]=b",
                json!({ "lines": [{ "name": "b", "size": 1 }, { "size": 3 }] }),
            ),
            ("tags[]=1&tags[]=2", json!({ "tags": [1, 2] })),
            ("tags[0]=1&tags[1]=2", json!({ "tags": [1, 2] })),
            ("note[a][b]=c", json!({ "note": { "a": { "b": "c" } } })),
            ("a[b]=1&c[d]=e", json!({ "a[b]": 1, "c[d]": "e" })),
            ("owner={\"size\":2}", json!({ "owner": { "size": 2 } })),
        ] {
            let pairs = text.split('&').filter_map(|pair| pair.split_once('='));
            let pairs: Vec<_> = pairs.map(|(name, text)| (name.to_owned(), text.to_owned())).collect();
            assert_eq!(Value::Object(form(&document, &schema, &pairs, &[])), expected, "{text}");
        }
    }
}
