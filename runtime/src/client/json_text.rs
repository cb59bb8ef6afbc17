//! Parameters whose values are JSON.

use std::borrow::Cow;

use crate::json::{self, Write};
use crate::parameter::{Raw, ToParameter, json_items};
use crate::text::ToText;

/// A value that is written as JSON text, in a parameter with `content: application/json`.
#[derive(Clone, Copy, Debug)]
pub struct JsonText<'value, T>(pub &'value T);

impl<T: Write> ToText for JsonText<'_, T> {
    fn to_text(&self) -> Cow<'_, str> {
        match Raw::json(self.0) {
            Raw::Text(text) => Cow::Owned(text.into_owned()),
            Raw::List(_) | Raw::Fields(_) => Cow::Borrowed(""),
        }
    }
}

/// A list or tuple whose items are each written as JSON text.
#[derive(Clone, Copy, Debug)]
pub struct JsonItems<'value, T>(pub &'value T);

impl<T: Write> ToParameter for JsonItems<'_, T> {
    fn to_parameter(&self) -> Raw<'_> {
        json_items(&json::to_vec(self.0))
    }
}
