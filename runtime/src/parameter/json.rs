//! Members of parameters and forms without a plain-text form: they are JSON in a text.

use std::borrow::Cow;

use super::{FromParameter, Raw};
use crate::json::{Read, Reader, Value, Write, read_document, try_to_vec};
use crate::text::NO_TEXT;
use crate::violation::Notes;

impl Raw<'_> {
    /// The JSON of a value as one text.
    pub fn json<T: Write + ?Sized>(value: &T) -> Self {
        Self::Text(match try_to_vec(value) {
            Ok(json) => Cow::Owned(String::from_utf8_lossy(&json).into_owned()),
            Err(_) => Cow::Borrowed(NO_TEXT),
        })
    }
}

impl Notes {
    /// Reads a value from JSON text; several texts are the items of an array, named texts the members of an object.
    pub fn json_text<T: Read>(&mut self, raw: &Raw<'_>) -> Option<T> {
        self.json_text_with(raw, T::read)
    }

    /// The same with another function that reads the value.
    pub(crate) fn json_text_with<T>(
        &mut self,
        raw: &Raw<'_>,
        read: impl FnOnce(&mut Reader<'_>) -> Option<T>,
    ) -> Option<T> {
        let text = match raw {
            Raw::Text(text) => Cow::Borrowed(text.as_ref()),
            Raw::List(texts) => Cow::Owned(format!("[{}]", texts.join(","))),
            Raw::Fields(_) => Cow::Owned(Value::from_parameter(raw.clone(), self)?.to_string()),
        };
        let document = Reader::strict(text.as_bytes()).at(self.location());
        match read_document(document, read) {
            Ok(value) => Some(value),
            Err(violations) => {
                let mut violations = Vec::from(violations);
                let here = self.pointer();
                for violation in &mut violations {
                    violation.pointer.insert_str(0, &here);
                }
                self.extend(violations);
                None
            }
        }
    }
}
