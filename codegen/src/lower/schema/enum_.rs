//! `enum`: the values and the names of their variants.

use serde_json::Value as Json;

use super::Shape;
use super::all_of::Schema;
use super::primitive::{holds, integer_value};
use super::reader::Reader;
use super::types::{ARRAY, BOOLEAN, INTEGER, NUMBER, OBJECT, STRING, names_null, types};
use super::union::type_union;
use crate::diagnostic::Code;
use crate::ir::{self, Enum, EnumVariant, IntegerKind, ModelKind, Rule, Type, Value};
use crate::lower::node::Node;
use crate::lower::overrides::Overrides;
use crate::lower::overrides::name::{requested_name, unique_names};
use crate::lower::reference::Resolver;
use crate::lower::reporter::Reporter;
use crate::lower::{name, overrides};

/// A value of `enum` or `const`, with extensions.
pub(crate) struct ListedValue<'a> {
    pub(crate) value: Node<'a>,
    pub(crate) name: Option<String>,
    pub(crate) doc: Option<String>,
    /// The value's own schema, if it is a constant there: it names the variant.
    pub(crate) schema: Option<Node<'a>>,
}

/// The enum of the schema, if it lists values. Numbers and booleans keep their type and get a rule; values of
/// several types become a union.
pub(crate) fn enum_shape<'a>(reader: &mut Reader<'a>, schema: &Schema<'a>, hint: &str) -> Option<Shape<'a>> {
    let last = schema.parts.iter().rfind(|node| node.has("enum") || node.has("const"));
    if let Some(last) = last.filter(|_| schema.only.is_none() && lists_nothing(schema)) {
        reader
            .report(Code::Contradiction, &last.location, "no value of this list is in the other lists that apply here")
            .label("none of the lists is checked");
    }
    let values = listed_values(schema).filter(|values| !values.is_empty())?;
    if schema.only.is_none() {
        report_null_without_effect(&mut reader.resolver.reporter, schema);
    }
    let said = types(schema);
    let mut values = values;
    if said == [INTEGER] {
        report_huge(&mut reader.resolver.reporter, &mut values);
    }
    if values.is_empty() {
        return None;
    }
    let all = |test: &dyn Fn(&Json) -> bool| values.iter().all(|value| test(value.value.value));
    let ty = match said[..] {
        [STRING] => STRING,
        _ if (said.is_empty() || said.contains(&STRING)) && all(&Json::is_string) => STRING,
        [INTEGER] if all(&|value| integer(value).is_some()) => INTEGER,
        [NUMBER] if all(&Json::is_number) => return None,
        [BOOLEAN] if all(&Json::is_boolean) => return None,
        _ => return mixed(reader, schema, &said, &values, hint),
    };
    let kind = match integer_value(&mut reader.resolver.reporter, schema).ty {
        Type::Integer(kind) if ty == INTEGER => kind,
        _ => IntegerKind::I64,
    };
    let names_accepted = schema.parts.iter().any(|node| node.flag("x-enum-names-accepted"));
    Some(enum_of(&mut reader.resolver, &mut reader.overrides, ty, kind, values, names_accepted))
}

/// Drops integers beyond 64 bits, which JSON printers round.
fn report_huge(reporter: &mut Reporter<'_>, values: &mut Vec<ListedValue<'_>>) {
    values.retain(|value| {
        let is_huge = value.value.value.as_f64().is_some_and(|number| number.fract() == 0.0)
            && integer(value.value.value).is_none();
        if is_huge {
            let message = format!("no 64-bit integer is {}", value.value.value);
            let place = &value.value.location;
            reporter.report(Code::UncheckedConstraint, place, message).label("left out of the values of the `enum`");
        }
        !is_huge
    });
}

/// `type: [string, "null"], enum: [a, b]`
fn report_null_without_effect(reporter: &mut Reporter<'_>, schema: &Schema<'_>) {
    for node in &schema.parts {
        let listed = listed(node);
        let forbids = !listed.is_empty() && listed.iter().all(|value| !value.value.value.is_null());
        if forbids && names_null(node) && !node.flag("nullable") {
            reporter
                .report(Code::NotUsed, &node.location.member("type"), "`null` is not among the values")
                .label("without effect: `enum` allows nothing but its values")
                .help("add `null` to the values if it is one");
        }
    }
}

