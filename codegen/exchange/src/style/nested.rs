//! Members of forms in brackets: `owner[name]=a`, `lines[0][price]=1`, `tags[]=a`.

use std::collections::BTreeMap;

use serde_json::Value;

use super::reading::Reading;
use super::types::{items, member, properties, types};
use super::{Style, unescaped};
use crate::document::Document;

/// Maximum number of brackets in a name.
const DEEPEST: usize = 32;

/// The texts of a member, or its members by name.
enum Node {
    Texts(Vec<String>),
    Members(BTreeMap<String, Node>),
}

/// The names of pairs that are read as members of objects and lists, and the values of these.
pub(crate) fn nested(
    document: &Document,
    schema: &Value,
    pairs: &[(String, String)],
    styles: &[(String, Style)],
) -> (Vec<String>, Vec<(String, Value)>) {
    let mut described = Vec::new();
    properties(document, schema, &mut described, 0);
    let mut names = Vec::new();
    let mut nodes = BTreeMap::new();
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
            let node = nodes.entry(outer.to_owned()).or_insert_with(|| Node::Members(BTreeMap::new()));
            insert(node, &path, unescaped(raw));
            names.push(name);
        }
    }
    let values = nodes.into_iter().map(|(name, node)| {
        let value = value(document, member(document, schema, &name, 0), node);
        (name, value)
    });
    (names, values.collect())
}

fn insert(node: &mut Node, path: &[&str], text: String) {
    match (node, path) {
        (Node::Texts(texts), []) => texts.push(text),
        (Node::Members(members), [first, rest @ ..]) => {
            let empty = || if rest.is_empty() { Node::Texts(Vec::new()) } else { Node::Members(BTreeMap::new()) };
            insert(members.entry((*first).to_owned()).or_insert_with(empty), rest, text);
        }
        // A text and members of one name do not go together.
        (Node::Texts(_), _) | (Node::Members(_), []) => {}
    }
}

fn value(document: &Document, schema: &Value, node: Node) -> Value {
    let types = types(document, schema, 0);
    let reading = Reading { document, schema, types, prefers_text: false };
    match node {
        Node::Texts(texts) if types.array => reading.list(&texts),
        Node::Texts(texts) => reading.scalar(&texts.concat(), types),
        Node::Members(members) if types.array => {
            let mut numbered: Vec<_> = members.into_iter().collect();
            numbered.sort_by_key(|(index, _)| index.parse().unwrap_or(u32::MAX));
            let list = numbered.into_iter().flat_map(|(index, node)| match node {
                Node::Texts(texts) if index.is_empty() => {
                    texts.into_iter().map(|text| Node::Texts(vec![text])).collect()
                }
                node => vec![node],
            });
            list.map(|node| value(document, items(document, schema), node)).collect()
        }
        Node::Members(members) => members
            .into_iter()
            .map(|(name, node)| {
                let value = value(document, member(document, schema, &name, 0), node);
                (name, value)
            })
            .collect(),
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
