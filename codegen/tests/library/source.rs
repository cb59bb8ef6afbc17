//! The ways to name a description.

use openapiv3::OpenAPI;
use specwright::{Crate, File, Generator, Side, Source};

const TEXT: &str = "
openapi: 3.0.3
info: { title: Pets, version: '1' }
paths: { /pets: { get: { operationId: listPets, responses: { '204': { description: None. } } } } }
";

#[test]
fn a_path_a_text_and_a_document_give_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pets.yaml");
    std::fs::write(&path, TEXT).unwrap();
    let document: OpenAPI = serde_yaml::from_str(TEXT).unwrap();
    let files = |_: &str| Ok(TEXT.as_bytes().to_vec());
    let sources = [
        Source::path(&path),
        Source::text(TEXT),
        Source::document(&document).unwrap(),
        Source::files(&files, "pets.yaml"),
    ];
    let generated = sources.map(|source| Generator::new().generate(&source).unwrap());
    for other in &generated[1..] {
        // The description that a server shows keeps the order of the document.
        let code = |files: &[File]| -> Vec<_> {
            files.iter().filter(|file| file.path != "src/openapi.json").cloned().collect()
        };
        assert_eq!(code(&generated[0].server.files), code(&other.server.files));
        assert_eq!(generated[0].client, other.client);
    }
}

#[test]
fn a_text_has_no_other_files() {
    let text = TEXT.replace("{ get:", "{ parameters: [{ $ref: 'other.yaml#/a' }], get:");
    let found = Generator::new().read(&Source::text(text)).unwrap_err();
    assert!(found.to_string().contains("there is no file `other.yaml`"), "{found}");
}

#[test]
fn one_side_comes_alone() {
    for side in [Side::Server, Side::Client, Side::Models] {
        let generated = Generator::new().sides([side]).generate(&Source::text(TEXT)).unwrap();
        let both = Generator::new().generate(&Source::text(TEXT)).unwrap();
        let (server, client) = match side {
            Side::Server => (both.server, Crate::default()),
            Side::Client => (Crate::default(), both.client),
            Side::Models => <(Crate, Crate)>::default(),
        };
        assert_eq!((generated.server, generated.client), (server, client));
        assert_eq!(generated.models == Crate::default(), side != Side::Models);
    }
}

#[test]
fn what_is_wrong_with_a_description_is_an_error_of_rust() {
    let run = || -> Result<(), Box<dyn std::error::Error>> {
        Generator::new().generate(&Source::text("openapi: 3.0.3\ninfo: { title: A }\n"))?;
        Ok(())
    };
    let error = run().expect_err("it has no paths");
    let text = "\
warning[W0206] description#/info: the description has no `version`; `0.0.0` is taken
error[E0202] description#: `paths` is missing";
    // What `main` shows is the `Debug` of its error.
    assert_eq!((error.to_string(), format!("{error:?}")), (text.to_owned(), text.to_owned()));
}
