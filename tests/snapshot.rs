//! Of the source generated from each fixture, the files that the fixture is about.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use codegen::{File, Generated, Source, Style};
use tests::fixture;

/// A description whose crates are compiled instead: `compiled/`.
const COMPILED: &str = "everything";

#[test]
fn fixtures_generate_what_was_reviewed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let read = |path: &str| fs::read(folder.join(path));
    let fixtures: BTreeSet<String> = fs::read_dir(&folder)
        .expect("the fixtures are there")
        .filter_map(|file| Some(file.ok()?.file_name().to_str()?.strip_suffix(".yaml")?.to_owned()))
        .filter(|name| name != COMPILED)
        .collect();
    let shown = fs::read_to_string(folder.join("shown.toml")).expect("it says what is shown");
    let shown: BTreeMap<String, Vec<String>> = toml::from_str(&shown).expect("files by fixture");
    assert!(shown.keys().eq(&fixtures), "shown.toml names each fixture: {fixtures:?}");
    for (name, shown) in &shown {
        let entry = &format!("{name}.yaml");
        let generated = fixture::generator(&folder, entry)
            .generate(&Source::files(&read, entry))
            .unwrap_or_else(|problems| panic!("{entry}:\n{}", problems.render(&read, Style::Plain)));
        assert_is_whole(&generated.server.files);
        assert_is_whole(&generated.client.files);
        assert!(!shown.is_empty(), "{name} shows nothing");
        let text: String = shown.iter().map(|path| section(path, &generated)).collect();
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(name.as_str(), text);
        });
    }
}

/// What the files of a crate use of the runtime was copied, and each of them has been laid out.
fn assert_is_whole(files: &[File]) {
    for file in files {
        assert!(!file.text.contains("\n#[doc = \""), "{} is not laid out", file.path);
        for (start, used) in file.text.match_indices("crate::runtime::") {
            // Of a macro only those arms are expanded whose modules are there, which the compiler says of `tests/compiled`.
            if file.text[..start].ends_with('$') {
                continue;
            }
            let rest = &file.text[start + used.len()..];
            let module: String = rest.chars().take_while(|next| next.is_ascii_lowercase() || *next == '_').collect();
            let path = format!("src/runtime/{module}.rs");
            let is_there = module.is_empty() || files.iter().any(|file| file.path == path);
            assert!(is_there, "{} uses {path}, which is not there", file.path);
        }
    }
}

/// The file at `path`, such as `server/models/pet`, under its whole path.
fn section(path: &str, generated: &Generated) -> String {
    let (files, below) = match path.split_once('/') {
        Some(("server", below)) => (&generated.server.files, below),
        Some(("client", below)) => (&generated.client.files, below),
        _ => panic!("{path} begins with no side"),
    };
    let file = files.iter().find(|file| file.path == format!("src/{below}.rs"));
    let file = file.unwrap_or_else(|| panic!("{path} is not generated"));
    format!("===== {path}.rs\n{}\n", file.text)
}
