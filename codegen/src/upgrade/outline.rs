//! The tree without operations, schemas, callbacks and examples, from which the object model is read.
//!
//! The object model is that of OpenAPI 3.0, and its schemas are lossy. Schemas are read from the tree, so
//! newer schemas need no conversion to 3.0.

use openapiv3::OpenAPI;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::openapi_3_0::{HEADER, OPENAPI, OPERATION, PARAMETER, PATH_ITEM, REQUEST_BODY, RESPONSE};
use super::shape::{Field, Object, Shape, article};

/// An object of the object model, with its definition in the specification.
pub(crate) trait Part: DeserializeOwned {
    /// The expected definition.
    #[expect(private_interfaces, reason = "implemented here only")]
    const OBJECT: &'static Object;

    /// A noun with article: `a Parameter Object`.
    fn noun() -> String {
        format!("{} {} Object", article(Self::OBJECT.name), Self::OBJECT.name)
    }
}

macro_rules! parts {
    ($($part:ty, $object:ident;)*) => {
        $(impl Part for $part {
            #[expect(private_interfaces, reason = "implemented here only")]
            const OBJECT: &'static Object = &$object;
        })*
    };
}

parts! {
    OpenAPI, OPENAPI;
    openapiv3::PathItem, PATH_ITEM;
    openapiv3::Operation, OPERATION;
    openapiv3::Parameter, PARAMETER;
    openapiv3::RequestBody, REQUEST_BODY;
    openapiv3::Response, RESPONSE;
    openapiv3::Header, HEADER;
}

/// Reads an object of the object model.
pub(crate) fn read<T: Part>(value: &Value) -> serde_json::Result<T> {
    serde_json::from_value(object(value, T::OBJECT))
}

fn object(value: &Value, object: &Object) -> Value {
    let Value::Object(members) = value else { return value.clone() };
    if object.reference
        && let Some(reference) = members.get("$ref")
    {
        return Value::Object(Map::from_iter([("$ref".to_owned(), reference.clone())]));
    }
    let kept = members.iter().filter_map(|(name, value)| {
        let shape = match object.field(name) {
            Some(field) if is_kept(name, field) => &field.shape,
            None if !name.starts_with("x-") => object.others.as_ref()?,
            Some(_) | None => return None,
        };
        Some((name.clone(), outlined(value, shape)))
    });
    Value::Object(kept.collect())
}

/// Components and operations are read later, one at a time. The object model has no `$ref` in callbacks, and
/// callbacks, examples and links are not read from it.
fn is_kept(name: &str, field: &Field) -> bool {
    let is_operation = matches!(field.shape, Shape::Object(object) if object.name == OPERATION.name);
    let others =
        ["components", "webhooks", "additionalOperations", "callbacks", "example", "examples", "links"].contains(&name);
    !is_operation && !others
}

fn outlined(value: &Value, shape: &Shape) -> Value {
    match (shape, value) {
        (Shape::Schema | Shape::BooleanOrSchema, _) => Value::Object(Map::new()),
        (Shape::Object(inner), value) => object(value, inner),
        (Shape::Array(item), Value::Array(items)) => items.iter().map(|value| outlined(value, item)).collect(),
        (Shape::Map(item), Value::Object(members)) => {
            members.iter().map(|(name, value)| (name.clone(), outlined(value, item))).collect()
        }
        (_, value) => value.clone(),
    }
}
