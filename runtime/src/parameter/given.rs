//! Any JSON value as a parameter, written as a value of its type is.

use super::list::list;
use super::{Fields, Raw, ToParameter};
use crate::arguments::TextForm;
use crate::json::Value;

/// A JSON value with its form.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Given<'value> {
    /// The value.
    pub(crate) value: &'value Value,
    /// The form.
    pub(crate) form: &'value TextForm,
}

impl ToParameter for Given<'_> {
    fn to_parameter(&self) -> Raw<'_> {
        raw(self.value, self.form)
    }
}

fn raw<'value>(value: &'value Value, form: &TextForm) -> Raw<'value> {
    match (form, value) {
        (TextForm::Json, value) => Raw::json(value),
        (TextForm::Any, value) => value.to_parameter(),
        (_, Value::String(text)) => Raw::Text(text.into()),
        (_, Value::Null | Value::Bool(_) | Value::Number(_)) => Raw::Text(value.to_string().into()),
        (form, Value::Array(items)) => {
            let form = if let TextForm::Items(form) = form { form } else { &TextForm::Plain };
            list(items.iter().filter(|item| is_written(item, form)).map(|item| raw(item, form)).collect())
        }
        (form, Value::Object(members)) => {
            let (own, others) =
                if let TextForm::Members(own, others) = form { (*own, *others) } else { (&[][..], &TextForm::Plain) };
            let mut fields = Fields::new();
            for (name, value) in members {
                let form = own.iter().find(|(own, _)| own == name).map_or(others, |(_, form)| form);
                if is_written(value, form) {
                    fields.add(name, raw(value, form));
                }
            }
            fields.into_raw()
        }
    }
}

/// Whether it is written: `null` has no representation in parameters, unless any value is allowed.
fn is_written(value: &Value, form: &TextForm) -> bool {
    *value != Value::Null || matches!(form, TextForm::Any)
}
