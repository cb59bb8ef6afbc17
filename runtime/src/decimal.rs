//! `format: decimal`.

use std::borrow::Cow;
use std::ops::Deref;

use rust_decimal::Decimal;

use crate::json::{Kind, Read, Reader, Write, Writer};
use crate::text::{FromText, Refusal, ToText};

impl FromText for Decimal {
    fn from_text(text: &str) -> Result<Self, Refusal> {
        // rust_decimal also accepts `1_000`.
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
    /// A string. A tolerant reader also accepts a number: both are common, because many parsers round
    /// numbers.
    fn read(json: &mut Reader<'_>) -> Option<Self> {
        if json.is_tolerant() && json.kind() == Kind::Number {
            json.overlook();
            return number(json);
        }
        json.parse()
    }
}

impl Write for Decimal {
    fn write(&self, json: &mut Writer) {
        json.text(self);
    }
}

/// A decimal that is a number in JSON; a [`Decimal`] is a string.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DecimalNumber(pub Decimal);

impl FromText for DecimalNumber {
    fn from_text(text: &str) -> Result<Self, Refusal> {
        Decimal::from_text(text).map(Self)
    }
}

impl ToText for DecimalNumber {
    fn to_text(&self) -> Cow<'_, str> {
        self.0.to_text()
    }
}

impl Read for DecimalNumber {
    /// A number. A tolerant reader also accepts a string.
    fn read(json: &mut Reader<'_>) -> Option<Self> {
        if json.is_tolerant() && json.kind() == Kind::String {
            json.overlook();
            return json.parse();
        }
        number(json).map(Self)
    }
}

impl Write for DecimalNumber {
    fn write(&self, json: &mut Writer) {
        json.raw(&self.to_text());
    }
}

impl Deref for DecimalNumber {
    type Target = Decimal;

    fn deref(&self) -> &Decimal {
        &self.0
    }
}

impl From<Decimal> for DecimalNumber {
    fn from(number: Decimal) -> Self {
        Self(number)
    }
}

impl From<DecimalNumber> for Decimal {
    fn from(number: DecimalNumber) -> Self {
        number.0
    }
}

fn number(json: &mut Reader<'_>) -> Option<Decimal> {
    match Decimal::from_text(json.number_text()?) {
        Ok(number) => Some(number),
        Err(refusal) => {
            json.note(refusal.code, refusal.detail);
            None
        }
    }
}
