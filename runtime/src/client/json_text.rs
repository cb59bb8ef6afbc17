//! Parameters whose value is JSON.

use std::borrow::Cow;

use crate::json::{self, Write};
use crate::parameter::{Raw, ToParameter};
use crate::text::ToText;

/// A value that is written as JSON where a text is wanted: in a parameter with `content: application/json`.
#[derive(Clone, Copy, Debug)]
pub struct JsonText<'value, T>(pub &'value T);

impl<T: Write> ToText for JsonText<'_, T> {
    fn to_text(&self) -> Cow<'_, str> {
        let bytes = json::to_vec(self.0);
        String::from_utf8_lossy(&bytes).into_owned().into()
    }
}

/// Values that are written as JSON each, where a list of texts is wanted.
#[derive(Clone, Copy, Debug)]
pub struct JsonItems<'value, T>(pub &'value [T]);

impl<T: Write> ToParameter for JsonItems<'_, T> {
    fn to_parameter(&self) -> Raw<'_> {
        Raw::List(self.0.iter().map(|item| JsonText(item).to_text().into_owned().into()).collect())
    }
}
