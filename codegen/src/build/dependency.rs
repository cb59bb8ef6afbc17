//! Checks that the crate which includes generated code has its dependencies.

use std::fs;
use std::path::Path;

use toml::{Table, Value};

use super::Failure;
use crate::Runtime;
use crate::emit::Side;
use crate::ir::Api;
use crate::package::{self, Needed};
use crate::render::File;

/// Lists the lines that these `tables` of the manifest lack; the compiler would only report unknown names, once for each use.
pub(super) fn check(
    api: &Api,
    side: Side,
    files: &[File],
    runtime: &Runtime,
    (manifest, tables): (&Path, &[&str]),
    on: &[&str],
) -> Result<(), Failure> {
    let failed = |error: &dyn std::fmt::Display| Failure(format!("{}: {error}", manifest.display()));
    let text = fs::read_to_string(manifest).map_err(|error| failed(&error))?;
    let table: Table = toml::from_str(&text).map_err(|error| failed(&error))?;
    let missing: String = package::needed(api, side, files, runtime)
        .into_iter()
        .filter(|needed| {
            needed.feature.is_none_or(|feature| on.contains(&feature)) && !depends(&table, tables, needed.name)
        })
        .map(|Needed { line, .. }| line)
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(Failure(format!("{} lacks what the generated code uses:\n\n[dependencies]\n{missing}", manifest.display())))
}

fn depends(manifest: &Table, tables: &[&str], name: &str) -> bool {
    let lists = |table: &Table, kind: &str| table.get(kind).and_then(|list| list.get(name)).is_some();
    let has = |table: &Table| tables.iter().any(|kind| lists(table, kind));
    let targets = manifest.get("target").and_then(Value::as_table).into_iter().flatten();
    has(manifest) || targets.filter_map(|(_, target)| target.as_table()).any(has)
}

#[cfg(test)]
mod tests {
    use super::depends;

    #[test]
    fn a_dependency_may_be_written_in_any_way() {
        let manifest = "[dependencies]\na = '1'\nb.workspace = true\n[dependencies.c]\nversion = '1'\n\
                        [target.'cfg(unix)'.dependencies]\nd = '1'\n[dev-dependencies]\ne = '1'\n";
        let table = manifest.parse().unwrap();
        let found = |tables: &[&str]| -> Vec<_> {
            ["a", "b", "c", "d", "e", "f"].into_iter().filter(|name| depends(&table, tables, name)).collect()
        };
        assert_eq!(found(&["dependencies"]), ["a", "b", "c", "d"]);
        assert_eq!(found(&["dependencies", "dev-dependencies"]), ["a", "b", "c", "d", "e"]);
    }
}
