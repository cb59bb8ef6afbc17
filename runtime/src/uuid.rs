//! UUIDs.

use std::borrow::Cow;

use ::uuid::Uuid;
use uuid::fmt::Hyphenated;

use crate::json::{Read, Reader, Write, Writer};
use crate::text::{FromText, Refusal, ToText};

impl FromText for Uuid {
    fn from_text(text: &str) -> Result<Self, Refusal> {
        Self::try_parse(text).map_err(|_| Refusal::new("format", text, "a UUID"))
    }

    fn is_exact(text: &str) -> bool {
        text.len() == Hyphenated::LENGTH
    }
}

impl ToText for Uuid {
    fn to_text(&self) -> Cow<'_, str> {
        Cow::Owned(self.hyphenated().to_string())
    }
}

impl Read for Uuid {
    fn read(json: &mut Reader<'_>) -> Option<Self> {
        json.parse()
    }
}

impl Write for Uuid {
    fn write(&self, json: &mut Writer) {
        json.string(self.hyphenated().encode_lower(&mut [0; Hyphenated::LENGTH]));
    }
}
