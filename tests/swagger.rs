//! Swagger 2.0 gives what its twin gives, written by hand in OpenAPI 3.0.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use codegen::{File, Generator, Source, Style};

#[test]
fn both_versions_generate_the_same() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/swagger-2-0");
    let folders = fs::read_dir(&root).expect("the fixtures are there").filter_map(|entry| Some(entry.ok()?.path()));
    let mut seen = 0;
    for folder in folders {
        let generated = |version: &str| {
            let read = |path: &str| fs::read(folder.join(version).join(path));
            let generated = Generator::new()
                .generate(&Source::files(&read, "description.yaml"))
                .unwrap_or_else(|problems| panic!("{}", problems.render(&read, Style::Plain)));
            let warnings = generated.warnings.render(&read, Style::Plain);
            assert!(generated.warnings.is_empty(), "{version} in {}:\n{warnings}", folder.display());
            [texts(generated.server.files), texts(generated.client.files)]
        };
        for (old, new) in generated("2.0").iter().zip(&generated("3.0")) {
            assert_eq!(old.keys().collect::<Vec<_>>(), new.keys().collect::<Vec<_>>(), "{}", folder.display());
            for (path, text) in old {
                assert_eq!(text, &new[path], "{path} in {}", folder.display());
            }
        }
        seen += 1;
    }
    assert!(seen > 5, "a twin for every concept, not {seen}");
}

/// The files by their path, without the description itself, which is served as it was read.
fn texts(files: Vec<File>) -> BTreeMap<String, String> {
    let own = files.into_iter().filter(|file| file.path != "src/openapi.json");
    own.map(|file| (file.path, file.text)).collect()
}
