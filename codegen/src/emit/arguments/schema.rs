//! JSON Schemas (2020-12) of what the client sends.

use serde_json::{Map, Value, json};

use crate::emit::doc;
use crate::ir::{
    self, Absence, Api, Condition, Constant, Default, Enum, Field, ForeignForm, IntegerKind, JsonType, Model,
    ModelKind, Presence, Rule, Struct, Tagging, Type, Union,
};

/// The keywords of a schema.
pub(super) type Schema = Map<String, Value>;

/// The schema of a model.
pub(super) fn of_model(api: &Api, model: &Model) -> Schema {
    let mut schema = match &model.kind {
        ModelKind::Struct(struct_) => of_struct(api, struct_, None),
        ModelKind::Enum(enum_) => of_enum(enum_),
        ModelKind::Union(union) => of_union(api, union),
        ModelKind::Alias(alias) => of_value(api, &alias.value),
    };
    describe(&mut schema, model.doc.as_deref());
    schema
}

/// The schema of a value.
pub(super) fn of_value(api: &Api, value: &ir::Value) -> Schema {
    let mut schema = of_type(api, &value.ty);
    restrict(&mut schema, &value.rules);
    let is_unsigned = matches!(value.ty, Type::Integer(kind) if kind.range().0 == 0);
    if is_unsigned && !schema.contains_key("minimum") && !schema.contains_key("exclusiveMinimum") {
        schema.insert("minimum".to_owned(), json!(0));
    }
    if value.nullable { or_null(schema) } else { schema }
}

/// The keywords of a JSON object.
pub(super) fn object(schema: Value) -> Schema {
    match schema {
        Value::Object(schema) => schema,
        _ => Map::new(),
    }
}

/// Adds a description in front of the one that is there.
pub(super) fn describe(schema: &mut Schema, text: Option<&str>) {
    let Some(text) = text else { return };
    let there = schema.get("description").and_then(Value::as_str);
    let text = doc::paragraphs([Some(text), there]);
    schema.insert("description".to_owned(), text.into());
}

fn of_type(api: &Api, ty: &Type) -> Schema {
    let text = |format: &str| json!({ "type": "string", "format": format });
    object(match ty {
        Type::Boolean => json!({ "type": "boolean" }),
        Type::Integer(kind) => of_integer(*kind),
        Type::Float | Type::Double | Type::DecimalNumber => json!({ "type": "number" }),
        Type::Decimal => text("decimal"),
        Type::String | Type::Binary => json!({ "type": "string" }),
        Type::Date => text("date"),
        Type::Time => text("time"),
        Type::DateTime => text("date-time"),
        Type::DateTimeLocal => text("date-time-local"),
        Type::Duration => text("duration"),
        Type::Uuid => text("uuid"),
        Type::Ipv4 => text("ipv4"),
        Type::Ipv6 => text("ipv6"),
        Type::Base64 => json!({ "type": "string", "contentEncoding": "base64" }),
        Type::Any => json!({}),
        Type::Array(item) => json!({ "type": "array", "items": of_value(api, item) }),
        Type::Tuple(tuple) => {
            let places: Vec<_> = tuple.places.iter().map(|place| of_value(api, place)).collect();
            let further = tuple.further.as_ref().map_or(json!(false), |item| json!(of_value(api, item)));
            json!({ "type": "array", "minItems": tuple.least, "prefixItems": places, "items": further })
        }
        Type::Map(item) => json!({ "type": "object", "additionalProperties": of_value(api, item) }),
        Type::Model(id) => json!({ "$ref": format!("#/$defs/{}", api.model(*id).name.rust) }),
        Type::Foreign(foreign) => match foreign.form() {
            ForeignForm::Text => json!({ "type": "string" }),
            ForeignForm::Number => json!({ "type": "number" }),
            ForeignForm::Json => foreign.json.map_or_else(|| json!({}), |ty| json!({ "type": ty.name() })),
        },
    })
}

/// The width is a format, which is shorter than its limits.
fn of_integer(kind: IntegerKind) -> Value {
    let format = match kind {
        IntegerKind::I64 | IntegerKind::U64 => return json!({ "type": "integer" }),
        IntegerKind::I8 => "int8",
        IntegerKind::I16 => "int16",
        IntegerKind::I32 => "int32",
        IntegerKind::U8 => "uint8",
        IntegerKind::U16 => "uint16",
        IntegerKind::U32 => "uint32",
    };
    json!({ "type": "integer", "format": format })
}

/// The schema that also allows `null`.
fn or_null(mut schema: Schema) -> Schema {
    if schema.is_empty() {
        return schema;
    }
    let lists_values = schema.contains_key("enum") || schema.contains_key("const");
    match schema.get_mut("type") {
        Some(ty @ Value::String(_)) if !lists_values => {
            *ty = json!([ty, "null"]);
            schema
        }
        _ => object(json!({ "anyOf": [schema, { "type": "null" }] })),
    }
}

