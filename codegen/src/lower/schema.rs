//! Schema Object → `Type`; delegates to objects, enums and unions.

pub(crate) mod alias;
pub(crate) mod all_of;
pub(crate) mod array;
pub(crate) mod condition;
pub(crate) mod contradiction;
pub(crate) mod default;
pub(crate) mod enum_;
pub(crate) mod field;
pub(crate) mod format;
pub(crate) mod inheritance;
pub(crate) mod json_schema;
pub(crate) mod map;
pub(crate) mod named;
pub(crate) mod nullable;
pub(crate) mod object;
pub(crate) mod pattern;
pub(crate) mod primitive;
pub(crate) mod reader;
pub(crate) mod tuple;
pub(crate) mod type_name;
pub(crate) mod types;
pub(crate) mod union;
pub(crate) mod wanted_type;

use super::models::{Built, Discriminator, Models, State};
use super::name;
use super::node::Node;
use super::overrides::derives::report_unused_derives;
use super::overrides::name::{report_unused_name, requested_type_name};
use super::reference::Resolver;
use crate::diagnostic::Code;
use crate::ir::{Alias, ModelId, ModelKind, Name, Rule, Type, Union, Value};
use crate::upgrade::Document;
use all_of::{Schema, expanded, schema_at};
use array::array;
use contradiction::without_contradictions;
use enum_::enum_shape;
use inheritance::inherited_union;
use nullable::{allows_null, is_nullable};
use object::object_shape;
use primitive::{boolean, integer_value, number, string_value};
use type_name::{place_name, says_only, type_hint};
use union::{says_only_null, type_union, union_of};
use wanted_type::{overridden_format, overridden_value};

pub(crate) use reader::Reader;
pub(crate) use types::{ARRAY, BOOLEAN, INTEGER, NUMBER, OBJECT, STRING, types};

/// Maximum number of multiplied lists of variants: `allOf: [{ oneOf }, { oneOf }]`.
const MOST_MERGED: usize = 3;

/// The result of reading a schema.
pub(crate) enum Shape<'a> {
    /// A type that needs no name.
    Plain(Value),
    /// A type that needs a name.
    Named(ModelKind),
    /// A union, and its discriminator.
    Union(Union, Option<Discriminator<'a>>),
}

/// The value of the schema at this node. `hint` names a model if one is needed.
pub(crate) fn value_at<'a>(reader: &mut Reader<'a>, node: &Node<'a>, hint: &str) -> Value {
    if let Some(id) = reader.models.at(&node.location) {
        return use_of(id, is_nullable(&mut reader.resolver, &mut reader.nullable, node));
    }
    let schema = schema_at(&mut reader.resolver, node);
    value_of(reader, &schema, hint, true)
}

/// The same for a parsed schema. A `shared` one is the whole schema at its location.
pub(crate) fn value_of<'a>(reader: &mut Reader<'a>, schema: &Schema<'a>, hint: &str, shared: bool) -> Value {
    let nullable = allows_null(&mut reader.resolver, &mut reader.nullable, schema, shared);
    if let Some(value) = overridden_value(&mut reader.resolver, &mut reader.overrides, schema) {
        return Value { nullable, ..value };
    }
    if let Some(target) = &schema.target {
        report_unused_derives(&mut reader.resolver.reporter, &schema.place);
        let id = model_at(reader.resolver.document, &mut reader.models, target);
        return use_of(id, nullable);
    }
    // A variant may have the location of its union.
    let place = (schema.place.location.clone(), schema.only, schema.taken.clone());
    let merged = reader.unfolding.open.iter().filter(|(.., taken)| !taken.is_empty()).count();
    if reader.unfolding.open.contains(&place) || merged >= MOST_MERGED {
        return recursive_value(reader, schema, shared, nullable);
    }
    reader.unfolding.open.push(place);
    let hint = &type_hint(&mut reader.resolver, &mut reader.overrides, schema, hint);
    let value = match shape_of(reader, schema, hint) {
        Shape::Plain(value) => {
            report_unused_name(&mut reader.resolver, &mut reader.overrides, &schema.place);
            report_unused_derives(&mut reader.resolver.reporter, &schema.place);
            Value { nullable: nullable || value.nullable, ..value }
        }
        Shape::Named(kind) => add_model(reader, schema, hint, shared, nullable, kind, None),
        Shape::Union(union, discriminator) => {
            add_model(reader, schema, hint, shared, nullable, ModelKind::Union(union), discriminator)
        }
    };
    reader.unfolding.open.pop();
    value
}

