//! Variants that together are one type.

use serde_json::Value as Json;

use super::is_name;
use crate::ir::{IntegerKind, Type, Value};
use crate::lower::node::Node;
use crate::lower::overrides::Overrides;
use crate::lower::overrides::ty::has_type_override;
use crate::lower::reference::Resolver;
use crate::lower::schema::Shape;
use crate::lower::schema::all_of::{resolved_schema, schema_at};
use crate::lower::schema::enum_::{ListedValue, enum_of, listed_values};
use crate::lower::schema::types::{INTEGER, NUMBER, STRING, types};

/// Bounds of strings or numbers.
const BOUNDS: &[&str] =
    &["minLength", "maxLength", "pattern", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"];

/// The single type of the variants: an enum, any string, any number.
pub(crate) fn as_one_type<'a>(
    resolver: &mut Resolver<'a>,
    overrides: &mut Overrides<'a>,
    variants: &[Node<'a>],
) -> Option<Shape<'a>> {
    let mut values: Vec<ListedValue<'a>> = Vec::new();
    let mut closed = true;
    let mut bounded = false;
    let mut free = Vec::new();
    let mut all = Vec::new();
    for node in variants {
        if has_type_override(resolver.document, overrides, node) {
            return None;
        }
        let schema = resolved_schema(resolver, node);
        let [ty] = types(&schema)[..] else { return enum_of_untyped(resolver, overrides, variants, None) };
        if schema.parts.iter().any(|part| part.has("oneOf") || part.has("anyOf")) {
            return None;
        }
        let listed = listed_values(&schema);
        let format = schema.keyword("format").is_some();
        if listed.is_none() {
            if BOUNDS.iter().any(|keyword| schema.keyword(keyword).is_some()) {
                bounded = true;
            } else {
                free.push(ty);
            }
        }
        match (ty, &listed) {
            (STRING | INTEGER, Some(_)) => {}
            (STRING, None) if !format => closed = false,
            (NUMBER | INTEGER, None) => closed = false,
            _ => return None,
        }
        let doc = schema.text("description").or(schema.text("title")).map(str::to_owned);
        let mut listed = listed.unwrap_or_default();
        if let [one] = &mut listed[..] {
            one.doc = one.doc.take().or(doc);
        }
        values.extend(listed);
        all.push(ty);
    }
    let first = *all.first()?;
    if closed && all.iter().all(|ty| *ty == first) {
        return Some(enum_of(resolver, overrides, first, IntegerKind::I64, values, false));
    }
    // Unless one variant is unrestricted, each variant has its own rules.
    if bounded && !free.contains(if all.contains(&NUMBER) { &NUMBER } else { &first }) {
        return None;
    }
    if first == STRING && all.iter().all(|ty| *ty == STRING) {
        return Some(Shape::Plain(Value::plain(Type::String)));
    }
    if all.iter().all(|ty| *ty == INTEGER) {
        return Some(Shape::Plain(Value::plain(Type::Integer(IntegerKind::I64))));
    }
    let numeric = all.iter().all(|ty| matches!(*ty, NUMBER | INTEGER));
    (numeric && all.contains(&NUMBER)).then(|| Shape::Plain(Value::plain(Type::Double)))
}

/// `oneOf: [{ const: a }, { const: b }]` without `type`; a sibling `enum` may restrict the `allowed` ones.
/// Titles name numbers.
pub(crate) fn enum_of_untyped<'a>(
    resolver: &mut Resolver<'a>,
    overrides: &mut Overrides<'a>,
    variants: &[Node<'a>],
    allowed: Option<&[ListedValue<'a>]>,
) -> Option<Shape<'a>> {
    let mut values = Vec::new();
    for node in variants {
        let schema = schema_at(resolver, node);
        let mut listed = listed_values(&schema).filter(|_| schema.target.is_none())?;
        if let [one] = &mut listed[..] {
            let title = schema.text("title").filter(|title| is_name(title));
            one.name = one.name.take().or(title.filter(|_| one.value.value.is_number()).map(str::to_owned));
            one.doc = one.doc.take().or(schema.text("description").or(schema.text("title")).map(str::to_owned));
        }
        values.extend(listed);
    }
    values.retain(|value| {
        let is_same = |other: &ListedValue<'_>| other.value.value == value.value.value;
        allowed.is_none_or(|allowed| allowed.iter().any(is_same))
    });
    let all = |test: &dyn Fn(&Json) -> bool| values.iter().all(|value| test(value.value.value));
    let ty = if all(&Json::is_string) {
        STRING
    } else if all(&Json::is_i64) {
        INTEGER
    } else {
        return None;
    };
    Some(enum_of(resolver, overrides, ty, IntegerKind::I64, values, false))
}
