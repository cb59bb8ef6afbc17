//! The source generated from each fixture, both crates, without the runtime that is copied into them.

use std::{fmt::Write as _, fs, path::Path};

use codegen::{File, Style};
use tests::fixture;

/// A description whose crates are compiled instead: `compiled/`.
const COMPILED: &str = "everything";

#[test]
fn fixtures_generate_what_was_reviewed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let read = |path: &str| fs::read(folder.join(path));
    let mut entries: Vec<_> = fs::read_dir(&folder)
        .expect("the fixtures are there")
        .filter_map(|entry| entry.ok()?.path().file_name()?.to_str().map(str::to_owned))
        .filter(|name| name.strip_suffix(".yaml").is_some_and(|name| name != COMPILED))
        .collect();
    entries.sort();
    assert!(entries.len() > 20, "a fixture for every feature: {entries:?}");
    for entry in entries {
        let generated = codegen::generate(&read, &entry, &fixture::options(&folder, &entry))
            .unwrap_or_else(|problems| panic!("{entry}:\n{}", problems.render(&read, Style::Plain)));
        assert_is_whole(&generated.server);
        assert_is_whole(&generated.client);
        let text = format!("{}{}", section("server", &generated.server), section("client", &generated.client));
        let name = entry.trim_end_matches(".yaml");
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(name, text);
        });
    }
}

/// What the files of a crate use of the runtime was copied.
fn assert_is_whole(files: &[File]) {
    for file in files {
        for (start, used) in file.text.match_indices("crate::runtime::") {
            let rest = &file.text[start + used.len()..];
            let module: String = rest.chars().take_while(|next| next.is_ascii_lowercase() || *next == '_').collect();
            let path = format!("src/runtime/{module}.rs");
            let is_there = module.is_empty() || files.iter().any(|file| file.path == path);
            assert!(is_there, "{} uses {path}, which is not there", file.path);
        }
    }
}

/// The files of one crate, each under its path.
fn section(side: &str, files: &[File]) -> String {
    let copied = |path: &str| path.starts_with("src/runtime") || path == "src/openapi.json";
    let own = files.iter().filter(|file| !copied(&file.path));
    own.fold(String::new(), |mut text, file| {
        // Writing to a String cannot fail.
        let _ = write!(text, "===== {side}/{}\n{}\n", file.path, file.text);
        text
    })
}
