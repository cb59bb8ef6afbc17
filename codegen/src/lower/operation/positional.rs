//! Multipart bodies of parts without names, which are told apart by their position.

use super::content::Within;
use super::encoding::{OF_STYLE, report_unused};
use super::multipart::{By, PartName, part_rules, read_part};
use crate::diagnostic::Code;
use crate::ir::{Multipart, Name, Part, Rule, Type, Value};
use crate::lower::name;
use crate::lower::node::Node;
use crate::lower::reference::Resolver;
use crate::lower::schema::all_of::{Schema, resolved_schema};
use crate::lower::schema::json_schema::KEYWORDS;
use crate::lower::schema::reader::Reader;
use crate::lower::schema::types::{ARRAY, OBJECT, types};

/// The names of the first parts; those after them are numbered.
const NAMES: [&str; 8] = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"];

/// Whether the parts of a body have no names: it has `itemSchema`, or its schema is an array. Those of a form always have names.
pub(super) fn is_positional<'a>(resolver: &mut Resolver<'a>, media_type: &Node<'a>, essence: &str) -> bool {
    if !essence.starts_with("multipart/") || essence == "multipart/form-data" {
        return false;
    }
    let mut says =
        |ty| media_type.get("schema").is_some_and(|schema| types(&resolved_schema(resolver, &schema)) == [ty]);
    if media_type.has("itemSchema") { !says(OBJECT) } else { says(ARRAY) }
}

/// Reads the parts of a body without names.
pub(super) fn read_positional<'a>(
    reader: &mut Reader<'a>,
    media_type: &Node<'a>,
    within: Within,
    hint: &str,
) -> Multipart {
    let list = media_type.get("schema").map(|schema| resolved_schema(&mut reader.resolver, &schema));
    let of_list = |keyword| list.as_ref().and_then(|list: &Schema<'a>| list.keyword(keyword));
    let schemas = list.iter().flat_map(|list| &list.parts).map(|node| node.items("prefixItems"));
    let schemas = schemas.max_by_key(Vec::len).unwrap_or_default();
    let items = media_type.get("itemSchema").or_else(|| of_list("items"));
    let (encodings, item_encoding) = (media_type.items("prefixEncoding"), media_type.get("itemEncoding"));
    let rules = list.as_ref().map_or_else(Vec::new, |list| {
        // Servers check requests.
        if within == Within::Request {
            report_unchecked(reader, list);
        }
        part_rules(&mut reader.resolver.reporter, list)
    });
    let least = rules.iter().find_map(|rule| if let Rule::MinItems(least) = rule { Some(*least) } else { None });
    let closed = !schemas.is_empty() && items.as_ref().is_some_and(|items| items.value.as_bool() == Some(false));
    let count = schemas.len().max(if closed { 0 } else { encodings.len() });

    let mut parts = Vec::new();
    for index in 0..count {
        let schema = schemas.get(index).or(items.as_ref());
        let encoding = encodings.get(index).or(item_encoding.as_ref());
        let word = NAMES.get(index).map_or_else(|| format!("part_{}", index + 1), |word| (*word).to_owned());
        let required = least.is_some_and(|least| (index as u64) < least);
        let mut part = positional_part(reader, &word, index, schema, required, encoding, hint);
        part.field.doc.get_or_insert_with(|| format!("The part at position {index}."));
        parts.push(part);
    }
    // Without `items`, parts after described ones may be there, but nothing says what they are.
    let is_described = items.is_some() || item_encoding.is_some() || count == 0;
    if !closed && is_described {
        let word = if count == 0 { "item" } else { "rest" };
        let mut part = positional_part(reader, word, count, items.as_ref(), false, item_encoding.as_ref(), hint);
        if count == 0 {
            "items".clone_into(&mut part.field.name.rust);
        } else {
            part.field.doc.get_or_insert_with(|| "The parts after them.".to_owned());
        }
        let item = std::mem::replace(&mut part.field.value, Value::plain(Type::Any));
        part.field.value = Value::plain(Type::Array(Box::new(item)));
        parts.push(Part { repeated: true, ..part });
    }
    Multipart { parts, closed, positional: true, rules, part_rust: format!("{hint}Part") }
}

fn positional_part<'a>(
    reader: &mut Reader<'a>,
    word: &str,
    index: usize,
    schema: Option<&Node<'a>>,
    required: bool,
    encoding: Option<&Node<'a>>,
    hint: &str,
) -> Part {
    if let Some(encoding) = encoding {
        report_unused(&mut reader.resolver, encoding, &OF_STYLE);
    }
    // Models are named after the word, as those of members are.
    let field = Name { wire: word.to_owned(), rust: word.to_owned() };
    let name = PartName { field, variant: name::pascal(word) };
    let nodes = schema.map(std::slice::from_ref).unwrap_or_default();
    let mut part = read_part(reader, name, nodes, required, encoding, By::Position, hint);
    part.field.name.wire = index.to_string();
    part
}

/// Reports rules for the list of all parts, which is never in memory.
fn report_unchecked(reader: &mut Reader<'_>, list: &Schema<'_>) {
    for node in &list.parts {
        for found in KEYWORDS.iter().filter_map(|keyword| node.get(keyword)).filter(|found| !found.value.is_boolean()) {
            let message = "this rule of a multipart body is not checked";
            reader.report(Code::UncheckedConstraint, &found.location.name(), message);
        }
    }
}
