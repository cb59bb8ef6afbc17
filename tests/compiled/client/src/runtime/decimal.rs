//! `format: decimal`.

use std::borrow::Cow;

use rust_decimal::Decimal;

use crate::runtime::json::{Kind, Read, Reader, Write, Writer};
use crate::runtime::text::{FromText, Refusal, ToText};

impl FromText for Decimal {
    fn from_text(text: &str) -> Result<Self, Refusal> {
        // rust_decimal itself would read `1_000` too.
        if !text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E')) {
            return Err(Refusal::new("type", text, "a number"));
        }
        let number = if text.contains(['e', 'E']) { Self::from_scientific(text) } else { Self::from_str_exact(text) };
        number.map_err(|_| Refusal::new("format", text, "a decimal number of at most 28 digits"))
    }
}

impl ToText for Decimal {
    fn to_text(&self) -> Cow<'_, str> {
        Cow::Owned(self.to_string())
    }
}

impl Read for Decimal {
    /// A number, or a string: both are in use, since many parsers round numbers.
    fn read(json: &mut Reader<'_>) -> Option<Self> {
        if json.kind() == Kind::String {
            return json.parse();
        }
        match Self::from_text(json.number_text()?) {
            Ok(number) => Some(number),
            Err(refusal) => {
                json.note(refusal.code, refusal.detail);
                None
            }
        }
    }
}

impl Write for Decimal {
    fn write(&self, json: &mut Writer) {
        json.raw(&self.to_text());
    }
}
