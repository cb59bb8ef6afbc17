//! The Schema Object of OpenAPI 3.1 and later: JSON Schema 2020-12, with common mistakes.

use serde_json::{Map, Value};

use super::openapi_3_0::schema::{TYPES_OR_NULL, schema_as_type};
use super::openapi_3_0::{DESCRIPTION, DISCRIMINATOR, EXTERNAL_DOCS, XML, repair};
use super::repairs::Repairs;
use super::shape::{Need, Object, Shape, detail, optional};
use crate::location::Path;

type Members = Map<String, Value>;

pub(super) static SCHEMA: Object = Object::new("Schema").rule(schema).fields(&[
    optional(&["$ref"], Shape::Reference(&SCHEMA)),
    optional(
        &["$id", "$anchor", "$dynamicAnchor", "pattern", "format", "contentEncoding", "contentMediaType"],
        Shape::String,
    ),
    optional(&["$defs", "dependentSchemas", "properties", "patternProperties"], Shape::Map(&Shape::Schema)),
    detail(&["$schema", "title"], Shape::String),
    detail(&["$vocabulary", "$comment", "example"], Shape::Any),
    // The name of `$defs` in older drafts.
    optional(&["definitions"], Shape::Map(&Shape::Schema)),
    optional(&["type"], Shape::OneOrSeveral(TYPES_OR_NULL)),
    optional(&["enum"], Shape::Array(&Shape::Any)),
    optional(&["const", "default"], Shape::Any),
    optional(&["multipleOf", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum"], Shape::Number),
    optional(
        &[
            "maxLength",
            "minLength",
            "maxItems",
            "minItems",
            "maxContains",
            "minContains",
            "maxProperties",
            "minProperties",
        ],
        Shape::Count,
    ),
    optional(&["uniqueItems", "deprecated", "readOnly", "writeOnly"], Shape::Boolean),
    optional(&["required"], Shape::Array(&Shape::String)),
    optional(&["dependentRequired"], Shape::Map(&Shape::Array(&Shape::String))),
    optional(&["allOf", "anyOf", "oneOf", "prefixItems"], Shape::Array(&Shape::Schema)),
    optional(
        &[
            "not",
            "if",
            "then",
            "else",
            "items",
            "contains",
            "additionalProperties",
            "propertyNames",
            "unevaluatedItems",
            "unevaluatedProperties",
            "contentSchema",
        ],
        Shape::Schema,
    ),
    DESCRIPTION,
    detail(&["examples"], Shape::Array(&Shape::Any)),
    // From OpenAPI 3.0; the meaning is unambiguous.
    optional(&["nullable"], Shape::Boolean),
    optional(&["discriminator"], Shape::Object(&DISCRIMINATOR)),
    detail(&["xml"], Shape::Object(&XML)),
    EXTERNAL_DOCS,
]);

/// The shape of a keyword of this version in a schema of an older version, if the meaning is the same.
pub(super) fn word(name: &str) -> Option<&'static Shape> {
    let names_places = matches!(name, "$ref" | "$id" | "$anchor" | "$dynamicAnchor");
    let field = SCHEMA.field(name).filter(|field| !names_places && field.need != Need::Detail)?;
    Some(&field.shape)
}

/// Repairs obvious mistakes.
fn schema(members: &mut Members, repairs: &mut Repairs<'_>, path: &Path<'_>) {
    schema_as_type(members, repairs, path);
    null_types(members, repairs, path);
    for (bound, exclusive) in [("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")] {
        exclusive_bound(members, bound, exclusive, repairs, path);
    }
    if members.get("nullable").is_some_and(|nullable| nullable == true) {
        repairs.repaired(&Path::Member(path, "nullable"), "`nullable` is OpenAPI 3.0; `null` among the types is meant");
    }
    repair(members, repairs, path);
}

/// `type: null`, `type: [string, null]`: YAML reads an unquoted `null` as null.
fn null_types(members: &mut Members, repairs: &mut Repairs<'_>, path: &Path<'_>) {
    let at = Path::Member(path, "type");
    let mut meant = |value: &mut Value, path: &Path<'_>| {
        if value.is_null() {
            repairs.repaired(path, "the string `\"null\"` is meant");
            *value = "null".into();
        }
    };
    match members.get_mut("type") {
        Some(Value::Array(types)) => {
            types.iter_mut().enumerate().for_each(|(index, ty)| meant(ty, &Path::Item(&at, index)));
        }
        Some(ty) => meant(ty, &at),
        None => {}
    }
}

/// `minimum: 5` with `exclusiveMinimum: true` is OpenAPI 3.0.
fn exclusive_bound(members: &mut Members, bound: &str, exclusive: &str, repairs: &mut Repairs<'_>, path: &Path<'_>) {
    let Some(Value::Bool(is_exclusive)) = members.get(exclusive) else { return };
    let at = Path::Member(path, exclusive);
    match members.get(bound).cloned() {
        Some(number) if *is_exclusive => {
            repairs.repaired(&at, format!("`true` is OpenAPI 3.0; `{exclusive}: {number}` is meant"));
            members.insert(exclusive.to_owned(), number);
            members.shift_remove(bound);
        }
        Some(_) | None => {
            repairs.repaired(
                &at,
                format!("a boolean is from OpenAPI 3.0 and has no meaning here; `{exclusive}` was removed"),
            );
            members.shift_remove(exclusive);
        }
    }
}
