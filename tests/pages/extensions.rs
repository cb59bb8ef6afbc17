//! The page of extensions names what the generator reads.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// What only looks like an extension: a header, a media type, and notes of the generator to itself.
const OTHERS: [&str; 7] =
    ["x-", "x-in", "x-request-id", "x-specwright-files", "x-style", "x-www-form-urlencoded", "x-{neutral}"];

/// The extensions that stand between these marks in a text.
fn extensions(text: &str, mark: char) -> BTreeSet<String> {
    let quoted = text.split(mark).filter(|word| word.starts_with("x-"));
    let names = quoted.map(|word| word.split([':', ' ']).next().unwrap_or(word));
    names.filter(|name| !OTHERS.contains(name)).map(str::to_owned).collect()
}

fn read_in(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            read_in(&path, found);
        } else {
            let code = fs::read_to_string(&path).expect("a file of code");
            let code = code.split("\nmod tests {").next().unwrap_or_default();
            found.extend(extensions(code, '"'));
        }
    }
}

#[test]
fn every_extension_that_is_read_has_a_row() {
    let mut read = BTreeSet::new();
    read_in(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../codegen/src"), &mut read);
    assert_eq!(read, extensions(include_str!("../../docs/extensions.md"), '`'));
}