/// The members that a request may have, and the tag that a union adds: its name and its values.
fn of_struct(api: &Api, struct_: &Struct, tag: Option<(&str, &[&str])>) -> Schema {
    let mut properties = Map::new();
    let mut required: Vec<&str> = Vec::new();
    if let Some((name, values)) = tag {
        properties.insert(name.to_owned(), json!({ "enum": values }));
        required.push(name);
    }
    for field in struct_.fields.iter().filter(|field| !field.read_only) {
        let name = &field.name.wire;
        if properties.contains_key(name) {
            continue;
        }
        properties.insert(name.clone(), Value::Object(of_field(api, field)));
        if field.absence_on_server != Absence::Allowed {
            required.push(name);
        }
    }
    let mut schema = object(json!({ "type": "object", "properties": properties }));
    if !required.is_empty() {
        schema.insert("required".to_owned(), json!(required));
    }
    match &struct_.additional {
        Some(additional) => {
            restrict(&mut schema, &additional.rules);
            schema.insert("additionalProperties".to_owned(), Value::Object(of_value(api, &additional.value)));
        }
        None if struct_.closed => drop(schema.insert("additionalProperties".to_owned(), json!(false))),
        None => {}
    }
    restrict(&mut schema, &struct_.rules);
    schema
}

fn of_field(api: &Api, field: &Field) -> Schema {
    let mut schema = match &field.constant {
        Some(Constant::String(text)) => object(json!({ "const": text })),
        Some(Constant::Integer(number)) => object(json!({ "const": number })),
        Some(Constant::Boolean(flag)) => object(json!({ "const": flag })),
        None => {
            let schema = of_value(api, &field.value);
            let takes_null = matches!(field.presence, Presence::Nullable | Presence::OptionalNullable);
            if takes_null && !field.value.nullable { or_null(schema) } else { schema }
        }
    };
    describe(&mut schema, field.doc.as_deref());
    if let Some(default) = &field.default {
        schema.insert("default".to_owned(), of_default(api, &field.value.ty, default));
    }
    if field.deprecated {
        schema.insert("deprecated".to_owned(), json!(true));
    }
    schema
}

fn of_enum(enum_: &Enum) -> Schema {
    let value = |text: &String| match enum_.integer {
        Some(_) => number(text),
        None => json!(text),
    };
    let values: Vec<_> = enum_.variants.iter().map(|variant| value(&variant.value)).collect();
    let ty = if enum_.integer.is_some() { "integer" } else { "string" };
    let mut schema = object(json!({ "type": ty, "enum": values }));
    let documented = |variant: &ir::EnumVariant| Some(format!("- `{}`: {}", variant.value, variant.doc.as_deref()?));
    let lines: Vec<_> = enum_.variants.iter().filter_map(documented).collect();
    describe(&mut schema, (!lines.is_empty()).then(|| lines.join("\n")).as_deref());
    schema
}

/// `anyOf`, since readers take the first variant that fits.
fn of_union(api: &Api, union: &Union) -> Schema {
    let variants = union.variants.iter().enumerate().map(|(index, variant)| {
        let mut schema = match &union.tagging {
            Tagging::Discriminator { member, tags, written_by_variant, untagged, unmapped } => {
                let tags: Vec<&str> = tags.iter().filter(|(_, of)| *of == index).map(|(tag, _)| tag.as_str()).collect();
                let is_open = untagged.contains(&index) || *unmapped == Some(index);
                let is_written = written_by_variant.get(index).copied().unwrap_or_default();
                tagged(api, &variant.value, member, &tags, is_open, is_written)
            }
            Tagging::JsonType(_) | Tagging::RequiredMember(_) | Tagging::Ordered => of_value(api, &variant.value),
        };
        describe(&mut schema, variant.doc.as_deref());
        Value::Object(schema)
    });
    object(json!({ "anyOf": variants.collect::<Vec<_>>() }))
}

/// A variant with its tag, unless it is read without one.
fn tagged(api: &Api, value: &ir::Value, member: &str, tags: &[&str], is_open: bool, is_written: bool) -> Schema {
    if tags.is_empty() || is_open {
        return of_value(api, value);
    }
    if let Some(ModelKind::Struct(struct_)) = api.kind(&value.ty) {
        let own = struct_.fields.iter().find(|field| field.name.wire == member);
        match own {
            _ if !is_written => return of_struct(api, struct_, Some((member, tags))),
            Some(field) if field.constant.is_some() => return of_value(api, value),
            Some(_) | None => {}
        }
    }
    let has_tag = json!({ "type": "object", "properties": { member: { "enum": tags } }, "required": [member] });
    object(json!({ "allOf": [of_value(api, value), has_tag] }))
}