/// An unnamed schema that contains itself as its whole member.
fn recursive_value<'a>(reader: &mut Reader<'a>, schema: &Schema<'a>, shared: bool, nullable: bool) -> Value {
    if shared {
        let id = model_at(reader.resolver.document, &mut reader.models, &schema.place);
        return use_of(id, nullable);
    }
    reader
        .report(Code::UncheckedConstraint, &schema.place.location, "this schema contains itself, put together anew")
        .label("any value is accepted inside of it");
    Value::plain(Type::Any)
}

fn add_model<'a>(
    reader: &mut Reader<'a>,
    schema: &Schema<'a>,
    hint: &str,
    shared: bool,
    nullable: bool,
    kind: ModelKind,
    discriminator: Option<Discriminator<'a>>,
) -> Value {
    let name = Name { wire: schema.place.location.pointer().to_owned(), rust: hint.to_owned() };
    let id = reader.models.add_built(name, schema.place.clone(), built(schema, kind, discriminator), shared);
    reader.models.get_mut(id).requested =
        requested_type_name(&mut reader.resolver, &mut reader.overrides, &schema.place);
    use_of(id, nullable)
}

/// The model of a referenced schema, which is read later.
pub(crate) fn model_at<'a>(document: &'a Document, models: &mut Models<'a>, target: &Node<'a>) -> ModelId {
    if let Some(id) = models.at(&target.location) {
        return id;
    }
    let name = place_name(document, &target.location);
    models.add_unread(Name { wire: name.clone(), rust: name::pascal(&name) }, target.clone(), true)
}

/// Reads the schema of a model, unless it has been read or is being read.
pub(crate) fn build_model(reader: &mut Reader<'_>, id: ModelId) {
    let draft = reader.models.get_mut(id);
    if !matches!(draft.state, State::Unread) {
        return;
    }
    draft.state = State::Building;
    let (node, hint) = (draft.node.clone(), draft.name.rust.clone());
    let schema = if reader.inheritance.is_derived(&node) {
        expanded(&mut reader.resolver, &node)
    } else {
        schema_at(&mut reader.resolver, &node)
    };
    let hint = type_hint(&mut reader.resolver, &mut reader.overrides, &schema, &hint);
    let requested = requested_type_name(&mut reader.resolver, &mut reader.overrides, &schema.place);
    let combinations = reader.unfolding.combinations.take();
    let draft = reader.models.get_mut(id);
    draft.name.rust.clone_from(&hint);
    draft.requested = requested;
    let overridden = overridden_value(&mut reader.resolver, &mut reader.overrides, &schema).map(Shape::Plain);
    let (kind, discriminator) = match (overridden.or_else(|| inherited_union(reader, &node)), &schema.target) {
        (Some(shape), _) => kind_of(shape),
        (None, Some(target)) => (
            ModelKind::Alias(Alias {
                value: Value::plain(Type::Model(model_at(reader.resolver.document, &mut reader.models, target))),
            }),
            None,
        ),
        (None, None) => model_kind(reader, &schema, &hint),
    };
    reader.unfolding.combinations = combinations;
    reader.models.get_mut(id).state = State::Built(Box::new(built(&schema, kind, discriminator)));
}

/// The kind of the schema's model.
pub(crate) fn model_kind<'a>(
    reader: &mut Reader<'a>,
    schema: &Schema<'a>,
    hint: &str,
) -> (ModelKind, Option<Discriminator<'a>>) {
    kind_of(shape_of(reader, schema, hint))
}

/// The shape of the schema.
pub(crate) fn shape_of<'a>(reader: &mut Reader<'a>, schema: &Schema<'a>, hint: &str) -> Shape<'a> {
    if let Some(value) = overridden_value(&mut reader.resolver, &mut reader.overrides, schema) {
        return Shape::Plain(value);
    }
    let shape = typed_shape(reader, schema, hint);
    restricted(&mut reader.resolver, schema, shape)
}

