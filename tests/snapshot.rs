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
        assert_is_laid_out(&generated.server.files);
        assert_is_laid_out(&generated.client.files);
        assert!(!shown.is_empty(), "{name} shows nothing");
        let text: String = shown.iter().map(|path| section(path, &generated)).collect();
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(name.as_str(), text);
        });
    }
}

/// Each file of a crate has been laid out.
fn assert_is_laid_out(files: &[File]) {
    for file in files {
        assert!(!file.text.contains("\n#[doc = \""), "{} is not laid out", file.path);
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
