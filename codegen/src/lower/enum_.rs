//! `enum`: the values and the names of their variants.

use serde_json::Value as Json;

use super::schema::{INTEGER, STRING, Shape, types};
use super::{Context, Node, Schema, name};
use crate::diagnostic::Code;
use crate::ir::{Enum, EnumValues, EnumVariant, IntegerKind, ModelKind, Type};

/// A value with what is said about it.
pub(crate) struct Named<'a> {
    pub(crate) value: Node<'a>,
    pub(crate) name: Option<String>,
    pub(crate) doc: Option<String>,
}

impl<'a> Context<'a> {
    /// The enum that the schema is, if it lists its values.
    pub(crate) fn enum_(&mut self, schema: &Schema<'a>) -> Option<Shape<'a>> {
        let values = listed_values(schema)?;
        let ty = self.type_of_values(schema, &values)?;
        let kind = match self.integer(schema).ty {
            Type::Integer(kind) if ty == INTEGER => kind,
            _ => IntegerKind::I64,
        };
        let names_accepted = schema.parts.iter().any(|node| node.flag("x-enum-names-accepted"));
        Some(self.enum_of(ty, kind, values, names_accepted))
    }

    /// The enum of these values.
    pub(crate) fn enum_of(
        &mut self,
        ty: &str,
        kind: IntegerKind,
        values: Vec<Named<'a>>,
        names_accepted: bool,
    ) -> Shape<'a> {
        if ty == STRING { self.strings(values, names_accepted) } else { self.integers(kind, values, names_accepted) }
    }

    /// `string` or `integer`: other enums are not made types.
    fn type_of_values(&mut self, schema: &Schema<'a>, values: &[Named<'a>]) -> Option<&'static str> {
        let said = types(schema);
        let all = |test: &dyn Fn(&Json) -> bool| values.iter().all(|value| test(value.value.value));
        let place = &schema.place.location;
        match said[..] {
            _ if values.is_empty() => None,
            [STRING] => Some(STRING),
            _ if said.contains(&STRING) && all(&Json::is_string) => Some(STRING),
            [INTEGER] if all(&|value| integer(value).is_some()) => Some(INTEGER),
            [] if all(&Json::is_string) => Some(STRING),
            [] if all(&|value| value.is_i64()) => Some(INTEGER),
            [ty] if ty != INTEGER && all(&|value| value.is_boolean() || value.is_number()) => {
                if ty != super::schema::BOOLEAN {
                    self.report(Code::UncheckedConstraint, place, "the values of an `enum` of numbers are not checked");
                }
                None
            }
            _ => {
                self.report(Code::UncheckedConstraint, place, "an `enum` of values of this type is not checked")
                    .help("enums of strings and of whole numbers are");
                None
            }
        }
    }

    fn strings(&mut self, values: Vec<Named<'a>>, names_accepted: bool) -> Shape<'a> {
        let mut variants: Vec<EnumVariant<String>> = Vec::new();
        let mut wanted = Vec::new();
        for Named { value: node, name, doc } in values {
            let value = match node.value {
                Json::String(text) => text.clone(),
                other => {
                    let text = other.to_string();
                    self.report(Code::Repaired, &node.location, format!("`{text}` is not a string"))
                        .label(format!("taken for the string \"{text}\""))
                        .help("put it in quotes");
                    text
                }
            };
            if variants.iter().all(|variant| variant.value != value) {
                wanted.push(name::pascal(name.as_deref().unwrap_or(&value)));
                variants.push(EnumVariant { value, rust: String::new(), doc });
            }
        }
        name_variants(&mut variants, &wanted);
        Shape::Named(ModelKind::Enum(Enum { values: EnumValues::String(variants), names_accepted }))
    }

    fn integers(&mut self, said: IntegerKind, values: Vec<Named<'a>>, names_accepted: bool) -> Shape<'a> {
        let mut variants: Vec<EnumVariant<i64>> = Vec::new();
        let mut wanted = Vec::new();
        for Named { value: node, name, doc } in values {
            let Some(value) = integer(node.value) else { continue };
            if node.value.is_string() {
                self.report(Code::Repaired, &node.location, format!("\"{value}\" is not an integer"))
                    .label(format!("taken for the integer {value}"));
            }
            if variants.iter().all(|variant| variant.value != value) {
                wanted.push(name::pascal(&name.unwrap_or_else(|| value.to_string())));
                variants.push(EnumVariant { value, rust: String::new(), doc });
            }
        }
        let fits = variants.iter().all(|variant| super::primitive::holds(said, variant.value.into()));
        let kind = if fits { said } else { IntegerKind::I64 };
        name_variants(&mut variants, &wanted);
        Shape::Named(ModelKind::Enum(Enum { values: EnumValues::Integer(kind, variants), names_accepted }))
    }
}

/// The values that all parts list, `null` aside; `None` when no part does.
pub(crate) fn listed_values<'a>(schema: &Schema<'a>) -> Option<Vec<Named<'a>>> {
    let lists: Vec<_> = schema.parts.iter().filter(|node| node.has("enum") || node.has("const")).collect();
    let (first, rest) = lists.split_first()?;
    let mut values = listed(first);
    for node in rest {
        let others = listed(node);
        values.retain(|value| others.iter().any(|other| other.value.value == value.value.value));
    }
    values.retain(|value| !value.value.value.is_null());
    Some(values)
}

/// Gives the variants their names, collision-free.
pub(crate) fn name_variants<T>(variants: &mut [EnumVariant<T>], wanted: &[String]) {
    // The client adds a case of its own for values that the description does not know.
    let mut scope = name::Scope::reserving(&["Unknown"]);
    for (variant, rust) in variants.iter_mut().zip(name::unique(wanted, &mut scope)) {
        variant.rust = rust;
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

fn listed<'a>(node: &Node<'a>) -> Vec<Named<'a>> {
    let mut values = node.items("enum");
    values.extend(node.get("const"));
    let names = ["x-enum-varnames", "x-enumNames", "x-enum-names"].into_iter().find_map(|key| node.get(key));
    let docs = ["x-enum-descriptions", "x-enumDescriptions"].into_iter().find_map(|key| node.get(key));
    let about = |notes: &Option<Node<'a>>, index: usize, value: &Json| {
        let notes = notes.as_ref()?.value;
        let key = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let text = notes.get(index).or_else(|| notes.get(&key))?.as_str()?.trim();
        (!text.is_empty()).then(|| text.to_owned())
    };
    values
        .into_iter()
        .enumerate()
        .map(|(index, value)| Named {
            name: about(&names, index, value.value),
            doc: about(&docs, index, value.value),
            value,
        })
        .collect()
}
