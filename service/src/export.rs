//! Exports everything in the format of imports.

use std::{
    cell::RefCell,
    io::{self, Write},
};

use anyhow::{Context as _, Result};

use crate::store::{
    self, TenantStore,
    import::Snapshot,
    record::{RESOURCES, json},
};

const WRITE: &str = "the export cannot be written";

/// Writes every record as it is at one moment: a JSON document with a list for each kind of records.
pub fn run(store: &TenantStore, output: &mut dyn Write) -> Result<()> {
    let output = RefCell::new(io::BufWriter::new(output));
    let failure = RefCell::new(None);
    store.read_all(|snapshot| {
        document(snapshot, &mut *output.borrow_mut(), &mut |error| *failure.borrow_mut() = Some(error))
    })?;
    if let Some(error) = failure.into_inner() {
        return Err(error).context(WRITE);
    }
    output.into_inner().flush().context(WRITE)
}

fn document(
    snapshot: &dyn Snapshot,
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
            json::write(resource, &record, &mut text);
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
