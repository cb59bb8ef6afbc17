//! Implementations to start from.

use codegen::Options;

#[test]
fn every_tag_of_operations_and_of_webhooks_has_one() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures");
    let files = |path: &str| std::fs::read(folder.join(path));
    let options = Options { client_crate: "shop_client".to_owned(), ..Options::default() };
    let texts = codegen::scaffold(&files, "webhooks.yaml", &options).unwrap();
    let shown: Vec<_> = texts.iter().map(|(tag, text)| format!("// {tag}\n\n{text}")).collect();
    insta::assert_snapshot!(shown.join("\n"));
}
