//! `default`, checked against the type it is a value of.

use serde_json::Value as Json;

use super::{Context, Node};
use crate::diagnostic::Code;
use crate::ir::{Default, EnumValues, ForeignForm, ModelKind, Type, Value};

impl<'a> Context<'a> {
    /// The default, unless it is no value of its own type.
    pub(crate) fn default(&mut self, node: &Node<'a>, value: &Value) -> Option<Default> {
        if node.value.is_null() {
            return None;
        }
        let found = self.typed_default(node.value, &value.ty);
        if let Found::Wrong(expected) = found {
            self.report(Code::InvalidDefault, &node.location, format!("the default is not {expected}"))
                .label("left out");
        }
        match found {
            Found::Default(default) => Some(default),
            Found::Wrong(_) | Found::Unsaid => None,
        }
    }

    fn typed_default(&mut self, default: &Json, ty: &Type) -> Found {
        match &self.unaliased(ty) {
            Type::Boolean => match default {
                Json::Bool(value) => Found::Default(Default::Boolean(*value)),
                Json::String(text) if text == "true" || text == "false" => {
                    Found::Default(Default::Boolean(text == "true"))
                }
                _ => Found::Wrong("a boolean"),
            },
            Type::Integer(kind) => {
                match default.as_i64().map(i128::from).or_else(|| default.as_u64().map(i128::from)) {
                    Some(number) if super::primitive::holds(*kind, number) => {
                        Found::Default(Default::Number(number.to_string()))
                    }
                    Some(_) | None => Found::Wrong("an integer that its format has room for"),
                }
            }
            Type::Float | Type::Double | Type::DecimalNumber => match default {
                Json::Number(number) => Found::Default(Default::Number(number.to_string())),
                _ => Found::Wrong("a number"),
            },
            Type::String
            | Type::Decimal
            | Type::Date
            | Type::Time
            | Type::DateTime
            | Type::DateTimeLocal
            | Type::Duration
            | Type::Uuid
            | Type::Ipv4
            | Type::Ipv6
            | Type::Base64
            | Type::Binary => match default {
                Json::String(text) => Found::Default(Default::String(text.clone())),
                _ => Found::Wrong("a string"),
            },
            Type::Array(_) => match default {
                Json::Array(items) if items.is_empty() => Found::Default(Default::EmptyArray),
                Json::Array(_) => Found::Unsaid,
                _ => Found::Wrong("an array"),
            },
            Type::Map(_) => {
                if default.is_object() {
                    Found::Unsaid
                } else {
                    Found::Wrong("an object")
                }
            }
            Type::Tuple(_) if !default.is_array() => Found::Wrong("an array"),
            Type::Tuple(_) | Type::Any => Found::Unsaid,
            Type::Foreign(foreign) => match (foreign.form(), default) {
                (ForeignForm::Text, Json::String(text)) => Found::Default(Default::String(text.clone())),
                (ForeignForm::Text, _) => Found::Wrong("a string"),
                (ForeignForm::Number, Json::Number(number)) => Found::Default(Default::Number(number.to_string())),
                (ForeignForm::Number, _) => Found::Wrong("a number"),
                (ForeignForm::Json, _) => Found::Unsaid,
            },
            Type::Model(id) => {
                self.build(*id);
                let Some(kind) = self.models.kind(*id) else { return Found::Unsaid };
                match kind {
                    ModelKind::Struct(_) if !default.is_object() => Found::Wrong("an object"),
                    // An alias that is left leads in a circle.
                    ModelKind::Struct(_) | ModelKind::Union(_) | ModelKind::Alias(_) => Found::Unsaid,
                    ModelKind::Enum(enum_) => {
                        let index = match &enum_.values {
                            EnumValues::String(variants) => {
                                variants.iter().position(|variant| default.as_str() == Some(&variant.value))
                            }
                            EnumValues::Integer(_, variants) => {
                                variants.iter().position(|variant| default.as_i64() == Some(variant.value))
                            }
                        };
                        index.map_or(Found::Wrong("one of the values of its `enum`"), |index| {
                            Found::Default(Default::Variant(index))
                        })
                    }
                }
            }
        }
    }
}

enum Found {
    Default(Default),
    /// It is not what it should be.
    Wrong(&'static str),
    /// It cannot be said in a word of documentation.
    Unsaid,
}

#[cfg(test)]
mod tests {
    use crate::lower::testing::schemas;

    #[test]
    fn defaults_have_the_type_of_their_member() {
        let lowered = schemas(&["
            Color: { type: string, enum: [red, blue] }
            A:
              properties:
                a: { type: string, default: x }
                b: { type: integer, default: 3 }
                c: { type: boolean, default: false }
                d: { default: blue, allOf: [{ $ref: '#/components/schemas/Color' }] }
                e: { type: array, items: {}, default: [] }
                f: { type: number, default: 1.5 }
                g: { type: string, nullable: true, default: null }
        "]);
        assert_eq!(
            lowered.line("A"),
            "A { a?: String = String(\"x\"), b?: i64 = Number(\"3\"), c?: Boolean = Boolean(false), d?: Color = Variant(1), \
             e?: Vec<Any> = EmptyArray, f?: Double = Number(\"1.5\"), g?~: String }"
        );
        assert_eq!(lowered.problems, Vec::<String>::new());
    }

    #[test]
    fn other_values_are_left_out() {
        let lowered = schemas(&[
            "A: { properties: { a: { type: integer, default: x }, b: { type: string, enum: [x], default: z }, c: { type: integer, format: int8, default: 300 } } }",
        ]);
        assert_eq!(lowered.line("A"), "A { a?: i64, b?: AB, c?: i8 }");
        assert_eq!(lowered.problems.len(), 3);
    }
}