/// Values with several allowed types.
fn mixed<'a>(
    reader: &mut Reader<'a>,
    schema: &Schema<'a>,
    said: &[&'static str],
    values: &[ListedValue<'a>],
    hint: &str,
) -> Option<Shape<'a>> {
    let is_whole = values
        .iter()
        .filter(|value| value.value.value.is_number())
        .all(|value| !said.contains(&NUMBER) && integer(value.value.value).is_some());
    let mut types = Vec::new();
    for value in values {
        let ty = match value.value.value {
            Json::String(_) => Some(STRING),
            Json::Number(_) => Some(if is_whole { INTEGER } else { NUMBER }),
            Json::Bool(_) => Some(BOOLEAN),
            Json::Null | Json::Array(_) | Json::Object(_) => None,
        };
        match ty.filter(|ty| said.is_empty() || said.contains(ty)) {
            Some(ty) if types.contains(&ty) => {}
            Some(ty) => types.push(ty),
            // Rules limit the number of their members or items.
            None if lists_empty(schema, said.first().copied().unwrap_or_default()) => return None,
            None if is_all_there_is(schema, said, values) => {
                let null = lists_null(schema).then(|| "null".to_owned());
                let texts = values.iter().map(|value| value.value.value.to_string()).chain(null);
                let rules = vec![Rule::Listed(texts.collect())];
                return Some(Shape::Plain(Value { rules, ..Value::plain(Type::Any) }));
            }
            None => {
                report_unlisted(&mut reader.resolver.reporter, schema, said, value);
                return None;
            }
        }
    }
    Some(type_union(reader, schema, &types, hint))
}

/// Reports a value with a wrong type, or that is not a string, number or boolean.
fn report_unlisted<'a>(
    reporter: &mut Reporter<'_>,
    schema: &Schema<'a>,
    said: &[&'static str],
    value: &ListedValue<'a>,
) {
    let place = &value.value.location;
    match said {
        [ty] if !fits(ty, value.value.value) => {
            let article = if [ARRAY, INTEGER, OBJECT].contains(ty) { "an" } else { "a" };
            reporter
                .report(Code::Contradiction, place, format!("this value of the `enum` is not {article} {ty}"))
                .label(format!("any {ty} is accepted"))
                .help("let `type` and the values agree");
        }
        _ => {
            let place = schema.place.location.clone();
            reporter
                .report(Code::UncheckedConstraint, &place, "this `enum` of arrays or objects is not checked")
                .help("it is, without constraints on members or items");
        }
    }
}

/// The enum with these values.
pub(crate) fn enum_of<'a>(
    resolver: &mut Resolver<'a>,
    overrides: &mut Overrides<'a>,
    ty: &str,
    kind: IntegerKind,
    values: Vec<ListedValue<'a>>,
    names_accepted: bool,
) -> Shape<'a> {
    let is_string = ty == STRING;
    let text = |named: &ListedValue<'_>| {
        let value = named.value.value;
        match value {
            // Numbers and booleans among strings have been reported; read them as strings.
            _ if is_string => Some(value.as_str().map_or_else(|| value.to_string(), str::to_owned)),
            _ => integer(value).map(|number| number.to_string()),
        }
    };
    let variants = enum_variants(resolver, overrides, values, text);
    let fits = |variant: &EnumVariant| variant.value.parse().is_ok_and(|number| holds(kind, number));
    let kind = if variants.iter().all(fits) { kind } else { IntegerKind::I64 };
    Shape::Named(ModelKind::Enum(Enum { integer: (!is_string).then_some(kind), variants, names_accepted }))
}

/// A uniquely named variant for each value.
fn enum_variants<'a>(
    resolver: &mut Resolver<'a>,
    overrides: &mut Overrides<'a>,
    values: Vec<ListedValue<'a>>,
    text: impl Fn(&ListedValue<'a>) -> Option<String>,
) -> Vec<EnumVariant> {
    let mut found: Vec<(String, Option<String>)> = Vec::new();
    let (mut wanted, mut requested) = (Vec::new(), Vec::new());
    for named in values {
        let Some(value) = text(&named).filter(|value| found.iter().all(|(other, _)| other != value)) else { continue };
        let nodes: Vec<_> = named.schema.into_iter().chain([named.value]).collect();
        requested.push(requested_name(resolver, overrides, &nodes, name::Case::Type));
        wanted.push(name::pascal(named.name.as_ref().unwrap_or(&value)));
        found.push((value, named.doc));
    }
    // The client adds a variant for unknown values.
    let mut scope = name::Scope::reserving(&[ir::unknown(wanted.iter().map(String::as_str))]);
    let names = unique_names(&mut resolver.reporter, &wanted, &requested, &mut scope);
    found.into_iter().zip(names).map(|((value, doc), rust)| EnumVariant { value, rust, doc }).collect()
}

/// Whether all listed values are empty arrays or objects of this type.
pub(crate) fn lists_empty(schema: &Schema<'_>, ty: &str) -> bool {
    let is_empty = |value: &ListedValue<'_>| match value.value.value {
        Json::Array(items) => ty == ARRAY && items.is_empty(),
        Json::Object(members) => ty == OBJECT && members.is_empty(),
        _ => false,
    };
    listed_values(schema).is_some_and(|values| !values.is_empty() && values.iter().all(is_empty))
}

