//! Records as JSON, in the format of imports.

use generated_server::runtime::text::ToText as _;
use jiff::Timestamp;

use super::{Kind, Record, Resource, Value};

/// A record; members without a value are left out.
pub fn text(resource: &Resource, record: &Record) -> String {
    let mut text = String::with_capacity(512);
    write_below(resource, record, 0, &mut text);
    text
}

/// Writes a record without its first `above` members.
fn write_below(resource: &Resource, record: &Record, above: usize, text: &mut String) {
    text.push('{');
    let mut separator = "";
    let mut name = |text: &mut String, name: &str| {
        text.push_str(separator);
        separator = ",";
        string(name, text);
        text.push(':');
    };
    for (member, value) in resource.members.iter().zip(&record.values).skip(above) {
        if *value != Value::Null {
            name(text, member.name);
            scalar(&member.kind, value, text);
        }
    }
    for (below, records) in resource.below.iter().zip(&record.below) {
        let records = records.as_deref().unwrap_or_default();
        if records.is_empty() {
            continue;
        }
        name(text, below.name);
        text.push('[');
        for (position, record) in records.iter().enumerate() {
            if position > 0 {
                text.push(',');
            }
            let own = below.resource.above;
            match below.resource.members.get(own..) {
                // A record with only this member is written as its value.
                Some([member]) => scalar(&member.kind, &record.values[own], text),
                _ => write_below(below.resource, record, own, text),
            }
        }
        text.push(']');
    }
    text.push('}');
}

/// Writes a value of a member.
pub fn scalar(kind: &Kind, value: &Value, text: &mut String) {
    match (kind, value) {
        // Members never hold bytes.
        (_, Value::Null | Value::Bytes(_)) => text.push_str("null"),
        (Kind::Boolean, Value::Integer(number)) => text.push_str(if *number == 0 { "false" } else { "true" }),
        (Kind::Moment, Value::Integer(_)) => match value.clone().read::<Timestamp>() {
            Ok(moment) => string(&moment.to_text(), text),
            Err(_) => text.push_str("null"),
        },
        (_, Value::Integer(number)) => text.push_str(&number.to_string()),
        (_, Value::Real(number)) => text.push_str(&serde_json::to_string(number).unwrap_or_default()),
        (Kind::Texts | Kind::Json | Kind::Object, Value::Text(json)) => text.push_str(json),
        (_, Value::Text(value)) => string(value, text),
    }
}

fn string(value: &str, text: &mut String) {
    text.push_str(&serde_json::to_string(value).unwrap_or_default());
}
