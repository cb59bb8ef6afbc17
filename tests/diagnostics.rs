//! The message shown for each invalid fixture.

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;

use codegen::{Code, Diagnostics, Files, Source, Style};
use tests::fixture;

/// The folder of the fixtures.
struct Fixtures(PathBuf);

impl Files for Fixtures {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        std::fs::read(self.0.join(path))
    }
}

#[test]
fn every_invalid_fixture_is_explained() -> io::Result<()> {
    let fixtures = Fixtures(PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/invalid")));
    let mut seen = BTreeSet::new();
    for entry in std::fs::read_dir(&fixtures.0)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            // Files that a fixture refers to.
            continue;
        }
        let name = entry.file_name().to_string_lossy().into_owned();
        let source = Source::files(&fixtures, name.as_str());
        let diagnostics: Diagnostics = match fixture::generator(&fixtures.0, &name).generate(&source) {
            Ok(generated) => generated.warnings,
            Err(diagnostics) => diagnostics,
        };
        seen.extend(diagnostics.iter().map(|diagnostic| diagnostic.code));
        insta::with_settings!({ snapshot_path => "snapshots/diagnostics", prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(name, diagnostics.render(&fixtures, Style::Plain));
        });
    }
    let unseen: Vec<&str> = Code::all().filter(|code| !seen.contains(code)).map(Code::name).collect();
    assert_eq!(unseen, [""; 0], "every kind of problem has a fixture, `fixtures/invalid/<name>.yaml`");
    Ok(())
}
