//! `content`: equivalent media types become one content.

use super::class::{Class, Subject, class_of, subject_of};
use super::encoding::{read_form, report_unused_encoding};
use super::media_type::{essence, is_event_stream, is_json_lines, preference, with_parameters};
use super::multipart::read_multipart;
use super::positional::{is_positional, read_positional};
use super::stream::{event_data, json_line};
use super::xml;
use crate::diagnostic::Code;
use crate::ir::{Content, ContentKind, ModelKind, Rule, Type, Value, Xml};
use crate::lower::name;
use crate::lower::node::Node;
use crate::lower::reference::{Resolver, follow};
use crate::lower::reporter::Reporter;
use crate::lower::schema::alias::{resolved_kind, without_aliases};
use crate::lower::schema::reader::Reader;
use crate::lower::schema::value_at;

/// What has the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Within {
    Request,
    Response,
}

/// Media types with the same class and schema.
struct Group<'a> {
    class: Class,
    media_types: Vec<String>,
    media_type: Node<'a>,
    schema: Option<Node<'a>>,
    /// The root of XML, or why there is none.
    xml: Option<Result<String, xml::Unfit>>,
}

/// Reads the contents of a body; `hint` names models.
pub(crate) fn read_contents<'a>(
    reader: &mut Reader<'a>,
    content: &Node<'a>,
    within: Within,
    hint: &str,
) -> Vec<Content> {
    let mut groups: Vec<Group<'a>> = Vec::new();
    let mut members = content.own_members();
    // Of media types that differ only in `charset`, the one without it wins.
    members.sort_by_key(|(key, _)| key.contains(';'));
    for (key, media_type) in members {
        let Some(media_type) = follow(&mut reader.resolver, &media_type) else { continue };
        let (essence, name) = (essence(key), with_parameters(key));
        let schema = media_type.get("schema");
        let class = if is_positional(&mut reader.resolver, &media_type, &essence) {
            Class::Parts
        } else if schema.is_none() && is_stream(&mut reader.resolver.reporter, &media_type, &essence) {
            Class::Bytes
        } else {
            class_of(&mut reader.resolver, &essence, schema.as_ref())
        };
        let (class, xml) = match &schema {
            Some(schema) if class == Class::Xml => match xml::root(reader, schema, hint) {
                Ok(root) => (Class::Xml, Some(Ok(root))),
                Err(unfit) if essence.starts_with("text/") => (Class::Text, Some(Err(unfit))),
                Err(unfit) => (Class::Bytes, Some(Err(unfit))),
            },
            _ => (class, None),
        };
        let same = groups.iter().position(|group| {
            let schemas = (group.schema.as_ref().map(|node| node.value), schema.as_ref().map(|node| node.value));
            let items = [&group.media_type, &media_type].map(|node| node.get("itemSchema").map(|node| node.value));
            group.class == class
                && !matches!(class, Class::Multipart | Class::Parts)
                && items[0] == items[1]
                && (schemas.0 == schemas.1 || class == Class::Bytes)
        });
        let known = groups.iter().position(|group| group.media_types.contains(&name));
        if known.is_some() && known != same {
            let message = format!("only its encoding tells `{key}` from another content");
            reader
                .report(Code::NotUsed, &content.location.member(key).name(), message)
                .label(format!("a body with `{name}` is described there"));
            continue;
        }
        match same {
            Some(_) if known.is_some() => {}
            Some(index) => groups[index].media_types.push(name),
            None => groups.push(Group { class, media_types: vec![name], media_type, schema, xml }),
        }
    }
    for group in &mut groups {
        group.media_types.sort_by_key(|media_type| preference(media_type));
    }
    groups.sort_by_key(|group| preference(&group.media_types[0]));
    report_lost_structure(&mut reader.resolver, &groups);

    let names = variants(&groups);
    let several = groups.len() > 1;
    let contents = groups.into_iter().zip(names).map(|(group, variant)| {
        let hint = if several { format!("{hint}{variant}") } else { hint.to_owned() };
        let kind = content_kind(reader, &group, within, &hint);
        report_unused_encoding(&mut reader.resolver, &group.media_type, &kind);
        Content { media_types: group.media_types, kind, variant }
    });
    contents.collect()
}

