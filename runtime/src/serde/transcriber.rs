//! Converts the data of a deserializer to JSON.

use std::fmt::{self, Display, Formatter};

use serde::Deserializer;
use serde::de::{DeserializeSeed, Error, MapAccess, SeqAccess, Unexpected, Visitor};

use crate::json::Writer;

/// Writes one value.
pub(super) struct Transcriber<'a>(pub(super) &'a mut Writer);

/// Writes one item of an array.
struct Item<'a>(&'a mut Writer);

impl Transcriber<'_> {
    fn number(self, number: impl Display) {
        self.0.raw(&number.to_string());
    }
}

impl<'de> DeserializeSeed<'de> for Transcriber<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> DeserializeSeed<'de> for Item<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        self.0.separate();
        deserializer.deserialize_any(Transcriber(self.0))
    }
}

impl<'de> Visitor<'de> for Transcriber<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value that JSON has")
    }

    fn visit_bool<E>(self, value: bool) -> Result<(), E> {
        self.0.raw(if value { "true" } else { "false" });
        Ok(())
    }

    fn visit_i64<E>(self, value: i64) -> Result<(), E> {
        self.number(value);
        Ok(())
    }

    fn visit_u64<E>(self, value: u64) -> Result<(), E> {
        self.number(value);
        Ok(())
    }

    fn visit_i128<E>(self, value: i128) -> Result<(), E> {
        self.number(value);
        Ok(())
    }

    fn visit_u128<E>(self, value: u128) -> Result<(), E> {
        self.number(value);
        Ok(())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<(), E> {
        if !value.is_finite() {
            return Err(E::invalid_value(Unexpected::Float(value), &self));
        }
        self.0.double(value);
        Ok(())
    }

    fn visit_str<E>(self, value: &str) -> Result<(), E> {
        self.0.string(value);
        Ok(())
    }

    fn visit_none<E>(self) -> Result<(), E> {
        self.0.null();
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        self.0.null();
        Ok(())
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        self.0.begin_array();
        while items.next_element_seed(Item(self.0))?.is_some() {}
        self.0.end_array();
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        self.0.begin_object();
        while let Some(name) = members.next_key::<String>()? {
            self.0.separate();
            self.0.string(&name);
            self.0.raw(":");
            members.next_value_seed(Transcriber(self.0))?;
        }
        self.0.end_object();
        Ok(())
    }
}
