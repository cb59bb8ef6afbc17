//! Detects duplicate member names, of which a tree keeps only the last.

use std::fmt::{self, Formatter};

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

/// Whether the tree has every member that was read.
pub fn are_told_apart(bytes: &[u8], tree: &Value) -> bool {
    serde_json::from_slice(bytes).is_ok_and(|Count(read)| read == count(tree))
}

fn count(tree: &Value) -> usize {
    match tree {
        Value::Object(members) => members.values().map(|value| 1 + count(value)).sum(),
        Value::Array(items) => items.iter().map(count).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
}

/// The number of members.
struct Count(usize);

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Counter)
    }
}

struct Counter;

impl<'de> Visitor<'de> for Counter {
    type Value = Count;

    fn expecting(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Count, E> {
        Ok(Count(0))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Count, E> {
        Ok(Count(0))
    }

    fn visit_i64<E>(self, _: i64) -> Result<Count, E> {
        Ok(Count(0))
    }

    fn visit_u64<E>(self, _: u64) -> Result<Count, E> {
        Ok(Count(0))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Count, E> {
        Ok(Count(0))
    }

    fn visit_str<E>(self, _: &str) -> Result<Count, E> {
        Ok(Count(0))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Count, A::Error> {
        let mut all = 0;
        while let Some(Count(count)) = items.next_element()? {
            all += count;
        }
        Ok(Count(all))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Count, A::Error> {
        let mut all = 0;
        while let Some((IgnoredAny, Count(count))) = members.next_entry()? {
            all += 1 + count;
        }
        Ok(Count(all))
    }
}
