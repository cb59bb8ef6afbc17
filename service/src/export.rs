//! Exports everything in the format of imports.

use std::io::{self, Write};

use anyhow::{Context as _, Result};

use crate::store::{TenantStore, record::json};

/// Writes every record as it is at one moment: a JSON document with a list for each kind of records.
pub fn run(store: &TenantStore, output: &mut (dyn Write + Send)) -> Result<()> {
    let mut output = io::BufWriter::new(output);
    let (mut last, mut written) = (None, Ok(()));
    store.read_all(|resource, record| {
        let begin = match last.replace(resource.name) {
            Some(last) if last == resource.name => ",\n    ".to_owned(),
            Some(_) => format!("\n  ],\n  \"{}\": [\n    ", resource.name),
            None => format!("{{\n  \"{}\": [\n    ", resource.name),
        };
        written = write!(output, "{begin}{}", json::text(resource, &record));
        written.is_ok()
    })?;
    let end = if last.is_some() { "\n  ]\n}\n" } else { "{}\n" };
    written
        .and_then(|()| output.write_all(end.as_bytes()))
        .and_then(|()| output.flush())
        .context("the export cannot be written")
}
