//! The shape of a value in a parameter or a header: one text, a list of texts, or named texts.

use crate::diagnostic::{Code, Diagnostic};
use crate::ir::{ForeignForm, MAX_TYPE_DEPTH, ModelKind, ParameterShape, ParameterStyle, Type, Value};
use crate::location::Location;
use crate::lower::reporter::Reporter;
use crate::lower::schema::alias::{resolved_kind, without_aliases};
use crate::lower::schema::build_model;
use crate::lower::schema::reader::Reader;

/// A type that parameters cannot represent.
enum Misfit {
    /// One text or a list of them, which is the same as a list.
    OneOrMany(Value),
    /// It has several shapes.
    Mixed,
}

/// The shape of the value. An unsupported type is replaced by a similar one.
pub(crate) fn parameter_shape(
    reader: &mut Reader<'_>,
    value: &mut Value,
    name: &str,
    location: &Location,
) -> ParameterShape {
    if let Some(ty) = texts_for_any(reader, &value.ty, 0) {
        value.ty = ty;
    }
    if let Some(items) = items_of_items(reader, value) {
        report_untyped(&mut reader.resolver.reporter, name, location).label("nested lists are treated as one list");
        value.ty = Type::Array(Box::new(items));
    }
    match shape_of_type(reader, &value.ty, 0) {
        Ok(shape) => {
            // Texts are never `null`.
            if let Type::Array(item) | Type::Map(item) = &mut value.ty {
                item.nullable = false;
            }
            shape
        }
        Err(Misfit::OneOrMany(item)) => {
            *value = Value::plain(Type::Array(Box::new(item)));
            ParameterShape::Array
        }
        Err(Misfit::Mixed) => {
            report_untyped(&mut reader.resolver.reporter, name, location).label("any text is accepted");
            *value = Value::plain(Type::String);
            ParameterShape::Primitive
        }
    }
}

/// The items of nested lists, `items: { $ref }` to a list of texts, which can only be one list.
fn items_of_items(reader: &mut Reader<'_>, value: &Value) -> Option<Value> {
    let Type::Array(item) = &value.ty else { return None };
    let Type::Model(_) = item.ty else { return None };
    let Type::Array(inner) = without_aliases(reader, item).ty else { return None };
    is_text(reader, &inner.ty).then_some(*inner)
}

/// Whether it is a union of objects and other types, which `deepObject` tells apart.
pub(crate) fn has_several_shapes(reader: &mut Reader<'_>, ty: &Type) -> bool {
    let is_union = matches!(resolved_kind(reader, ty), Some(ModelKind::Union(_)));
    is_union && matches!(shape_of_type(reader, ty, 0), Err(Misfit::Mixed))
}

/// The type with texts in place of arbitrary JSON, at any depth; `None` if there is no such place.
fn texts_for_any(reader: &mut Reader<'_>, ty: &Type, depth: usize) -> Option<Type> {
    if depth > MAX_TYPE_DEPTH {
        return None;
    }
    match ty {
        Type::Any => Some(Type::String),
        Type::Array(item) => {
            let ty = texts_for_any(reader, &item.ty, depth + 1)?;
            Some(Type::Array(Box::new(Value { ty, ..(**item).clone() })))
        }
        Type::Map(item) => {
            let ty = texts_for_any(reader, &item.ty, depth + 1)?;
            Some(Type::Map(Box::new(Value { ty, ..(**item).clone() })))
        }
        Type::Model(id) => {
            build_model(reader, *id);
            match reader.models.kind(*id).cloned() {
                Some(ModelKind::Alias(alias)) => texts_for_any(reader, &alias.value.ty, depth + 1),
                Some(ModelKind::Struct(_) | ModelKind::Enum(_) | ModelKind::Union(_)) | None => None,
            }
        }
        _ => None,
    }
}

/// Reports a type without a text form.
pub(crate) fn report_untyped<'r>(
    reporter: &'r mut Reporter<'_>,
    name: &str,
    location: &Location,
) -> &'r mut Diagnostic {
    reporter.report(Code::UntypedParameter, location, format!("the type of `{name}` has no form as a parameter")).help(
        "texts, lists of texts and objects of texts have one; for others there is `content: { application/json: … }`",
    )
}

