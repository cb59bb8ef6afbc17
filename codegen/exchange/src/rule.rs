//! The rules that a value breaks.

use jsonschema::error::ValidationErrorKind;
use jsonschema::{ValidationError, Validator};
use serde_json::Value;

use crate::format::WIDTH;

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
    match errors(validator, value).as_slice() {
        [error] => rule(error),
        _ => None,
    }
}

/// All rules that a value breaks, except that too many variants of a union match.
pub fn broken_rules(validator: &Validator, value: &Value) -> Vec<Broken> {
    errors(validator, value).iter().filter_map(rule).collect()
}

/// All errors. The bounds of a number that does not have its format are left out: it cannot be read.
fn errors<'v>(validator: &'v Validator, value: &'v Value) -> Vec<ValidationError<'v>> {
    let is_unread = |error: &ValidationError<'_>| {
        matches!(error.kind(), ValidationErrorKind::Custom { .. }) && error.instance().is_number()
    };
    let mut errors: Vec<_> = validator.iter_errors(value).collect();
    let unread: Vec<_> =
        errors.iter().filter(|error| is_unread(error)).map(|error| error.instance_path().clone()).collect();
    errors.retain(|error| is_unread(error) || !unread.contains(error.instance_path()));
    errors
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
    let rule = error.schema_path().to_string();
    let rule = rule.strip_suffix(WIDTH).map_or(rule.clone(), |place| format!("{place}format"));
    Broken { rule, pointer: error.instance_path().to_string(), in_union, detail }
}
