//! Scaffolds: starting implementations of traits.

use specwright::{Generator, Source};

#[test]
fn every_tag_of_operations_and_of_webhooks_has_one() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures");
    let files = |path: &str| std::fs::read(folder.join(path));
    let texts = Generator::new().name("shop").scaffold(&Source::files(&files, "webhooks.yaml")).unwrap();
    let shown: Vec<_> = texts.iter().map(|(tag, text)| format!("// {tag}\n\n{text}")).collect();
    insta::assert_snapshot!(shown.join("\n"));
}
