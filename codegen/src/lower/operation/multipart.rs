//! Multipart bodies: a part per member, with its `encoding`.

mod together;
mod variants;

use foldhash::HashMap;

use self::variants::{Members, Mixed};
use super::content::Within;
use super::encoding::{is_exploded, names_of_texts, report_unused, style_of};
use super::header::is_header_name;
use super::media_type::is_binary_at;
use super::parameter_shape::{is_list_of_texts, is_text};
use crate::diagnostic::Code;
use crate::ir::{Field, Multipart, Name, ParameterStyle, Part, PartHeader, PartKind, Presence, Rule, Type, Value};
use crate::lower::name;
use crate::lower::node::Node;
use crate::lower::reference::{Resolver, follow};
use crate::lower::reporter::Reporter;
use crate::lower::schema::all_of::{Schema, resolved_schema};
use crate::lower::schema::field::{combined_access, read_field};
use crate::lower::schema::map::closes;
use crate::lower::schema::object::field_names;
use crate::lower::schema::primitive::{array_rules, object_rules};
use crate::lower::schema::reader::Reader;
use crate::lower::schema::types::{ARRAY, BOOLEAN, INTEGER, NUMBER, STRING, types};
use crate::lower::schema::value_at;
use crate::upgrade::Version;

/// Keywords for an object as a whole.
const OF_OBJECTS: [&str; 4] = ["minProperties", "maxProperties", "propertyNames", "patternProperties"];

/// The names of a part: struct field and variant of the receiver's enum.
pub(super) struct PartName {
    pub(super) field: Name,
    pub(super) variant: String,
}

/// How parts are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum By {
    /// A list is several parts with one name.
    Name,
    /// A list is one part.
    Position,
}

/// Reads the parts of a body with this schema.
pub(crate) fn read_multipart<'a>(
    reader: &mut Reader<'a>,
    schema: &Node<'a>,
    encoding: Option<&Node<'a>>,
    within: Within,
    hint: &str,
) -> Multipart {
    let schema = resolved_schema(&mut reader.resolver, schema);
    let members = Members::of(&mut reader.resolver, &schema, &mut HashMap::default());
    let closed = schema.parts.iter().any(closes);
    let names = field_names(&mut reader.resolver, &mut reader.overrides, &members.schemas, &mut name::Scope::default());
    let wanted: Vec<_> = names.iter().map(|name| name::pascal(name)).collect();
    let variants = name::unique(&wanted, &mut name::Scope::default());
    let mut parts = Vec::new();
    for (((wire, nodes), rust), variant) in members.schemas.iter().zip(names).zip(variants) {
        let is_required = members.required.contains(*wire);
        let encoding = encoding.and_then(|encoding| encoding.get(wire));
        let name = PartName { field: Name { wire: (*wire).to_owned(), rust }, variant };
        let mut part = match members.mixed.get(*wire) {
            Some(descriptions) => read_mixed(reader, name, descriptions, is_required, encoding.as_ref(), hint),
            None => read_part(reader, name, nodes, is_required, encoding.as_ref(), By::Name, hint),
        };
        let access = combined_access(&mut reader.resolver, &schema, wire, &part.field);
        part.field.read_only = access.read_only;
        part.field.write_only = access.write_only;
        parts.push(part);
    }
    let mut rules = if closed { object_rules(&schema) } else { Vec::new() };
    rules.retain(|rule| !matches!(rule, Rule::MinProperties(least) if *least <= members.required.len() as u64));
    // Servers check requests.
    if within == Within::Request {
        report_unchecked_parts(&mut reader.resolver.reporter, &schema, closed, members.required.len());
        rules.extend(together::rules(&mut reader.resolver, &schema, &members, &parts, closed));
    }
    parts.retain(|part| match within {
        Within::Request => !part.field.read_only,
        Within::Response => !part.field.write_only,
    });
    Multipart { parts, closed, positional: false, rules, part_rust: format!("{hint}Part") }
}

/// Whether a multipart body with this schema has named parts.
pub(crate) fn has_parts<'a>(resolver: &mut Resolver<'a>, schema: &Node<'a>) -> bool {
    let schema = resolved_schema(resolver, schema);
    !Members::of(resolver, &schema, &mut HashMap::default()).schemas.is_empty()
}

