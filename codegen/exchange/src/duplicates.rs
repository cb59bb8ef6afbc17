//! Members that an object in JSON has twice.

use std::collections::BTreeSet;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

use crate::document::Document;
use crate::style::is_read;

/// The detail of such a member.
pub(crate) const TWICE: &str = "is given twice";

/// The JSON Pointers of the members that a server reads and that their objects have twice.
pub(crate) fn read_twice(document: &Document, schema: &Value, text: &[u8]) -> Vec<String> {
    duplicates(text).into_iter().filter(|pointer| is_read(document, schema, pointer)).collect()
}

/// The JSON Pointers of the members whose names their objects have had before; none if the text is not JSON.
fn duplicates(text: &[u8]) -> Vec<String> {
    let mut found = Vec::new();
    let walk = Walk { pointer: String::new(), found: &mut found };
    if walk.deserialize(&mut serde_json::Deserializer::from_slice(text)).is_err() {
        found.clear();
    }
    found
}

/// Reads the value at a pointer.
struct Walk<'f> {
    pointer: String,
    found: &'f mut Vec<String>,
}

impl<'de> DeserializeSeed<'de> for Walk<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Walk<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let mut index = 0;
        while items
            .next_element_seed(Walk { pointer: format!("{}/{index}", self.pointer), found: self.found })?
            .is_some()
        {
            index += 1;
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let mut names = BTreeSet::new();
        while let Some(name) = members.next_key::<String>()? {
            let pointer = format!("{}/{}", self.pointer, name.replace('~', "~0").replace('/', "~1"));
            if !names.insert(name) {
                self.found.push(pointer.clone());
            }
            members.next_value_seed(Walk { pointer, found: self.found })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::duplicates;

    #[test]
    fn members_are_found_at_any_depth() {
        assert_eq!(duplicates(br#"{"a":1,"b":[{},{"c/d":null,"c\/d":1.5}],"a":"x"}"#), ["/b/1/c~1d", "/a"]);
        assert_eq!(duplicates(br#"{"a":1,"a":2"#), Vec::<String>::new());
    }
}
