//! `properties`, `additionalProperties`.

use indexmap::IndexMap;

use super::primitive::object_rules;
use super::schema::{STRING, Shape, plain, types};
use super::{Context, Node, Schema, name};
use crate::diagnostic::{Code, nearest};
use crate::ir::{Additional, Field, ModelKind, Name, Presence, Struct, Type, Value};
use crate::location::Location;

impl<'a> Context<'a> {
    /// `type: object`: a struct when it names members, otherwise a map.
    ///
    /// `labels: { type: object }` names no properties, so it is a map, not an empty struct.
    pub(crate) fn shape_of_object(&mut self, schema: &Schema<'a>, hint: &str) -> Shape<'a> {
        let (members, required) = self.members(schema);
        let closed = schema.parts.iter().any(|node| {
            node.get("additionalProperties").is_some_and(|additional| additional.value.as_bool() == Some(false))
                || node.get("unevaluatedProperties").is_some_and(|additional| additional.value.as_bool() == Some(false))
        });
        let rules = object_rules(schema);
        if members.is_empty() && !closed {
            let value = self.map_value(schema, hint).unwrap_or_else(|| plain(Type::Any));
            return Shape::Plain(Value { rules, ..plain(Type::Map(Box::new(value))) });
        }
        let wanted: Vec<_> = members.keys().map(|name| name::snake(name)).collect();
        let mut scope = name::Scope::default();
        let names = name::unique(&wanted, &mut scope);
        let fields: Vec<_> = members
            .into_iter()
            .zip(names)
            .map(|((wire, nodes), rust)| {
                let is_required = required.contains(&wire);
                self.field(Name { wire: wire.to_owned(), rust }, &nodes, is_required, hint)
            })
            .collect();
        let mut additional = if closed { None } else { self.map_value(schema, hint) };
        if !closed && !schema.parts.iter().any(|node| node.has("properties")) {
            // Nothing is described, so everything is kept: `{ required: [name] }`.
            additional = additional.or_else(|| Some(plain(Type::Any)));
        }
        let additional = additional.map(|value| Additional { rust: scope.claim("additional_properties", &[]), value });
        Shape::Named(ModelKind::Struct(Struct { fields, additional, closed, rules }))
    }

    /// The members that all parts name, in order, with the schemas each of them must fulfil; and the required ones.
    pub(crate) fn members(&mut self, schema: &Schema<'a>) -> (IndexMap<&'a str, Vec<Node<'a>>>, Vec<&'a str>) {
        let mut members: IndexMap<&str, Vec<Node<'_>>> = IndexMap::new();
        let mut required: Vec<&str> = Vec::new();
        for part in &schema.parts {
            for (name, node) in part.members("properties") {
                if node.object().is_none() && node.value.as_bool() != Some(true) {
                    continue;
                }
                if node.flag("required") {
                    self.report(Code::Repaired, &node.location.member("required").name(), "`required` names members")
                        .label(format!("taken as `required: [{name}]` of the object around it"));
                    required.push(name);
                }
                let nodes = members.entry(name).or_default();
                if nodes.iter().all(|other| other.value != node.value) {
                    nodes.push(node);
                }
            }
            required.extend(part.texts("required"));
        }
        let is_described = !members.is_empty();
        for part in &schema.parts {
            for (index, name) in part.texts("required").into_iter().enumerate() {
                if !members.contains_key(name) {
                    if is_described {
                        self.report_unknown(&part.location.member("required").item(index), name, &members);
                    }
                    members.insert(name, Vec::new());
                }
            }
        }
        (members, required)
    }

    fn report_unknown(&mut self, place: &Location, name: &str, members: &IndexMap<&'a str, Vec<Node<'a>>>) {
        let message = format!("`{name}` is required but not described");
        let diagnostic = self.report(Code::RequiredMemberUnknown, place, message);
        diagnostic.label("any value is accepted for it");
        if let Some(close) = nearest(name, members.keys().copied()) {
            diagnostic.help(format!("did you mean `{close}`?"));
        }
    }

    pub(crate) fn field(&mut self, name: Name, nodes: &[Node<'a>], required: bool, hint: &str) -> Field {
        let hint = format!("{hint}{}", name::pascal(&name.wire));
        let [first, rest @ ..] = nodes else {
            let presence = if required { Presence::Required } else { Presence::Optional };
            return bare_field(name, plain(Type::Any), presence);
        };
        let mut schema = self.conjunction(first, nodes);
        let mut nodes = nodes;
        if let [.., last] = rest
            && schema.contradicts_itself()
        {
            self.report(Code::Contradiction, &last.location, format!("`{}` is described in two ways", name.wire))
                .related(&first.location, "which contradict each other")
                .label("this one counts");
            schema = self.schema(last);
            nodes = std::slice::from_ref(last);
        }
        let constant = constant(&schema).filter(|_| required);
        let value = match constant {
            Some(_) => plain(Type::String),
            None if nodes.len() == 1 => self.value(&nodes[0], &hint),
            None => self.value_of(&schema, &hint, false),
        };
        let annotations = self.annotations(&schema);
        let presence = match (required, value.nullable) {
            (true, false) => Presence::Required,
            (false, false) => Presence::Optional,
            (true, true) => Presence::Nullable,
            (false, true) => Presence::OptionalNullable,
        };
        let default = schema.annotation("default").and_then(|node| self.default(&node, &value));
        Field {
            doc: schema.text("description").or(schema.text("title")).map(str::to_owned),
            default: default.filter(|_| presence == Presence::Optional),
            read_only: annotations.read_only,
            write_only: annotations.write_only,
            deprecated: schema.flag("deprecated"),
            constant,
            ..bare_field(name, value, presence)
        }
    }

    /// `readOnly` and `writeOnly`, those of a schema that is referred to included.
    fn annotations(&mut self, schema: &Schema<'a>) -> Annotations {
        let target = schema.target.as_ref().and_then(|target| self.follow(target));
        let says = |name| schema.flag(name) || target.as_ref().is_some_and(|target| target.flag(name));
        Annotations { read_only: says("readOnly"), write_only: says("writeOnly") }
    }

    /// What the members that are not named hold; `None` when the description says nothing of them.
    fn map_value(&mut self, schema: &Schema<'a>, hint: &str) -> Option<Value> {
        let said = schema.parts.iter().filter_map(|node| node.get("additionalProperties"));
        let node = said.max_by_key(|node| node.object().is_some_and(|object| !object.is_empty()))?;
        if node.object().is_some_and(|object| !object.is_empty()) {
            return Some(self.value(&node, &format!("{hint}Value")));
        }
        (node.value.as_bool() != Some(false)).then(|| plain(Type::Any))
    }
}

struct Annotations {
    read_only: bool,
    write_only: bool,
}

fn bare_field(name: Name, value: Value, presence: Presence) -> Field {
    Field {
        name,
        doc: None,
        value,
        presence,
        default: None,
        read_only: false,
        write_only: false,
        deprecated: false,
        constant: None,
    }
}

/// The only string the schema allows.
pub(crate) fn constant(schema: &Schema<'_>) -> Option<String> {
    if schema.target.is_some() || !matches!(types(schema)[..], [] | [STRING]) {
        return None;
    }
    schema.parts.iter().find_map(|node| {
        let values: Vec<_> = node.items("enum").into_iter().chain(node.get("const")).collect();
        let [value] = &values[..] else { return None };
        value.value.as_str().map(str::to_owned)
    })
}
