//! The variants of a multipart body, `oneOf` and `anyOf`: a stream of parts ends before the variant is known, so all their
//! parts are read.

use foldhash::{HashMap, HashSet};
use indexmap::IndexMap;
use serde_json::Value as Json;

use super::part_kind;
use crate::ir::{IntegerKind, PartKind, Type};
use crate::lower::node::Node;
use crate::lower::reference::Resolver;
use crate::lower::schema::all_of::{Schema, resolved_schema};
use crate::lower::schema::object::properties;
use crate::lower::schema::types::{BOOLEAN, INTEGER, NUMBER, STRING, types};

/// Keywords that do not change what a part may be.
const ANNOTATIONS: [&str; 6] = ["title", "description", "example", "examples", "default", "deprecated"];

/// The members of a body and of all its variants.
#[derive(Clone)]
pub(super) struct Members<'a> {
    /// Each with all its schemas.
    pub(super) schemas: IndexMap<&'a str, Vec<Node<'a>>>,
    pub(super) required: HashSet<&'a str>,
    /// Members that variants describe differently, with each description.
    pub(super) mixed: HashMap<&'a str, Vec<Vec<Node<'a>>>>,
}

/// What a part is whose descriptions differ.
pub(super) enum Mixed<'a> {
    /// A file by one of the descriptions.
    File(Vec<Node<'a>>),
    /// A text by each of them.
    Text(Type),
    /// Any JSON.
    Json,
}

impl<'a> Members<'a> {
    /// The members of a body. `known` has the visited variants, by pointer, because variants may refer back to each other.
    pub(super) fn of(
        resolver: &mut Resolver<'a>,
        schema: &Schema<'a>,
        known: &mut HashMap<String, Members<'a>>,
    ) -> Members<'a> {
        let pointer = schema.place.location.pointer();
        if let Some(all) = known.get(pointer) {
            return all.clone();
        }
        let (schemas, required) = properties(&mut resolver.reporter, schema);
        let mut all = Members { schemas, required, mixed: HashMap::default() };
        known.insert(pointer.to_owned(), all.clone());
        for (node, keyword) in lists(schema) {
            let mut in_every_variant: Option<HashSet<&str>> = None;
            for variant in node.items(keyword) {
                let variant = resolved_schema(resolver, &variant);
                let variant = Members::of(resolver, &variant, known);
                let is_required = |name: &&str| variant.required.contains(*name);
                in_every_variant = Some(match in_every_variant {
                    None => variant.required.clone(),
                    Some(before) => before.into_iter().filter(is_required).collect(),
                });
                all.add(variant);
            }
            all.required.extend(in_every_variant.unwrap_or_default());
        }
        known.insert(pointer.to_owned(), all.clone());
        all
    }

    /// Adds the members of a variant.
    fn add(&mut self, variant: Members<'a>) {
        for (name, nodes) in variant.schemas {
            let before = self.schemas.entry(name).or_default();
            // A variant may require a part that another one describes.
            if before.is_empty() {
                before.clone_from(&nodes);
            }
            if nodes.is_empty() {
                continue;
            }
            let mut other = variant.mixed.get(name).cloned().unwrap_or_else(|| vec![nodes]);
            let said = self.mixed.get(name).cloned().unwrap_or_else(|| vec![before.clone()]);
            other.retain(|other| !said.iter().any(|said| is_same(said, other)));
            if said.len() + other.len() > 1 {
                self.mixed.insert(name, said.into_iter().chain(other).collect());
            }
        }
    }
}

/// The nodes and keywords with the variants of a body.
pub(super) fn lists<'a>(schema: &Schema<'a>) -> Vec<(Node<'a>, &'static str)> {
    let lists = schema.parts.iter().flat_map(|node| ["oneOf", "anyOf"].map(|keyword| (node.clone(), keyword)));
    lists.filter(|(node, keyword)| !node.items(keyword).is_empty()).collect()
}

/// Whether both say the same, except for annotations.
fn is_same(one: &[Node<'_>], other: &[Node<'_>]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| said(one.value) == said(other.value))
}

fn said(schema: &Json) -> Vec<(&String, &Json)> {
    let members = schema.as_object().into_iter().flatten();
    members.filter(|(keyword, _)| !ANNOTATIONS.contains(&keyword.as_str())).collect()
}

/// What the part is, by all its descriptions.
pub(super) fn mixed<'a>(resolver: &mut Resolver<'a>, descriptions: &[Vec<Node<'a>>]) -> Mixed<'a> {
    let mut text: Option<&'static str> = None;
    let mut is_text = true;
    for nodes in descriptions {
        let Some(node) = nodes.first() else { return Mixed::Json };
        match part_kind(resolver, node, None) {
            PartKind::File => return Mixed::File(nodes.clone()),
            PartKind::Json => is_text = false,
            PartKind::Text => {
                let ty = text_type(&resolved_schema(resolver, node));
                is_text &= ty.is_some() && (text.is_none() || text == ty);
                text = ty;
            }
        }
    }
    let ty = match text.filter(|_| is_text) {
        Some(STRING) => Type::String,
        Some(INTEGER) => Type::Integer(IntegerKind::I64),
        Some(NUMBER) => Type::Double,
        Some(BOOLEAN) => Type::Boolean,
        _ => return Mixed::Json,
    };
    Mixed::Text(ty)
}

/// The type of a text; that of an enum without a type is that of its values.
fn text_type(schema: &Schema<'_>) -> Option<&'static str> {
    if let [only] = types(schema)[..] {
        return Some(only);
    }
    let values = schema.keyword("enum")?;
    values.value.as_array()?.iter().all(Json::is_string).then_some(STRING)
}
