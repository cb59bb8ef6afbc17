//! Names of variants.

use super::is_name;
use crate::ir::Type;
use crate::lower::name;
use crate::lower::node::Node;
use crate::lower::overrides::Overrides;
use crate::lower::reference::Resolver;
use crate::lower::schema::all_of::{Schema, schema_at};
use crate::lower::schema::field::constant;
use crate::lower::schema::format;
use crate::lower::schema::type_name::schema_rust_name;
use crate::lower::schema::types::{ARRAY, BOOLEAN, INTEGER, NUMBER, OBJECT, STRING, types};

/// The name of an array without details.
const ARRAYS: &str = "Array";
/// The name of an object without details.
const OBJECTS: &str = "Object";

/// Names by schema, title or type; equal names are distinguished by content. The titles of variants often begin with the
/// name of the `union`.
pub(crate) fn variant_names<'a>(
    resolver: &mut Resolver<'a>,
    overrides: &mut Overrides<'a>,
    schemas: &[Schema<'a>],
    union: &str,
) -> Vec<String> {
    let mut names: Vec<_> = schemas.iter().map(|schema| variant_name(resolver, overrides, schema)).collect();
    for (name, _) in names.iter_mut().zip(schemas).filter(|(_, schema)| schema.target.is_none()) {
        let rest = name.strip_prefix(union).filter(|rest| rest.starts_with(|first: char| first.is_ascii_uppercase()));
        if let Some(rest) = rest {
            *name = rest.to_owned();
        }
    }
    let is_repeated = |name: &String| names.iter().filter(|other| *other == name).count() > 1;
    let repeated: Vec<_> = names.iter().map(is_repeated).collect();
    let constants = if repeated.contains(&true) {
        schemas.iter().map(|schema| constants(resolver, schema)).collect()
    } else {
        Vec::new()
    };
    let closer = |(index, name): (usize, &String)| match types(&schemas[index])[..] {
        _ if !repeated[index] => None,
        [ARRAY] if name == ARRAYS => Some(array_of(resolver, overrides, &schemas[index])),
        [OBJECT] if name == OBJECTS => only_member(schemas, index),
        [OBJECT] if !has_own_name(&schemas[index]) => only_constant(&constants, index)
            .or_else(|| only_member(schemas, index).map(|member| format!("{name}{member}"))),
        _ => None,
    };
    let closer: Vec<_> = names.iter().enumerate().map(closer).collect();
    names.into_iter().zip(closer).map(|(name, closer)| closer.unwrap_or(name)).collect()
}

/// The name by schema, title or type.
fn variant_name<'a>(resolver: &mut Resolver<'a>, overrides: &mut Overrides<'a>, schema: &Schema<'a>) -> String {
    if let Some(target) = &schema.target {
        return schema_rust_name(resolver, overrides, target);
    }
    let title = schema.text("title").filter(|title| is_name(title));
    if let Some(title) = title {
        return name::pascal(title);
    }
    let word = match types(schema)[..] {
        [STRING] => {
            let only = constant(schema).map(|only| only.text());
            if let Some(only) = only.filter(|only| is_name(only)) {
                return name::pascal(&only);
            }
            let format = schema.keyword("format").and_then(|node| node.value.as_str());
            let is_type = |format: &&str| format::ty(STRING, format).is_some_and(|ty| ty != Type::String);
            format.filter(is_type).unwrap_or("string")
        }
        [INTEGER] => "integer",
        [NUMBER] => "number",
        [BOOLEAN] => "boolean",
        [ARRAY] => return array_name(resolver, overrides, schema),
        [OBJECT] => return object_name(resolver, schema),
        _ => "variant",
    };
    name::pascal(word)
}

/// `CatArray` for an array of `#/components/schemas/Cat`.
fn array_name<'a>(resolver: &mut Resolver<'a>, overrides: &mut Overrides<'a>, schema: &Schema<'a>) -> String {
    let items = schema.keyword("items").map(|items| schema_at(resolver, &items));
    match items {
        Some(items) if items.target.is_some() => format!("{}Array", variant_name(resolver, overrides, &items)),
        _ => ARRAYS.to_owned(),
    }
}

/// `IntegerArray` for an array of integers.
fn array_of<'a>(resolver: &mut Resolver<'a>, overrides: &mut Overrides<'a>, schema: &Schema<'a>) -> String {
    let Some(items) = schema.keyword("items").map(|items| schema_at(resolver, &items)) else {
        return ARRAYS.to_owned();
    };
    match types(&items)[..] {
        [] if items.target.is_none() => ARRAYS.to_owned(),
        [ARRAY] if items.target.is_none() => format!("{}Array", array_of(resolver, overrides, &items)),
        _ => format!("{}Array", variant_name(resolver, overrides, &items)),
    }
}

/// Names an object by a constant member.
fn object_name<'a>(resolver: &mut Resolver<'a>, schema: &Schema<'a>) -> String {
    constants(resolver, schema).into_iter().next().unwrap_or_else(|| OBJECTS.to_owned())
}

/// The values of constant members, as names.
fn constants<'a>(resolver: &mut Resolver<'a>, schema: &Schema<'a>) -> Vec<String> {
    let members: Vec<_> = schema.parts.iter().flat_map(|part| part.members("properties")).collect();
    let constant = |(_, node): (&str, Node<'a>)| constant(&schema_at(resolver, &node));
    members.into_iter().filter_map(constant).map(|constant| name::pascal(&constant.text())).collect()
}

/// Whether it has a schema name or a title.
fn has_own_name(schema: &Schema<'_>) -> bool {
    schema.target.is_some() || schema.text("title").is_some_and(is_name)
}

/// The first constant that no other of these objects has.
fn only_constant(constants: &[Vec<String>], index: usize) -> Option<String> {
    let is_others =
        |value: &String| constants.iter().enumerate().any(|(other, values)| other != index && values.contains(value));
    constants[index].iter().find(|value| !is_others(value)).cloned()
}

/// The first member that no other of these objects has, preferring required ones.
fn only_member(schemas: &[Schema<'_>], index: usize) -> Option<String> {
    let members = |schema: &Schema<'_>| -> Vec<String> {
        let all = schema.parts.iter().flat_map(|part| part.members("properties"));
        all.map(|(name, _)| name.to_owned()).collect()
    };
    let others = schemas.iter().enumerate().filter(|(other, _)| *other != index);
    let taken: Vec<_> = others.flat_map(|(_, schema)| members(schema)).collect();
    let mut own = members(&schemas[index]);
    own.retain(|name| is_name(name) && !taken.contains(name));
    let required: Vec<_> = schemas[index].parts.iter().flat_map(|part| part.texts("required")).collect();
    let certain = own.iter().find(|name| required.contains(&name.as_str()));
    certain.or(own.first()).map(|name| name::pascal(name))
}
