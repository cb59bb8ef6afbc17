//! Exports everything in the format of imports.

use std::{
    cell::RefCell,
    io::{self, Write},
};

use crate::store::{
    self, TenantStore,
    import::Snapshot,
    record::{RESOURCES, json},
};

/// Why the export is incomplete.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] store::Error),
    /// The output cannot be written.
    #[error("the export cannot be written")]
    Write(#[from] io::Error),
}

/// Writes a snapshot of every record: a JSON document with a list for each kind.
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
