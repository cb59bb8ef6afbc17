//! The rules that a value breaks.

use jsonschema::error::ValidationErrorKind;
use jsonschema::{ValidationError, Validator};
use serde_json::Value;

/// The longest explanation, in bytes.
const LONGEST: usize = 300;

/// A rule that a value breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// The place of the rule in the translated schema, as a JSON Pointer.
    pub rule: String,
    /// The place of the value, as a JSON Pointer.
    pub pointer: String,
    /// Whether the rule is a union, of which no variant matches.
    pub in_union: bool,
    /// What is wrong.
    pub detail: String,
}

impl Broken {
    /// The keyword of the rule, such as `minLength`.
    pub fn keyword(&self) -> &str {
        let mut names = self.rule.rsplit('/');
        names.find(|name| name.parse::<usize>().is_err()).filter(|name| !name.is_empty()).unwrap_or("schema")
    }
}

/// The only rule that a value breaks; `None` if it breaks none or several.
pub fn broken_rule(validator: &Validator, value: &Value) -> Option<Broken> {
    let mut errors = validator.iter_errors(value);
    let error = errors.next()?;
    if errors.next().is_some() {
        return None;
    }
    rule(&error)
}

/// All rules that a value breaks, except that too many variants of a union match.
pub fn broken_rules(validator: &Validator, value: &Value) -> Vec<Broken> {
    validator.iter_errors(value).filter_map(|error| rule(&error)).collect()
}

/// `None` if too many variants match: a server does not have to say which.
fn rule(error: &ValidationError<'_>) -> Option<Broken> {
    match error.kind() {
        ValidationErrorKind::OneOfMultipleValid { .. } => None,
        ValidationErrorKind::AnyOf { context } => {
            // A nullable schema is written as a union too.
            let branches = context.iter().filter(|errors| match errors.as_slice() {
                [only] => !only.schema_path().to_string().ends_with("/anyOf/0/type"),
                _ => true,
            });
            match branches.map(Vec::as_slice).collect::<Vec<_>>().as_slice() {
                [[only]] if context.len() == 2 => rule(only),
                _ => Some(broken(error, true)),
            }
        }
        ValidationErrorKind::OneOfNotValid { .. } => Some(broken(error, true)),
        _ => Some(broken(error, false)),
    }
}

fn broken(error: &ValidationError<'_>, in_union: bool) -> Broken {
    let mut detail = error.to_string();
    detail.truncate(detail.floor_char_boundary(LONGEST));
    Broken { rule: error.schema_path().to_string(), pointer: error.instance_path().to_string(), in_union, detail }
}
