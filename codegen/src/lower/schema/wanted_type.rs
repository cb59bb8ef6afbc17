//! Types that the configuration or an extension chooses for schemas.

use super::all_of::{Schema, resolved_schema};
use super::primitive::{boolean, number_of, string_of};
use super::types::{ARRAY, BOOLEAN, INTEGER, NUMBER, OBJECT, STRING, types};
use crate::ir::{JsonType, Type, Value};
use crate::lower::overrides::Overrides;
use crate::lower::overrides::ty::{WantedFor, format_override, has_format_overrides, rust_type, type_override};
use crate::lower::reference::Resolver;
use crate::lower::reporter::Reporter;

/// The user's type for a value of the schema.
pub(crate) fn overridden_value<'a>(
    resolver: &mut Resolver<'a>,
    overrides: &mut Overrides<'a>,
    schema: &Schema<'a>,
) -> Option<Value> {
    let (wanted, place) = type_override(resolver, overrides, &schema.place, &schema.written)?;
    let schema = resolved_schema(resolver, &schema.place);
    let format = schema.keyword("format").and_then(|format| format.value.as_str());
    let of = WantedFor { json: json_type(&schema), format, schema: &schema.place.location };
    let ty = rust_type(&mut resolver.reporter, overrides, &wanted, of, &place)?;
    Some(checked_value(&mut resolver.reporter, ty, &schema))
}

/// The user's type for the format of a schema of type `ty`.
pub(crate) fn overridden_format<'a>(
    reporter: &mut Reporter<'_>,
    overrides: &mut Overrides<'a>,
    schema: &Schema<'a>,
    ty: &str,
) -> Option<Value> {
    if !has_format_overrides(overrides) {
        return None;
    }
    let format = schema.keyword("format")?;
    let name = format.value.as_str()?;
    let (wanted, place) = format_override(overrides, name)?;
    let place = place.unwrap_or(format.location);
    let of = WantedFor { json: json_of(ty), format: Some(name), schema: &schema.place.location };
    let ty = rust_type(reporter, overrides, wanted, of, &place)?;
    Some(checked_value(reporter, ty, schema))
}

/// Built-in types are checked by the schema's rules, foreign ones check themselves.
fn checked_value(reporter: &mut Reporter<'_>, ty: Type, schema: &Schema<'_>) -> Value {
    match ty {
        Type::String => string_of(reporter, schema, ""),
        Type::Boolean => boolean(schema),
        Type::Integer(_) | Type::Float | Type::Double | Type::DecimalNumber => number_of(schema, ty),
        _ => Value::plain(ty),
    }
}

/// The JSON type of all values of the schema.
fn json_type(schema: &Schema<'_>) -> Option<JsonType> {
    match types(schema)[..] {
        [INTEGER, NUMBER] | [NUMBER, INTEGER] => Some(JsonType::Number),
        [only] => json_of(only),
        [] => {
            let values: Vec<_> = schema
                .parts
                .iter()
                .flat_map(|part| part.items("enum"))
                .filter(|value| !value.value.is_null())
                .collect();
            let all_text = !values.is_empty() && values.iter().all(|value| value.value.is_string());
            all_text.then_some(JsonType::String)
        }
        _ => None,
    }
}

fn json_of(ty: &str) -> Option<JsonType> {
    match ty {
        STRING => Some(JsonType::String),
        NUMBER | INTEGER => Some(JsonType::Number),
        BOOLEAN => Some(JsonType::Boolean),
        ARRAY => Some(JsonType::Array),
        OBJECT => Some(JsonType::Object),
        _ => None,
    }
}