fn content_kind<'a>(reader: &mut Reader<'a>, group: &Group<'a>, within: Within, hint: &str) -> ContentKind {
    match (group.class, &group.schema) {
        (Class::Xml, Some(schema)) => match &group.xml {
            Some(Ok(root)) => ContentKind::Xml(Xml { value: value_at(reader, schema, hint), root: root.clone() }),
            Some(Err(_)) | None => ContentKind::Bytes,
        },
        (Class::Json, Some(schema)) => ContentKind::Json(value_at(reader, schema, hint)),
        (Class::Json, None) => ContentKind::Json(Value::plain(Type::Any)),
        (Class::Form, Some(schema)) => ContentKind::Form(read_form(reader, schema, &group.media_type, hint)),
        (Class::Multipart, Some(schema)) => {
            let encoding = group.media_type.get("encoding");
            ContentKind::Multipart(read_multipart(reader, schema, encoding.as_ref(), within, hint))
        }
        (Class::Parts, _) => ContentKind::Multipart(read_positional(reader, &group.media_type, within, hint)),
        (Class::Events, _) => ContentKind::Events(event_data(reader, &group.media_type, hint)),
        (Class::JsonLines, _) => ContentKind::JsonLines(json_line(reader, &group.media_type, hint)),
        (Class::Text, schema) => ContentKind::Text(text_value(reader, schema.as_ref(), within, hint)),
        (Class::Bytes | Class::Xml | Class::Form | Class::Multipart, _) => ContentKind::Bytes,
    }
}

/// A string that is a whole body, with its rules.
fn text_value<'a>(reader: &mut Reader<'a>, schema: Option<&Node<'a>>, within: Within, hint: &str) -> Value {
    let mut text = Value::plain(Type::String);
    let is_string = subject_of(&mut reader.resolver, schema) == Subject::String;
    let Some(schema) = schema.filter(|_| is_string) else { return text };
    let value = value_at(reader, schema, hint);
    let value = without_aliases(reader, &value);
    if value.ty == Type::String {
        text.rules = value.rules;
    } else if let Some(ModelKind::Enum(enum_)) = resolved_kind(reader, &value.ty)
        && enum_.integer.is_none()
    {
        text.rules.push(Rule::OneOf(enum_.texts()));
    } else if within == Within::Request {
        reader
            .report(Code::UncheckedConstraint, &schema.location, "the format of a whole text is not checked")
            .label("any text is accepted");
    }
    text
}

/// Whether it is a stream of items in an unsupported format.
fn is_stream(reporter: &mut Reporter<'_>, media_type: &Node<'_>, essence: &str) -> bool {
    if is_event_stream(essence) || is_json_lines(essence) {
        return false;
    }
    let Some(items) = media_type.get("itemSchema") else { return false };
    reporter
        .report(
            Code::UntypedBody,
            &items.location.name(),
            format!("the items of a stream of `{essence}` are not taken apart"),
        )
        .label("the body is passed on as it is");
    true
}

/// CSV, some XML and others are bytes or text, whatever their schema.
fn report_lost_structure<'a>(resolver: &mut Resolver<'a>, groups: &[Group<'a>]) {
    if groups.iter().any(|group| {
        matches!(
            group.class,
            Class::Json | Class::Xml | Class::Form | Class::Events | Class::JsonLines | Class::Multipart | Class::Parts
        )
    }) {
        return;
    }
    for group in groups {
        if matches!(subject_of(resolver, group.schema.as_ref()), Subject::Object | Subject::Array) {
            let media_type = &group.media_types[0];
            let diagnostic = resolver.report(
                Code::UntypedBody,
                &group.media_type.location.name(),
                format!("`{media_type}` is not taken apart"),
            );
            diagnostic.label("the body is passed on as it is");
            match &group.xml {
                Some(Err(xml::Unfit { place, reason })) => {
                    diagnostic.related(place, format!("this {reason}, which XML does not express"));
                }
                Some(Ok(_)) | None => {
                    diagnostic.help("JSON, XML, forms, events and multipart bodies are typed");
                }
            }
        }
    }
}

/// The names of the variants: the class, and the subtype if two are equal.
fn variants(groups: &[Group<'_>]) -> Vec<String> {
    let word = |class| match class {
        Class::Json => "Json",
        Class::Xml => "Xml",
        Class::Text => "Text",
        Class::Bytes => "Bytes",
        Class::Form => "Form",
        Class::Events => "Events",
        Class::JsonLines => "Lines",
        Class::Multipart | Class::Parts => "Multipart",
    };
    let wanted: Vec<_> = groups
        .iter()
        .map(|group| {
            let alone = groups.iter().filter(|other| other.class == group.class).count() == 1;
            if alone || preference(&group.media_types[0]) == 0 {
                return word(group.class).to_owned();
            }
            let (_, sub) = group.media_types[0].split_once('/').unwrap_or_default();
            match name::pascal(sub.trim_end_matches("+json").trim_end_matches("+xml")) {
                name if name.is_empty() || name == "Star" => word(group.class).to_owned(),
                name => name,
            }
        })
        .collect();
    name::unique(&wanted, &mut name::Scope::default())
}
