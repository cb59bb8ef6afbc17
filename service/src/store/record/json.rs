//! Records as JSON, in the format of imports.

use generated_server::runtime::json::{Write, Writer};
use jiff::Timestamp;

use super::{Kind, Record, Resource, Value};
use crate::store::text;

/// A record; members without a value are left out.
pub fn text(resource: &Resource, record: &Record) -> String {
    text::json(&Shown { resource, record, above: 0 })
}

/// A record without its first `above` members.
struct Shown<'r> {
    resource: &'r Resource,
    record: &'r Record,
    above: usize,
}

/// A value of a member.
pub struct Scalar<'v>(pub &'v Kind, pub &'v Value);

impl Write for Shown<'_> {
    fn write(&self, writer: &mut Writer) {
        writer.begin_object();
        for (member, value) in self.resource.members.iter().zip(&self.record.values).skip(self.above) {
            if *value != Value::Null {
                writer.required(member.name, &Scalar(&member.kind, value));
            }
        }
        for (below, records) in self.resource.below.iter().zip(&self.record.below) {
            let (resource, records) = (below.resource, records.as_deref().unwrap_or_default());
            if records.is_empty() {
                continue;
            }
            writer.name(below.name);
            writer.begin_array();
            for record in records {
                match resource.members.get(resource.above..) {
                    // A record with only this member is written as its value.
                    Some([member]) => writer.item(&Scalar(&member.kind, &record.values[resource.above])),
                    _ => writer.item(&Shown { resource, record, above: resource.above }),
                }
            }
            writer.end_array();
        }
        writer.end_object();
    }
}

impl Write for Scalar<'_> {
    fn write(&self, writer: &mut Writer) {
        match (self.0, self.1) {
            // Members never hold bytes.
            (_, Value::Null | Value::Bytes(_)) => writer.null(),
            (Kind::Boolean, Value::Integer(number)) => (*number != 0).write(writer),
            (Kind::Moment, value @ Value::Integer(_)) => value.clone().read::<Timestamp>().ok().write(writer),
            (_, Value::Integer(number)) => number.write(writer),
            (_, Value::Real(number)) => number.write(writer),
            (Kind::Texts | Kind::Json | Kind::Object, Value::Text(json)) => writer.raw(json),
            (_, Value::Text(text)) => writer.string(text),
        }
    }
}
