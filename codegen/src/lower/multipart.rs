//! Multipart bodies: a part per member, with what `encoding` says of it.

use super::schema::{ARRAY, BOOLEAN, INTEGER, NUMBER, STRING, plain, types};
use super::{Context, Node, name};
use crate::ir::{Multipart, Name, Part, PartKind, Type, Value};

impl<'a> Context<'a> {
    /// The parts of a body with this schema.
    pub(crate) fn multipart(&mut self, schema: &Node<'a>, encoding: Option<&Node<'a>>, hint: &str) -> Multipart {
        let schema = self.resolved(schema);
        let (members, required) = self.members(&schema);
        let closed = schema.parts.iter().any(|node| {
            node.get("additionalProperties").is_some_and(|additional| additional.value.as_bool() == Some(false))
        });
        let wanted: Vec<_> = members.keys().map(|name| name::snake(name)).collect();
        let names = name::unique(&wanted, &mut name::Scope::default());
        let mut parts = Vec::new();
        for ((wire, nodes), rust) in members.into_iter().zip(names) {
            let is_required = required.contains(&wire);
            let encoding = encoding.and_then(|encoding| encoding.get(wire));
            let name = Name { wire: wire.to_owned(), rust };
            parts.push(self.part(name, &nodes, is_required, encoding.as_ref(), hint));
        }
        Multipart { parts, closed, part_rust: String::new() }
    }

    fn part(
        &mut self,
        name: Name,
        nodes: &[Node<'a>],
        required: bool,
        encoding: Option<&Node<'a>>,
        hint: &str,
    ) -> Part {
        let content_type = encoding
            .and_then(|encoding| encoding.text("contentType"))
            .and_then(|list| list.split(',').next())
            .map(|first| first.trim().to_owned());
        let mut field = self.field(name, nodes, required, hint);
        let member = nodes.first().map(|first| self.resolved(first));
        let is_array = member.as_ref().is_some_and(|member| types(member) == [ARRAY]);
        let item = if is_array { member.and_then(|member| member.keyword("items")) } else { nodes.first().cloned() };
        let kind = item.map_or(PartKind::File, |item| self.part_kind(&item, content_type.as_deref()));
        if kind == PartKind::File {
            let file = plain(Type::Binary);
            let ty = if is_array { Type::Array(Box::new(file)) } else { Type::Binary };
            field.value = Value { ty, ..field.value };
            field.constant = None;
        }
        Part { field, kind, repeated: is_array, content_type }
    }

    fn part_kind(&mut self, item: &Node<'a>, content_type: Option<&str>) -> PartKind {
        if self.is_binary(item) {
            return PartKind::File;
        }
        if content_type.is_some_and(super::media_type::is_json) {
            return PartKind::Json;
        }
        let schema = self.resolved(item);
        match types(&schema)[..] {
            [STRING] => {
                let listed = schema.keyword("enum").is_some() || schema.keyword("format").is_some();
                let is_text = content_type.is_none_or(|content_type| content_type.starts_with("text/"));
                if listed || is_text { PartKind::Text } else { PartKind::File }
            }
            [INTEGER | NUMBER | BOOLEAN] => PartKind::Text,
            [] if schema.parts.iter().any(|node| node.has("enum") || node.has("const")) => PartKind::Text,
            // The specification takes a part without a type for a file.
            [] if schema.parts.is_empty() => PartKind::File,
            _ => PartKind::Json,
        }
    }
}
