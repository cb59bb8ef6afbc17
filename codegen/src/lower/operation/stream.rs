//! Streams: the schema of one event or line.

use super::media_type::is_json;
use crate::diagnostic::Code;
use crate::ir::{Type, Value};
use crate::lower::node::Node;
use crate::lower::reference::Resolver;
use crate::lower::schema::all_of::{Schema, resolved_schema};
use crate::lower::schema::reader::Reader;
use crate::lower::schema::types::{ARRAY, STRING, types};
use crate::lower::schema::value_at;

/// The fields of an event in the HTML Standard.
const FIELDS: [&str; 4] = ["data", "event", "id", "retry"];

/// The data of one event if it is JSON; `None` if it is text.
///
/// The schema describes a whole event if it is an object with `data` and only members that events have;
/// otherwise it describes the data.
pub(crate) fn event_data<'a>(reader: &mut Reader<'a>, media_type: &Node<'a>, hint: &str) -> Option<Value> {
    let item = stream_item(&mut reader.resolver, media_type)?;
    let schema = resolved_schema(&mut reader.resolver, &item);
    if has_event_kinds(&mut reader.resolver, &schema) {
        reader
            .report(Code::UntypedBody, &item.location, "kinds of events with different data are not distinguished")
            .label("the data of all events is passed on as text")
            .help("describe the data by one schema, a `oneOf` with a discriminator for example");
        return None;
    }
    let data = if is_event(&schema) { property(&schema, "data").unwrap_or(item) } else { item };
    let schema = resolved_schema(&mut reader.resolver, &data);
    let json = match types(&schema)[..] {
        [STRING] => {
            let media_type = schema.keyword("contentMediaType");
            let is_json = media_type.is_none_or(|node| node.value.as_str().is_some_and(is_json));
            schema.keyword("contentSchema").filter(|_| is_json)?
        }
        _ => data,
    };
    Some(value_at(reader, &json, hint)).filter(|value| value.ty != Type::Any)
}

/// One JSON text of a body.
pub(crate) fn json_line<'a>(reader: &mut Reader<'a>, media_type: &Node<'a>, hint: &str) -> Value {
    let Some(item) = stream_item(&mut reader.resolver, media_type) else { return Value::plain(Type::Any) };
    // The schema of a whole body may say that it is a text with lines.
    let is_whole = media_type.get("schema").is_some_and(|schema| schema.location == item.location);
    if is_whole && types(&resolved_schema(&mut reader.resolver, &item)) == [STRING] {
        return Value::plain(Type::Any);
    }
    value_at(reader, &item, hint)
}

/// The schema of an item. Before `itemSchema`, authors used `schema` for one item as well as for the list.
fn stream_item<'a>(resolver: &mut Resolver<'a>, media_type: &Node<'a>) -> Option<Node<'a>> {
    if let Some(item) = media_type.get("itemSchema") {
        return Some(item);
    }
    let whole = media_type.get("schema")?;
    let schema = resolved_schema(resolver, &whole);
    if types(&schema) == [ARRAY] { schema.keyword("items") } else { Some(whole) }
}

/// Whether there are several kinds of events, each with its own data.
fn has_event_kinds<'a>(resolver: &mut Resolver<'a>, schema: &Schema<'a>) -> bool {
    let variants: Vec<_> =
        schema.parts.iter().flat_map(|node| [node.items("oneOf"), node.items("anyOf")]).flatten().collect();
    variants.iter().any(|variant| {
        let variant = resolved_schema(resolver, variant);
        is_event(&variant)
    })
}

/// Whether the schema describes a whole event.
fn is_event(schema: &Schema<'_>) -> bool {
    let mut names = schema.parts.iter().flat_map(|node| node.members("properties")).map(|(name, _)| name).peekable();
    names.peek().is_some() && names.all(|name| FIELDS.contains(&name)) && property(schema, "data").is_some()
}

fn property<'a>(schema: &Schema<'a>, name: &str) -> Option<Node<'a>> {
    schema.parts.iter().find_map(|node| node.get("properties")?.get(name))
}
