//! Writes everything in the form that imports read.

use std::{
    cell::RefCell,
    io::{self, Write},
};

use generated_server::runtime::text::ToText as _;
use jiff::Timestamp;

use crate::store::{
    self, TenantStore,
    import::Snapshot,
    record::{Kind, RESOURCES, Record, Resource, Value},
};

/// Why not everything is written.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] store::Error),
    /// What is read cannot be written.
    #[error("the export cannot be written")]
    Write(#[from] io::Error),
}

/// Writes every record as it is at one moment: a JSON document with a list for each kind of records.
pub fn run(store: &TenantStore, output: &mut dyn Write) -> Result<(), Error> {
    let output = RefCell::new(io::BufWriter::new(output));
    let failure = RefCell::new(None);
    store.read_all(|snapshot| {
        document(snapshot, &mut *output.borrow_mut(), &mut |error| *failure.borrow_mut() = Some(error))
    })?;
    if let Some(error) = failure.into_inner() {
        return Err(Error::Write(error));
    }
    output.into_inner().flush()?;
    Ok(())
}

fn document(
    snapshot: &Snapshot<'_>,
    output: &mut dyn Write,
    fail: &mut dyn FnMut(io::Error),
) -> Result<(), store::Error> {
    let mut text = String::new();
    let mut begin = "{\n  \"";
    let mut is_writing = true;
    for resource in RESOURCES {
        let is_nested =
            RESOURCES.iter().flat_map(|other| other.below).any(|below| below.resource.name == resource.name);
        if is_nested || !is_writing {
            continue;
        }
        let mut is_first = true;
        snapshot.each(resource, &mut |record| {
            text.clear();
            if is_first {
                text.extend([begin, resource.name, "\": ["]);
                begin = "\n  ],\n  \"";
            }
            text.push_str(if is_first { "\n    " } else { ",\n    " });
            is_first = false;
            write(resource, &record, 0, &mut text);
            if let Err(error) = output.write_all(text.as_bytes()) {
                is_writing = false;
                fail(error);
            }
            is_writing
        })?;
    }
    let end: &[u8] = if begin.starts_with('{') { b"{}\n" } else { b"\n  ]\n}\n" };
    if is_writing && let Err(error) = output.write_all(end) {
        fail(error);
    }
    Ok(())
}

/// Writes a record without its first `above` members.
fn write(resource: &Resource, record: &Record, above: usize, text: &mut String) {
    let mut separator = '{';
    let mut name = |text: &mut String, name: &str| {
        text.push(separator);
        separator = ',';
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
                // Nothing but this member: it says enough by itself.
                Some([member]) => scalar(&member.kind, &record.values[own], text),
                _ => write(below.resource, record, own, text),
            }
        }
        text.push(']');
    }
    text.push('}');
}

fn scalar(kind: &Kind, value: &Value, text: &mut String) {
    match (kind, value) {
        (_, Value::Null) => text.push_str("null"),
        (Kind::Boolean, Value::Integer(number)) => text.push_str(if *number == 0 { "false" } else { "true" }),
        (Kind::Moment, Value::Integer(number)) => match Timestamp::from_microsecond(*number) {
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
