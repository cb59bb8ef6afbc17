//! `specwright prove` against `specwright mock`: both read a description in the same way.

use serde_json::Value;

use crate::folder::Folder;
use crate::prove::kinds;
use crate::service::{Mock, PETS};

/// Proves the mock of each document of a folder below `tests`.
fn keeps(documents: &str, names: &[&str], arguments: &str) {
    let folder = Folder::new(&[]);
    for name in names {
        let path = format!("{}/../tests/{documents}/{name}", env!("CARGO_MANIFEST_DIR"));
        let mock = Mock::start(&folder, &path);
        let run = folder.run(&format!("prove {path} --url {} --budget 1h {arguments}", mock.url));
        assert_eq!(run.code, Some(0), "{name}: {}{}", run.stdout, run.stderr);
        assert!(!run.stdout.contains("warning"), "{name}: {}", run.stdout);
    }
}

#[test]
fn a_mock_keeps_its_description() {
    let folder = Folder::new(&[("pets.yaml", PETS)]);
    let mock = Mock::start(&folder, "pets.yaml");
    let run = folder.run(&format!("prove pets.yaml --url {} --bearer secret --samples 10 --budget 1h", mock.url));
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
    assert!(run.stdout.starts_with("5 operations, ") && run.stdout.ends_with(" requests, 0 findings (seed 0)\n"));
    // The mock has a credential for each operation that needs one.
    let bare = folder.run(&format!("prove pets.yaml --url {} --samples 10 --budget 1h --format json", mock.url));
    let report: Value = serde_json::from_str(&bare.stdout).unwrap();
    let expected = ["createPet", "renamePet", "deletePet"].map(|id| (id.to_owned(), "not-called".to_owned()));
    assert_eq!((bare.code, kinds(&report)), (Some(0), expected.to_vec()));
}

#[test]
fn missing_credentials_are_named() {
    let description = r"openapi: 3.1.0
info: { title: Keys, version: '1' }
security: [{ key: [] }, { token: [], id: [] }]
paths: { /keys: { get: { operationId: listKeys, responses: { '204': { description: None } } } } }
components:
  securitySchemes:
    key: { type: apiKey, in: header, name: X-Key }
    token: { type: http, scheme: bearer }
    id: { type: apiKey, in: query, name: id }
";
    let folder = Folder::new(&[("keys.yaml", description)]);
    let mock = Mock::start(&folder, "keys.yaml");
    // Without access, the budget is not used up.
    let run = folder.run(&format!("prove keys.yaml --url {} --bearer secret --budget 1h", mock.url));
    let error = format!("error: nothing is proven: no valid request to {} succeeded\n", mock.url);
    let warning = "warning[not-called]: GET /keys answers 401: the credentials do not suffice, it requires the header \
                   `X-Key`, or `Authorization: Bearer` and `id` in the query\n";
    assert!(run.code == Some(1) && run.stdout.starts_with(warning), "{}{}", run.stdout, run.stderr);
    assert!(run.stderr.starts_with(&error), "{}", run.stderr);
    let run = folder.run(&format!("prove keys.yaml --url {} --header X-Key:1 --samples 1", mock.url));
    assert!(run.code == Some(0) && run.stdout.ends_with(", 0 findings (seed 0)\n"), "{}{}", run.stdout, run.stderr);
}

#[test]
fn a_mock_keeps_the_descriptions_of_fixtures() {
    let names = [
        "headers.yaml",
        "inheritance.yaml",
        "multipart.yaml",
        "multipart-positional.yaml",
        "multipart-responses.yaml",
        "names.yaml",
        "one-of-simple.yaml",
        "read-write-only.yaml",
        "recursion.yaml",
        "responses.yaml",
        "tuples.yaml",
        "xml.yaml",
    ];
    keeps("fixtures", &names, "--samples 3");
}

#[test]
fn a_mock_keeps_the_descriptions_of_the_corpus() {
    let names = [
        "careless-paths.yaml",
        "careless-schemas.yaml",
        "careless-statuses.yaml",
        "descriptions.json",
        "drf-spectacular.yaml",
        "google-templates.yaml",
        "heirs.yaml",
        "kubernetes.yaml",
        "names.json",
        "responses.yaml",
        "stripe-like.yaml",
    ];
    keeps("corpus", &names, "--bearer secret --samples 2");
}

/// A record that holds itself, a header that HTTP does not have, and two responses, one of which has no value.
const IMPOSSIBLE: &str = "\
openapi: 3.0.3
info: { title: Impossible, version: '1' }
paths:
  /endless:
    get:
      operationId: getEndless
      responses: { '200': { description: One., content: { application/json: { schema: { $ref: '#/components/schemas/Endless' } } } } }
    post:
      operationId: addEndless
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Endless' } } } }
      responses: { '204': { description: Done. } }
  /wide:
    get:
      operationId: getWide
      parameters: [{ name: größe, in: header, required: true, schema: { type: string } }]
      responses:
        '200': { description: One., content: { application/json: { schema: { $ref: '#/components/schemas/Endless' } } } }
        '204': { description: None. }
components:
  schemas:
    Endless: { type: object, required: [inner], properties: { inner: { $ref: '#/components/schemas/Endless' } } }
";

#[test]
fn what_a_description_makes_impossible_is_a_warning() {
    let folder = Folder::new(&[("a.yaml", IMPOSSIBLE)]);
    let mock = Mock::start(&folder, "a.yaml");
    let prove = |arguments: &str| folder.run(&format!("prove a.yaml --url {} {arguments}", mock.url));
    let run = prove("--samples 2 --budget 1h");
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{}", run.stdout);
    for line in [
        "warning[contradiction]: GET /endless answers 501: the description contradicts itself, so that no response is valid\n  --> getEndless\n",
        "warning[not-called]: POST /endless no valid request can be made\n  --> addEndless\n",
        "warning[not-sent]: GET /wide is called without the header `größe`: the name of a header is a token (RFC 9110, 5.6.2)\n  --> getWide\n",
    ] {
        assert!(run.stdout.contains(line), "{line}{}", run.stdout);
    }
    assert!(run.stdout.ends_with(", 0 findings, 3 warnings (seed 0)\n"), "{}", run.stdout);
    // An operation that cannot be called takes no time.
    let run = prove("--only addEndless --budget 1h");
    assert!(run.code == Some(1) && run.stdout.starts_with("warning[not-called]"), "{}{}", run.stdout, run.stderr);
}

#[test]
fn an_answer_of_another_operation_of_the_path_is_not_a_finding() {
    let operation = |id: &str, media_type: &str| {
        format!(
            "    post: {{ operationId: {id}, responses: {{ '200': {{ description: Done., content: {{ {media_type}: {{}} }} }} }} }}\n"
        )
    };
    let paths =
        format!("  /a#one:\n{}  /a#two:\n{}", operation("one", "application/json"), operation("two", "text/plain"));
    let document = format!("openapi: 3.1.0\ninfo: {{ title: A, version: '1' }}\npaths:\n{paths}");
    let folder = Folder::new(&[("a.yaml", &document)]);
    let mock = Mock::start(&folder, "a.yaml");
    let run = folder.run(&format!("prove a.yaml --url {} --samples 10 --budget 1h", mock.url));
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
}