/// The shape, without the keywords that types do not express.
fn typed_shape<'a>(reader: &mut Reader<'a>, schema: &Schema<'a>, hint: &str) -> Shape<'a> {
    if let Some(union) = union_of(reader, schema, hint) {
        return union;
    }
    if let Some(enum_) = enum_shape(reader, schema, hint) {
        return enum_;
    }
    let types = types(schema);
    match types[..] {
        [] => {
            if schema.contradicts_itself() {
                reader
                    .report(Code::Contradiction, &schema.place.location, "no value has all the types required here")
                    .help("any JSON value is accepted");
            } else if schema.only.is_none() && schema.parts.iter().any(says_only_null) {
                return Shape::Plain(Value {
                    rules: vec![Rule::Listed(vec!["null".to_owned()])],
                    ..Value::plain(Type::Any)
                });
            }
            Shape::Plain(Value::plain(Type::Any))
        }
        [ty] => {
            let shape = shape_for_type(reader, schema, ty, hint);
            without_contradictions(&mut reader.resolver.reporter, schema, shape)
        }
        _ => type_union(reader, schema, &types, hint),
    }
}

fn shape_for_type<'a>(reader: &mut Reader<'a>, schema: &Schema<'a>, ty: &str, hint: &str) -> Shape<'a> {
    if let Some(value) = overridden_format(&mut reader.resolver.reporter, &mut reader.overrides, schema, ty) {
        return Shape::Plain(value);
    }
    match ty {
        STRING => Shape::Plain(string_value(&mut reader.resolver.reporter, schema)),
        NUMBER => Shape::Plain(number(schema)),
        INTEGER => Shape::Plain(integer_value(&mut reader.resolver.reporter, schema)),
        BOOLEAN => Shape::Plain(boolean(schema)),
        ARRAY => Shape::Plain(array(reader, schema, hint)),
        OBJECT => object_shape(reader, schema, hint),
        _ => Shape::Plain(Value::plain(Type::Any)),
    }
}

/// The shape with rules for the keywords that types do not express. Unions and enums have no rules.
fn restricted<'a>(resolver: &mut Resolver<'a>, schema: &Schema<'a>, shape: Shape<'a>) -> Shape<'a> {
    let is_ruled = matches!(shape, Shape::Plain(_) | Shape::Named(ModelKind::Struct(_)));
    let mut rules = Vec::new();
    for (node, keywords) in json_schema::unexpressed(schema, !is_ruled) {
        match json_schema::rule_of(resolver, &node, &keywords).filter(|_| is_ruled) {
            Some(rule) if rules.contains(&rule) => {}
            Some(rule) => rules.push(rule),
            None => {
                for keyword in keywords {
                    let place = node.location.member(keyword).name();
                    resolver.report(Code::UncheckedConstraint, &place, format!("`{keyword}` is not checked"));
                }
            }
        }
    }
    match shape {
        Shape::Plain(mut value) => {
            value.rules.extend(rules);
            Shape::Plain(value)
        }
        Shape::Named(ModelKind::Struct(mut struct_)) => {
            struct_.rules.extend(rules);
            Shape::Named(ModelKind::Struct(struct_))
        }
        shape => shape,
    }
}

fn kind_of(shape: Shape<'_>) -> (ModelKind, Option<Discriminator<'_>>) {
    match shape {
        Shape::Plain(value) => (ModelKind::Alias(Alias { value: Value { nullable: false, ..value } }), None),
        Shape::Named(kind) => (kind, None),
        Shape::Union(union, discriminator) => (ModelKind::Union(union), discriminator),
    }
}

/// The facts about the schema's model.
pub(crate) fn built<'a>(schema: &Schema<'a>, kind: ModelKind, discriminator: Option<Discriminator<'a>>) -> Built<'a> {
    let filled = |name: &str| schema.text(name).map(str::trim).filter(|text| !text.is_empty());
    let title = filled("title").filter(|title| !says_only(title, &schema.place.location));
    let doc = match (title, filled("description")) {
        (Some(title), Some(description)) if title != description => Some(format!("{title}\n\n{description}")),
        (title, description) => description.or(title).map(str::to_owned),
    };
    Built { doc, deprecated: schema.flag("deprecated"), kind, discriminator }
}

fn use_of(id: ModelId, nullable: bool) -> Value {
    Value { nullable, ..Value::plain(Type::Model(id)) }
}