/// A part that variants describe in several ways; which of them goes with the other parts is a rule of the body.
fn read_mixed<'a>(
    reader: &mut Reader<'a>,
    name: PartName,
    descriptions: &[Vec<Node<'a>>],
    required: bool,
    encoding: Option<&Node<'a>>,
    hint: &str,
) -> Part {
    let (kind, ty) = match variants::mixed(&mut reader.resolver, descriptions) {
        Mixed::File(nodes) => return read_part(reader, name, &nodes, required, encoding, By::Name, hint),
        Mixed::Text(ty) => (PartKind::Text, ty),
        Mixed::Json => (PartKind::Json, Type::Any),
    };
    let field = read_field(reader, name.field, &[], required, hint);
    Part {
        field: Field { value: Value::plain(ty), ..field },
        variant: name.variant,
        kind,
        repeated: false,
        rules: Vec::new(),
        content_types: content_types(encoding),
        style: None,
        headers: encoding.map_or_else(Vec::new, |encoding| part_headers(&mut reader.resolver, encoding)),
    }
}

/// One part, described by these nodes.
pub(super) fn read_part<'a>(
    reader: &mut Reader<'a>,
    name: PartName,
    nodes: &[Node<'a>],
    required: bool,
    encoding: Option<&Node<'a>>,
    by: By,
    hint: &str,
) -> Part {
    let mut field = read_field(reader, name.field, nodes, required, hint);
    // Parts are never `null`.
    field.presence = if required { Presence::Required } else { Presence::Optional };
    field.value.nullable = false;
    if let Some(encoding) = encoding {
        // A part that is multipart itself is a file.
        report_unused(&mut reader.resolver, encoding, &["encoding", "prefixEncoding", "itemEncoding"]);
    }
    let styled = encoding.filter(|_| by == By::Name);
    let style = styled.and_then(|encoding| part_style(reader, encoding, &field.value.ty));
    // With a style, the type has no meaning.
    let content_types = content_types(encoding.filter(|_| style.is_none()));
    let headers = encoding.map_or_else(Vec::new, |encoding| part_headers(&mut reader.resolver, encoding));
    let part = Part {
        field,
        variant: name.variant,
        kind: PartKind::Text,
        repeated: false,
        rules: Vec::new(),
        content_types,
        style,
        headers,
    };
    if style.is_some() {
        return part;
    }
    let Part { mut field, content_types, .. } = part;
    let member = nodes.first().map(|first| resolved_schema(&mut reader.resolver, first));
    let is_array = by == By::Name && member.as_ref().is_some_and(|member| types(member) == [ARRAY]);
    let rules = member
        .as_ref()
        .filter(|_| is_array)
        .map_or_else(Vec::new, |member| part_rules(&mut reader.resolver.reporter, member));
    let item = if is_array { member.and_then(|member| member.keyword("items")) } else { nodes.first().cloned() };
    let content_type = content_types.first().map(String::as_str);
    let kind = item.as_ref().map_or(PartKind::File, |item| part_kind(&mut reader.resolver, item, content_type));
    if kind == PartKind::File {
        let file = Value::plain(Type::Binary);
        let ty = if is_array { Type::Array(Box::new(file)) } else { Type::Binary };
        field.value = Value { ty, ..field.value };
        field.constant = None;
    } else if let Some(item) = item.filter(|_| is_array && !matches!(field.value.ty, Type::Array(_))) {
        // The items of a list are parts, even behind an alias.
        let item = value_at(reader, &item, &format!("{hint}{}Item", name::pascal(&field.name.wire)));
        field.value.ty = Type::Array(Box::new(item));
    }
    let item = match &mut field.value.ty {
        Type::Array(item) if is_array => {
            item.nullable = false;
            item.ty.clone()
        }
        other => other.clone(),
    };
    // The Rust type decides: arbitrary JSON and user types may have no text.
    let kind = if kind == PartKind::Text && !is_text(reader, &item) { PartKind::Json } else { kind };
    Part { field, kind, repeated: is_array, rules, content_types, ..part }
}

/// `contentType`: media types and ranges.
fn content_types(encoding: Option<&Node<'_>>) -> Vec<String> {
    let said = encoding.and_then(|encoding| encoding.text("contentType")).unwrap_or_default();
    said.split(',').map(super::media_type::essence).filter(|essence| !essence.is_empty()).collect()
}

