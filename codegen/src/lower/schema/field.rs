//! A member of an object, from all schemas that describe it.

use super::all_of::{Schema, conjunction, schema_at};
use super::default::read_default;
use super::reader::Reader;
use super::type_name::{owner_name, says_only};
use super::types::{BOOLEAN, INTEGER, STRING, types};
use super::{value_at, value_of};
use crate::diagnostic::Code;
use crate::ir::{Absence, Constant, Field, Name, Presence, TextForm, Type, Value};
use crate::lower::name;
use crate::lower::node::Node;
use crate::lower::overrides::derives::report_unused_derives;
use crate::lower::overrides::ty::has_type_override;
use crate::lower::reference::{Resolver, follow};

/// The field of a member described by these nodes, all of which must hold.
pub(crate) fn read_field<'a>(
    reader: &mut Reader<'a>,
    name: Name,
    nodes: &[Node<'a>],
    required: bool,
    hint: &str,
) -> Field {
    let owner =
        if let [only] = nodes { owner_name(reader.resolver.document, &reader.models, &only.location) } else { None };
    let hint = format!("{}{}", owner.as_deref().unwrap_or(hint), name::pascal(&name.wire));
    let [first, rest @ ..] = nodes else {
        let presence = if required { Presence::Required } else { Presence::Optional };
        return bare_field(name, Value::plain(Type::Any), presence);
    };
    let mut schema = conjunction(&mut reader.resolver, first, nodes);
    let mut nodes = nodes;
    if let [.., last] = rest
        && schema.contradicts_itself()
    {
        reader
            .report(Code::Contradiction, &last.location, format!("`{}` is described in two ways", name.wire))
            .related(&first.location, "which contradict each other")
            .label("this one counts");
        schema = schema_at(&mut reader.resolver, last);
        nodes = std::slice::from_ref(last);
    }
    let is_overridden =
        nodes.iter().any(|node| has_type_override(reader.resolver.document, &mut reader.overrides, node));
    let constant = constant(&schema).filter(|_| required && !is_overridden);
    let value = match &constant {
        Some(constant) => {
            report_unused_derives(&mut reader.resolver.reporter, &schema.place);
            Value::plain(constant.ty())
        }
        None if nodes.len() == 1 => value_at(reader, &nodes[0], &hint),
        None => value_of(reader, &schema, &hint, false),
    };
    let annotations = access_annotations(&mut reader.resolver, &schema);
    let presence = match (required, value.nullable) {
        (true, false) => Presence::Required,
        (false, false) => Presence::Optional,
        (true, true) => Presence::Nullable,
        (false, true) => Presence::OptionalNullable,
    };
    let title = schema.text("title").filter(|title| !says_only(title, &first.location));
    let default = schema.annotation("default").and_then(|node| read_default(reader, &node, &value));
    Field {
        location: Some(first.location.clone()),
        doc: schema.text("description").or(title).map(str::to_owned),
        default: default.filter(|_| presence == Presence::Optional),
        read_only: annotations.read_only,
        write_only: annotations.write_only,
        deprecated: schema.flag("deprecated"),
        constant,
        ..bare_field(name, value, presence)
    }
}

/// If one part makes a member read-only and another requires it without that, it goes both ways.
pub(crate) fn combined_access<'a>(
    resolver: &mut Resolver<'a>,
    schema: &Schema<'a>,
    name: &str,
    field: &Field,
) -> Annotations {
    let mut annotations = Annotations { read_only: field.read_only, write_only: field.write_only };
    if !annotations.read_only && !annotations.write_only {
        return annotations;
    }
    for part in schema.parts.iter().filter(|part| part.texts("required").contains(&name)) {
        let Some((_, node)) = part.members("properties").into_iter().find(|(other, _)| *other == name) else {
            continue;
        };
        let own = schema_at(resolver, &node);
        let own = access_annotations(resolver, &own);
        annotations.read_only &= own.read_only;
        annotations.write_only &= own.write_only;
    }
    annotations
}

/// The directions of a member.
pub(crate) struct Annotations {
    pub(crate) read_only: bool,
    pub(crate) write_only: bool,
}

/// `readOnly` and `writeOnly`, including those of referenced schemas.
fn access_annotations<'a>(resolver: &mut Resolver<'a>, schema: &Schema<'a>) -> Annotations {
    let target = schema.target.as_ref().and_then(|target| follow(resolver, target));
    let says = |name| schema.flag(name) || target.as_ref().is_some_and(|target| target.flag(name));
    Annotations { read_only: says("readOnly"), write_only: says("writeOnly") }
}

fn bare_field(name: Name, value: Value, presence: Presence) -> Field {
    Field {
        location: None,
        name,
        doc: None,
        value,
        presence,
        default: None,
        read_only: false,
        write_only: false,
        absence_on_server: Absence::Allowed,
        absence_on_client: Absence::Allowed,
        deprecated: false,
        constant: None,
        form: TextForm::default(),
    }
}

/// The only value that the schema allows.
pub(crate) fn constant(schema: &Schema<'_>) -> Option<Constant> {
    if schema.target.is_some() {
        return None;
    }
    let types = types(schema);
    let may_be = |ty| matches!(types[..], []) || types[..] == [ty];
    schema.parts.iter().find_map(|node| {
        let listed = node.values("enum");
        let value = match (node.member("const"), listed) {
            (Some(only), listed) if listed.is_empty() || listed.contains(only) => only,
            (None, [only]) => only,
            _ => return None,
        };
        let string = value.as_str().filter(|_| may_be(STRING)).map(|text| Constant::String(text.to_owned()));
        let integer = || value.as_i64().filter(|_| may_be(INTEGER)).map(Constant::Integer);
        let boolean = || value.as_bool().filter(|_| may_be(BOOLEAN)).map(Constant::Boolean);
        string.or_else(integer).or_else(boolean)
    })
}