/// Whether the values have the declared types, and nothing else is said of their contents.
fn is_all_there_is(schema: &Schema<'_>, said: &[&str], values: &[ListedValue<'_>]) -> bool {
    let shaping = ["properties", "required", "additionalProperties", "patternProperties", "items", "prefixItems"];
    let is_shaped = schema.parts.iter().any(|node| shaping.iter().any(|keyword| node.has(keyword)));
    let is_said = |value: &ListedValue<'_>| said.is_empty() || said.iter().any(|ty| fits(ty, value.value.value));
    let has_parts = |value: &ListedValue<'_>| value.value.value.is_array() || value.value.value.is_object();
    !is_shaped && values.iter().any(has_parts) && values.iter().all(is_said)
}

/// The values that all parts list, except `null`; `None` if no part lists any.
pub(crate) fn listed_values<'a>(schema: &Schema<'a>) -> Option<Vec<ListedValue<'a>>> {
    let lists: Vec<_> = schema.parts.iter().filter(|node| node.has("enum") || node.has("const")).collect();
    let (first, rest) = lists.split_first()?;
    let mut values = listed(first);
    for node in rest {
        let others = listed(node);
        values.retain(|value| others.iter().any(|other| other.value.value == value.value.value));
    }
    values.retain(|value| {
        let is_meant = match schema.only {
            None => true,
            Some(STRING) => value.value.value.is_string(),
            Some(INTEGER | NUMBER) => value.value.value.is_number(),
            Some(BOOLEAN) => value.value.value.is_boolean(),
            Some(_) => false,
        };
        is_meant && !value.value.value.is_null()
    });
    Some(values)
}

/// Whether all parts with an enum list `null`.
fn lists_null(schema: &Schema<'_>) -> bool {
    let mut lists = schema.parts.iter().filter(|node| node.has("enum") || node.has("const"));
    lists.all(|node| listed(node).iter().any(|value| value.value.value.is_null()))
}

/// Whether its parts list values, but none in common.
pub(crate) fn lists_nothing(schema: &Schema<'_>) -> bool {
    let lists = |node: &Node<'_>| usize::from(node.has("const")) + usize::from(!node.values("enum").is_empty());
    schema.parts.iter().map(lists).sum::<usize>() > 1 && listed_values(schema).is_some_and(|values| values.is_empty())
}

fn fits(ty: &str, value: &Json) -> bool {
    match value {
        Json::Array(_) => ty == ARRAY,
        Json::Object(_) => ty == OBJECT,
        Json::String(_) => ty == STRING,
        Json::Bool(_) => ty == BOOLEAN,
        Json::Number(_) => ty == NUMBER || ty == INTEGER,
        Json::Null => true,
    }
}

fn integer(value: &Json) -> Option<i64> {
    match value {
        Json::String(text) => text.parse().ok(),
        _ => value.as_i64().or_else(|| {
            let float = value.as_f64()?;
            #[expect(clippy::cast_possible_truncation, reason = "checked on the line itself")]
            (float.fract() == 0.0 && float.abs() < 9e15).then_some(float as i64)
        }),
    }
}

fn listed<'a>(node: &Node<'a>) -> Vec<ListedValue<'a>> {
    let only = node.get("const");
    let mut values = node.items("enum");
    if values.is_empty() {
        values.extend(only.clone());
    }
    let names = ["x-enum-varnames", "x-enumNames", "x-enum-names"].into_iter().find_map(|key| node.get(key));
    let docs = ["x-enum-descriptions", "x-enumDescriptions"].into_iter().find_map(|key| node.get(key));
    let about = |notes: &Option<Node<'a>>, index: usize, value: &Json| {
        let notes = notes.as_ref()?.value;
        let key = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let text = notes.get(index).or_else(|| notes.get(&key))?.as_str()?.trim();
        (!text.is_empty()).then(|| text.to_owned())
    };
    let said = node.get("x-ms-enum").map(|node| node.items("values")).unwrap_or_default();
    let said = |value: &Json, key: &str| {
        let entry = said.iter().find(|entry| entry.member("value") == Some(value))?;
        entry.text(key).map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
    };
    // In a variant, a constant is its value.
    let is_variant = node.has("const") || node.values("enum").len() == 1;
    values
        .into_iter()
        .enumerate()
        .map(|(index, value)| ListedValue {
            name: about(&names, index, value.value).or_else(|| said(value.value, "name")),
            doc: about(&docs, index, value.value).or_else(|| said(value.value, "description")),
            schema: (is_variant && overrides::is_variant(node)).then(|| node.clone()),
            value,
        })
        .filter(|named| only.as_ref().is_none_or(|only| only.value == named.value.value))
        .collect()
}

#[cfg(test)]
mod tests {
    use crate::ir::ModelKind;
    use crate::lower::tests::lowered::schemas;

    #[test]
    fn descriptions_and_names_of_values() {
        let lowered = schemas(&[
            "A: { type: string, enum: [a, b], x-enum-descriptions: { b: The second. }, x-enum-names-accepted: true }",
        ]);
        let ModelKind::Enum(enum_) = &lowered.api.models[0].kind else { panic!("an enum") };
        assert_eq!(enum_.variants[1].doc.as_deref(), Some("The second."));
        assert!(enum_.names_accepted);
    }
}