/// The style of a list or an object that is one text; other styles are reported.
fn part_style<'a>(reader: &mut Reader<'a>, encoding: &Node<'a>, ty: &Type) -> Option<ParameterStyle> {
    let has_style = ["style", "explode"].iter().any(|keyword| encoding.has(keyword));
    if !has_style || is_text(reader, ty) {
        return None;
    }
    // In OpenAPI 3.0, a style has no meaning in multipart bodies.
    let is_meant = reader.resolver.document.version > Version::OpenApi3_0;
    let (is_list, style, explode) = (is_list_of_texts(reader, ty), style_of(encoding), is_exploded(encoding));
    if style == ParameterStyle::Form && explode && (is_list || !is_meant) {
        return None;
    }
    if is_meant && !explode && (is_list || names_of_texts(reader, ty, false).is_some()) {
        return Some(style);
    }
    report_unused(&mut reader.resolver, encoding, &["style", "explode"]);
    None
}

/// `headers`, except the one that `contentType` describes.
fn part_headers<'a>(resolver: &mut Resolver<'a>, encoding: &Node<'a>) -> Vec<PartHeader> {
    let mut headers = Vec::new();
    for (name, header) in encoding.members("headers") {
        if name.eq_ignore_ascii_case("content-type") || !is_header_name(&mut resolver.reporter, name, &header.location)
        {
            continue;
        }
        let required = follow(resolver, &header).is_some_and(|header| header.flag("required"));
        headers.push(PartHeader { name: name.to_owned(), required });
    }
    headers
}

/// Rules for the number of occurrences. `uniqueItems` is not checked, because items are streamed.
pub(super) fn part_rules(reporter: &mut Reporter<'_>, list: &Schema<'_>) -> Vec<Rule> {
    for node in list.parts.iter().filter(|node| node.flag("uniqueItems")) {
        let place = node.location.member("uniqueItems").name();
        reporter.report(Code::UncheckedConstraint, &place, "`uniqueItems` of parts is not checked");
    }
    let counts = array_rules(list).into_iter().filter(|rule| matches!(rule, Rule::MinItems(_) | Rule::MaxItems(_)));
    counts.collect()
}

/// Reports rules for the whole body, which is never in memory. The number of parts can be checked if all are
/// named.
fn report_unchecked_parts<'a>(reporter: &mut Reporter<'_>, schema: &Schema<'a>, closed: bool, required: usize) {
    for node in &schema.parts {
        for keyword in OF_OBJECTS {
            let says_nothing = |found: &Node<'a>| {
                let is_kept = match keyword {
                    "minProperties" => closed || node.count(keyword) <= Some(required as u64),
                    "maxProperties" => closed,
                    _ => false,
                };
                is_kept || found.value.is_boolean()
            };
            if let Some(found) = node.get(keyword).filter(|found| !says_nothing(found)) {
                let message = format!("`{keyword}` of a multipart body is not checked");
                reporter.report(Code::UncheckedConstraint, &found.location.name(), message);
            }
        }
    }
}

fn part_kind<'a>(resolver: &mut Resolver<'a>, item: &Node<'a>, content_type: Option<&str>) -> PartKind {
    if is_binary_at(resolver, item) {
        return PartKind::File;
    }
    if content_type.is_some_and(super::media_type::is_json) {
        return PartKind::Json;
    }
    let schema = resolved_schema(resolver, item);
    match types(&schema)[..] {
        [STRING] => {
            let listed = schema.keyword("enum").is_some() || schema.keyword("format").is_some();
            let is_text = content_type.is_none_or(|content_type| content_type.starts_with("text/"));
            if listed || is_text { PartKind::Text } else { PartKind::File }
        }
        [INTEGER | NUMBER | BOOLEAN] => PartKind::Text,
        [] if schema.parts.iter().any(|node| node.has("enum") || node.has("const")) => PartKind::Text,
        // By the specification, a part without a type is a file.
        [] if schema.parts.is_empty() => PartKind::File,
        _ if content_type.is_some_and(|content_type| !content_type.contains('*')) => {
            let message = format!("`{}` is not taken apart", content_type.unwrap_or_default());
            resolver.report(Code::UntypedBody, &item.location, message).label("the part is passed on as it is");
            PartKind::File
        }
        _ => PartKind::Json,
    }
}