/// The value of a `default`.
pub(super) fn of_default(api: &Api, ty: &Type, default: &Default) -> Value {
    match default {
        Default::Boolean(flag) => json!(flag),
        Default::Number(text) => number(text),
        Default::String(text) => json!(text),
        Default::Variant(index) => match api.kind(ty) {
            Some(ModelKind::Enum(enum_)) => {
                let text = enum_.variants.get(*index).map(|variant| variant.value.as_str()).unwrap_or_default();
                if enum_.integer.is_some() { number(text) } else { json!(text) }
            }
            _ => Value::Null,
        },
        Default::Array(items) => match api.resolved(ty) {
            Type::Array(item) => items.iter().map(|default| of_default(api, &item.ty, default)).collect(),
            _ => Value::Null,
        },
        Default::OfVariant(rust, own) => match api.kind(ty) {
            Some(ModelKind::Union(union)) => {
                let variant = union.variants.iter().find(|variant| variant.rust == *rust);
                variant.map_or(Value::Null, |variant| of_default(api, &variant.value.ty, own))
            }
            _ => Value::Null,
        },
    }
}

/// Adds the keywords of rules.
pub(super) fn restrict(schema: &mut Schema, rules: &[Rule]) {
    let of_rules = |rules: &[Rule]| {
        let mut schema = Schema::new();
        restrict(&mut schema, rules);
        schema
    };
    for rule in rules {
        let (keyword, value) = match rule {
            Rule::Minimum(limit) => ("minimum", number(limit)),
            Rule::Maximum(limit) => ("maximum", number(limit)),
            Rule::ExclusiveMinimum(limit) => ("exclusiveMinimum", number(limit)),
            Rule::ExclusiveMaximum(limit) => ("exclusiveMaximum", number(limit)),
            Rule::MultipleOf(factor) => ("multipleOf", number(factor)),
            Rule::MinLength(length) => ("minLength", json!(length)),
            Rule::MaxLength(length) => ("maxLength", json!(length)),
            Rule::Pattern(pattern) => ("pattern", json!(pattern)),
            Rule::Format(format) => ("format", json!(format)),
            Rule::MinItems(count) => ("minItems", json!(count)),
            Rule::MaxItems(count) => ("maxItems", json!(count)),
            Rule::UniqueItems => ("uniqueItems", json!(true)),
            Rule::MinProperties(count) => ("minProperties", json!(count)),
            Rule::MaxProperties(count) => ("maxProperties", json!(count)),
            Rule::Names(rules) => ("propertyNames", Value::Object(of_rules(rules))),
            Rule::Matching(pattern, rules) => ("patternProperties", json!({ pattern: of_rules(rules) })),
            Rule::OneOf(values) => ("enum", json!(values)),
            Rule::Numbers(values) => ("enum", values.iter().map(|text| number(text)).collect()),
            Rule::Boolean(only) => ("const", json!(only)),
            Rule::Listed(values) => ("enum", values.iter().map(|text| number(text)).collect()),
            Rule::Kind(JsonType::Number) => ("type", json!("number")),
            Rule::Kind(ty) => ("type", json!(ty.name())),
            // References in it are from its own root; the service checks what they lead to.
            Rule::Schema(schema) if schema.contains("\"$defs\"") => continue,
            Rule::Schema(schema) => ("allOf", json!([number(schema)])),
            Rule::Together(condition) => ("allOf", json!([of_condition(condition)])),
        };
        add(schema, keyword, value);
    }
}

/// Adds a keyword. Lists and objects of schemas are joined; of other keywords, both have to hold.
fn add(schema: &mut Schema, keyword: &str, value: Value) {
    match (schema.get_mut(keyword), value) {
        (None, value) => drop(schema.insert(keyword.to_owned(), value)),
        (Some(Value::Array(there)), Value::Array(more)) if keyword == "allOf" => there.extend(more),
        (Some(Value::Object(there)), Value::Object(more)) if keyword == "patternProperties" => there.extend(more),
        (Some(there), value) if *there != value => add(schema, "allOf", json!([{ keyword: value }])),
        (Some(_), _) => {}
    }
}

fn of_condition(condition: &Condition) -> Value {
    let list = |conditions: &[Condition]| conditions.iter().map(of_condition).collect::<Value>();
    match condition {
        Condition::Has(names) => json!({ "required": names }),
        Condition::Not(condition) => json!({ "not": of_condition(condition) }),
        Condition::With(first, names) => json!({ "dependentRequired": { first: names } }),
        Condition::All(conditions) => json!({ "allOf": list(conditions) }),
        Condition::Any(conditions) => json!({ "anyOf": list(conditions) }),
        Condition::One(conditions) => json!({ "oneOf": list(conditions) }),
    }
}

/// A number, or other JSON, from its text; the text itself if it is neither.
fn number(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| json!(text))
}
