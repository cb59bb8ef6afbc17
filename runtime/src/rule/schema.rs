//! Keywords of JSON Schema that no other rule expresses; the crate `jsonschema` checks them.

use std::sync::OnceLock;

use jsonschema::error::ValidationErrorKind;
use jsonschema::{Draft, Keyword, ValidationError, Validator};
use serde_json::Value;

use super::Rule;
use super::pattern::Compiled;
use crate::violation::{Notes, Step};

/// The keywords that a violation may have; others are violations of `schema`.
const KEYWORDS: &[&str] = &[
    "additionalProperties",
    "anyOf",
    "const",
    "contains",
    "dependentRequired",
    "enum",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "maxContains",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minContains",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "not",
    "oneOf",
    "pattern",
    "propertyNames",
    "required",
    "type",
    "unevaluatedItems",
    "unevaluatedProperties",
    "uniqueItems",
];

/// A JSON Schema (2020-12), compiled when it is first used.
#[derive(Debug)]
pub struct Schema {
    text: &'static str,
    compiled: OnceLock<Option<Validator>>,
}

impl Schema {
    /// A schema from its JSON text.
    pub const fn new(text: &'static str) -> Self {
        Self { text, compiled: OnceLock::new() }
    }

    /// The JSON text.
    pub fn text(&self) -> &'static str {
        self.text
    }

    /// Notes where the value breaks the schema. A schema that cannot be compiled accepts every value; the
    /// generator writes none.
    fn check(&self, value: &Value, at: &mut Notes) -> bool {
        let Some(validator) = self.compiled.get_or_init(|| compiled(self.text)) else { return true };
        let mut kept = true;
        for error in validator.iter_errors(value) {
            kept = false;
            note(&error, value, at);
        }
        kept
    }
}

fn compiled(text: &str) -> Option<Validator> {
    let schema = serde_json::from_str(text).ok()?;
    let options = jsonschema::options().with_draft(Draft::Draft202012);
    let options = options.with_keyword("pattern", |_, text, _| Ok(Box::new(Matches::new(text))));
    options.build(&schema).ok()
}

/// `pattern`, by the engine of [`Pattern`](super::Pattern): that of the crate does not know all of ECMA-262.
struct Matches {
    text: String,
    compiled: Compiled,
}

impl Matches {
    fn new(text: &Value) -> Self {
        let text = text.as_str().unwrap_or_default();
        Self { text: text.to_owned(), compiled: Compiled::new(text) }
    }
}

impl<'v> Keyword<'v> for Matches {
    fn validate(&self, value: &'v Value) -> Result<(), ValidationError<'v>> {
        let is_kept = value.as_str().is_none_or(|text| self.compiled.is_match(text));
        if is_kept { Ok(()) } else { Err(ValidationError::custom(format!("does not match `{}`", self.text))) }
    }

    fn is_valid(&self, value: &'v Value) -> bool {
        self.validate(value).is_ok()
    }
}

/// Checks the schemas among the rules of a value in JSON text.
pub(super) fn check(json: &[u8], rules: &[Rule<'_>], at: &mut Notes) -> bool {
    // What is not JSON has been noted by the reader.
    serde_json::from_slice(json).map_or(true, |value| check_schemas(&value, rules, at))
}

/// Whether a value keeps the schemas among its rules.
#[cfg(feature = "arbitrary")]
pub(crate) fn keeps_schemas(json: &[u8], rules: &[Rule<'_>]) -> bool {
    check(json, rules, &mut Notes::new(crate::violation::Location::Body))
}

/// Whether there is a schema among the rules.
pub(crate) fn has_schema(rules: &[Rule<'_>]) -> bool {
    rules.iter().any(|rule| match rule {
        Rule::Schema(_) => true,
        Rule::Items(rules) | Rule::Values(rules) => has_schema(rules),
        Rule::Places(places) => places.iter().any(|rules| has_schema(rules)),
        _ => false,
    })
}

/// Number of the first items that have rules of their own.
fn place_count(rules: &[Rule<'_>]) -> usize {
    rules.iter().find_map(|rule| if let Rule::Places(places) = rule { Some(places.len()) } else { None }).unwrap_or(0)
}

/// Checks the schemas among the rules of a value, and of the values in it.
pub(crate) fn check_schemas(value: &Value, rules: &[Rule<'_>], at: &mut Notes) -> bool {
    let mut kept = true;
    for rule in rules {
        kept &= match (rule, value) {
            (Rule::Schema(schema), value) => schema.check(value, at),
            (Rule::Items(of_item), Value::Array(items)) => {
                let items = items.iter().enumerate().skip(place_count(rules));
                check_inside(items.map(|(index, item)| (Step::Item(index), item, *of_item)), at)
            }
            (Rule::Places(places), Value::Array(items)) => {
                let items = items.iter().zip(*places).enumerate();
                check_inside(items.map(|(index, (item, rules))| (Step::Item(index), item, *rules)), at)
            }
            (Rule::Values(rules), Value::Object(members)) => {
                check_inside(members.iter().map(|(name, value)| (Step::Key(name.clone()), value, *rules)), at)
            }
            _ => true,
        };
    }
    kept
}

fn check_inside<'v>(values: impl Iterator<Item = (Step, &'v Value, &'v [Rule<'v>])>, at: &mut Notes) -> bool {
    let mut kept = true;
    for (step, value, rules) in values {
        at.enter(step);
        kept &= check_schemas(value, rules, at);
        at.leave();
    }
    kept
}

/// Notes the error at its place in the value.
fn note(error: &ValidationError<'_>, value: &Value, at: &mut Notes) {
    let mut value = Some(value);
    let mut steps = 0;
    for token in error.instance_path().as_str().split('/').skip(1) {
        let name = token.replace("~1", "/").replace("~0", "~");
        let index = name.parse().ok().filter(|_| value.is_some_and(Value::is_array));
        value = match index {
            Some(index) => value.and_then(|value| value.get::<usize>(index)),
            None => value.and_then(|value| value.get(&name)),
        };
        at.enter(index.map_or(Step::Key(name), Step::Item));
        steps += 1;
    }
    // The violation is that of the member, as for any other that is missing.
    if let ValidationErrorKind::Required { property: Value::String(name) } = error.kind() {
        at.enter(Step::Key(name.clone()));
        at.note("required", "is missing");
        at.leave();
    } else {
        note_keyword(error, at);
    }
    for _ in 0..steps {
        at.leave();
    }
}

fn note_keyword(error: &ValidationError<'_>, at: &mut Notes) {
    /// A message may quote a whole schema.
    const LONGEST: usize = 300;
    let keyword = KEYWORDS.iter().find(|keyword| **keyword == error.kind().keyword()).copied().unwrap_or("schema");
    let mut message = error.masked().to_string();
    message.truncate(message.floor_char_boundary(LONGEST));
    at.note(keyword, format!("breaks `{keyword}`: {message}"));
}