/// Whether the style can represent the values: lists and maps hold one text each; lists of `deepObject` may
/// hold objects.
pub(crate) fn has_form(reader: &mut Reader<'_>, ty: &Type, style: ParameterStyle) -> bool {
    match ty {
        Type::Array(item) if !item.nullable => match shape_of_type(reader, &item.ty, 0) {
            Ok(ParameterShape::Primitive) => item.ty != Type::Any,
            Ok(ParameterShape::Object) => {
                style == ParameterStyle::DeepObject
                    && matches!(&item.ty, Type::Model(id) if matches!(reader.models.kind(*id), Some(ModelKind::Struct(_))))
            }
            Ok(ParameterShape::Array | ParameterShape::Several) => false,
            Err(_) => style == ParameterStyle::DeepObject && has_several_shapes(reader, &item.ty),
        },
        Type::Map(item) if !item.nullable => {
            item.ty != Type::Any && matches!(shape_of_type(reader, &item.ty, 0), Ok(ParameterShape::Primitive))
        }
        Type::Array(_) | Type::Map(_) | Type::Tuple(_) => false,
        Type::Foreign(foreign) => foreign.form() != ForeignForm::Json,
        Type::Model(id) => match reader.models.kind(*id).cloned() {
            Some(ModelKind::Alias(alias)) => has_form(reader, &alias.value.ty, style),
            Some(ModelKind::Struct(_) | ModelKind::Enum(_) | ModelKind::Union(_)) | None => true,
        },
        _ => true,
    }
}

/// Whether each value is one text, also behind aliases.
pub(crate) fn is_text(reader: &mut Reader<'_>, ty: &Type) -> bool {
    texts_for_any(reader, ty, 0).is_none() && matches!(shape_of_type(reader, ty, 0), Ok(ParameterShape::Primitive))
}

/// Whether it is a list of texts, also behind aliases.
pub(crate) fn is_list_of_texts(reader: &mut Reader<'_>, ty: &Type) -> bool {
    matches!(shape_of_type(reader, ty, 0), Ok(ParameterShape::Array)) && has_form(reader, ty, ParameterStyle::Form)
}

fn shape_of_type(reader: &mut Reader<'_>, ty: &Type, depth: usize) -> Result<ParameterShape, Misfit> {
    if depth > MAX_TYPE_DEPTH {
        return Err(Misfit::Mixed);
    }
    match ty {
        Type::Array(_) | Type::Tuple(_) => Ok(ParameterShape::Array),
        Type::Map(_) => Ok(ParameterShape::Object),
        // A type without text is always JSON, like an object in a list.
        Type::Foreign(foreign) => match foreign.form() {
            ForeignForm::Text | ForeignForm::Number => Ok(ParameterShape::Primitive),
            ForeignForm::Json => Ok(ParameterShape::Object),
        },
        Type::Model(id) => {
            build_model(reader, *id);
            match reader.models.kind(*id).cloned() {
                Some(ModelKind::Enum(_)) => Ok(ParameterShape::Primitive),
                Some(ModelKind::Struct(_)) => Ok(ParameterShape::Object),
                Some(ModelKind::Alias(alias)) => shape_of_type(reader, &alias.value.ty, depth + 1),
                Some(ModelKind::Union(union)) => {
                    let values: Vec<_> = union.variants.into_iter().map(|variant| variant.value).collect();
                    shape_of_variants(reader, &values, depth)
                }
                None => Err(Misfit::Mixed),
            }
        }
        _ => Ok(ParameterShape::Primitive),
    }
}

fn shape_of_variants(reader: &mut Reader<'_>, values: &[Value], depth: usize) -> Result<ParameterShape, Misfit> {
    let mut shapes = Vec::new();
    for value in values {
        shapes.push(shape_of_type(reader, &value.ty, depth + 1)?);
    }
    let (Some(first), Some(_)) = (shapes.first(), values.first()) else { return Err(Misfit::Mixed) };
    if shapes.iter().all(|shape| shape == first) {
        return Ok(*first);
    }
    let has_objects = values.iter().any(|value| match &value.ty {
        Type::Array(item) => matches!(shape_of_type(reader, &item.ty, depth + 1), Ok(ParameterShape::Object)),
        _ => false,
    });
    if has_objects || shapes.contains(&ParameterShape::Object) {
        return Err(Misfit::Mixed);
    }
    // `oneOf: [string, array of strings]` has the common item.
    let items: Vec<_> = values
        .iter()
        .map(|value| match &value.ty {
            Type::Array(item) => (**item).clone(),
            _ => value.clone(),
        })
        .collect();
    let same = items.iter().all(|item| item.ty == items[0].ty);
    Err(Misfit::OneOrMany(if same { items[0].clone() } else { Value::plain(Type::String) }))
}
