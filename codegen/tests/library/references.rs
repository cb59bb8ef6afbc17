//! References to other files and to URLs.

use std::collections::BTreeMap;
use std::io;

use specwright::{Generator, Source};

const ENTRY: &str = "
    openapi: 3.0.3
    info: { title: T, version: '1' }
    paths: {}
    components:
      schemas:
        A: { $ref: 'https://example.com/v1/schemas/a.json#/A' }
        B: { $ref: 'https://example.com/v1/schemas/a.json#/B' }
";

/// The errors of these files: locations and messages.
fn errors(files: &BTreeMap<&str, &str>) -> Vec<(String, String)> {
    let read = |path: &str| match (path, files.get(path)) {
        ("api.yaml", _) => Ok(ENTRY.as_bytes().to_vec()),
        (_, Some(text)) => Ok(text.as_bytes().to_vec()),
        (_, None) => Err(io::Error::new(io::ErrorKind::NotFound, "no copy")),
    };
    match Generator::new().generate(&Source::files(&read, "api.yaml")) {
        Ok(generated) => {
            assert!(generated.warnings.is_empty(), "{:?}", generated.warnings);
            Vec::new()
        }
        Err(found) => found.errors().map(|error| (error.location.to_string(), error.notes.join(""))).collect(),
    }
}

#[test]
fn references_in_a_remote_document_are_relative_to_its_url() {
    let a = r##"{
        "A": { "type": "object", "properties": { "b": { "$ref": "#/B" }, "c": { "$ref": "../c.yaml" } } },
        "B": { "type": "string", "enum": ["x"] }
    }"##;
    let mut files = BTreeMap::from([("https://example.com/v1/schemas/a.json", a)]);
    files.insert("https://example.com/v1/c.yaml", "{ type: integer }");
    assert_eq!(errors(&files), []);

    files.insert("https://example.com/v1/c.yaml", "{ type: 7 }");
    assert_eq!(errors(&files), [("https://example.com/v1/c.yaml#/type".to_owned(), String::new())]);

    files.remove("https://example.com/v1/c.yaml");
    let reference = "https://example.com/v1/schemas/a.json#/A/properties/c/$ref";
    assert_eq!(errors(&files), [(reference.to_owned(), "no copy".to_owned())]);
}

#[test]
fn endless_references_through_folders_end() {
    let text = "
        openapi: 3.0.3
        info: { title: T, version: '1' }
        paths: {}
        components: { schemas: { A: { $ref: 'folder-of-itself/api.yaml#/components/schemas/A' } } }
    ";
    let read = |_: &str| Ok(text.as_bytes().to_vec());
    let found = Generator::new().read(&Source::files(&read, "api.yaml")).expect_err("it cannot be read to its end");
    let errors: Vec<_> = found.errors().map(|error| error.message.clone()).collect();
    assert_eq!(errors.len(), 1);
    assert!(errors[0].contains("has more than 4096 bytes"), "{}", errors[0]);
}
