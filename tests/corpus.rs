//! Descriptions as tools and people write them: all of each is generated. `cargo xtask corpus tests/corpus` compiles it.

use std::error::Error;
use std::path::Path;

use codegen::{Generator, Source, Style};

#[test]
fn every_description_gives_all_of_its_operations() -> Result<(), Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let files = |path: &str| std::fs::read(folder.join(path));
    let manifest = std::fs::read_to_string(folder.join("manifest.tsv"))?;
    let mut entries: Vec<&str> = manifest.lines().skip(1).filter_map(|line| line.split('\t').nth(1)).collect();
    for entry in &entries {
        match Generator::new().generate(&Source::files(&files, *entry)) {
            Ok(generated) => {
                assert_eq!(generated.skipped, 0, "{entry}");
                for file in generated.server.files.iter().chain(&generated.client.files) {
                    assert!(!file.text.contains("compile_error!("), "{entry}: {}", file.path);
                }
            }
            Err(problems) => return Err(problems.render(&files, Style::Plain).into()),
        }
    }
    entries.sort_unstable();
    let mut found = Vec::new();
    for file in std::fs::read_dir(&folder)? {
        found.push(file?.file_name().to_string_lossy().into_owned());
    }
    found.retain(|name| name != "manifest.tsv");
    found.sort_unstable();
    assert_eq!(entries, found, "manifest.tsv lists what is there");
    Ok(())
}
