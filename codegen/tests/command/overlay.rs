//! `--overlay`, and `overlays` in the configuration

use crate::folder::{ACCOUNTS, Folder};
use crate::service::{Mock, PETS};

/// Adds an operation, and removes one.
const OVERLAY: &str = "\
overlay: 1.0.0
info: { title: Ours, version: '1' }
actions:
  - target: $.paths
    update:
      /notes:
        get:
          operationId: listNotes
          tags: [Notes]
          responses: { '204': { description: Done. } }
  - target: $.paths['/accounts']
    remove: true
";

#[test]
fn overlays_change_what_is_read() {
    let folder = Folder::new(&[
        ("spec/accounts.yaml", ACCOUNTS),
        ("ours/notes.yaml", OVERLAY),
        ("ours/codegen.toml", "overlays = ['notes.yaml']\n"),
    ]);
    let listed = folder.run("list spec/accounts.yaml --overlay ours/notes.yaml");
    assert_eq!((listed.code, listed.stderr.as_str()), (Some(0), ""));
    assert!(listed.stdout.contains("/notes") && !listed.stdout.contains("createAccount"), "{}", listed.stdout);
    assert_eq!(folder.run("list spec/accounts.yaml --config ours/codegen.toml").stdout, listed.stdout);

    let run = folder.run("generate spec/accounts.yaml --config ours/codegen.toml --server s");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(folder.path("s/src/notes/list_notes.rs").exists());
    assert!(folder.read("s/src/openapi.json").contains("listNotes"));
}

#[test]
fn what_an_overlay_gets_wrong_is_shown_there() {
    let wrong = OVERLAY
        .replace("/accounts']", "/acounts']")
        .replace("tags: [Notes]", "tagss: [Notes]\n          parameters: [{ $ref: '#/components/parameters/Absent' }]");
    // The last line of the description keeps its location.
    let mistaken = ACCOUNTS.replace("scheme: bearer }", "scheme: bearer, flow: x }");
    let folder = Folder::new(&[("spec/accounts.yaml", &mistaken), ("ours/notes.yaml", &wrong)]);
    insta::assert_snapshot!(folder.run("lint ./spec/accounts.yaml --overlay ours/notes.yaml").shown());
    folder.write("spec/accounts.yaml", ACCOUNTS);
    folder.write("ours/idle.yaml", "overlay: 1.0.0\nactions: []\n");
    let idle = folder.run("lint spec/accounts.yaml --overlay ours/idle.yaml");
    assert!(idle.stderr.ends_with("warning: `ours/idle.yaml` has 2 warnings\n"), "{}", idle.stderr);
    let absent = folder.run("lint spec/accounts.yaml --overlay absent.yaml");
    assert!(absent.stderr.contains("`../absent.yaml`") && absent.code == Some(2), "{}", absent.stderr);
}

/// Adds an operation whose answer is `one`.
const NOTES: &str = "\
overlay: 1.0.0
info: { title: Notes, version: '1' }
actions: [{ target: $.paths, update: { /notes: { get: { operationId: listNotes, security: [], responses: {
    '200': { description: Notes., content: { text/plain: { schema: { type: string }, example: one } } } } } } } }]
";

/// Changes the answer of that operation.
const CHANGED: &str = "\
overlay: 1.0.0
info: { title: Ours, version: '1' }
actions: [{ target: '$..content[?@.example == \"one\"]', update: { example: two } }]
";

#[tokio::test]
async fn services_are_held_to_a_description_with_overlays() {
    let folder = Folder::new(&[
        ("spec/pets.yaml", PETS),
        ("ours/notes.yaml", NOTES),
        ("ours/changed.yaml", CHANGED),
        ("ours/codegen.toml", "overlays = ['notes.yaml']\n"),
    ]);
    for (arguments, expected) in [
        ("--overlay ours/notes.yaml", "one"),
        ("--overlay ours/notes.yaml --overlay ours/changed.yaml", "two"),
        ("--config ours/codegen.toml --overlay ours/changed.yaml", "two"),
    ] {
        let mock = Mock::start(&folder, &format!("spec/pets.yaml {arguments}"));
        assert_eq!(mock.get("/notes").await.text, expected, "{arguments}");
    }
    let plain = Mock::start(&folder, "spec/pets.yaml");
    assert_eq!(plain.get("/notes").await.status, 404);
    let proved = |arguments: &str| {
        folder.run(&format!(
            "prove spec/pets.yaml --url {} --only listNotes --samples 10 --budget 1h {arguments}",
            plain.url
        ))
    };
    let run = proved("--overlay ours/notes.yaml");
    assert!(run.code == Some(1) && run.stderr.starts_with("error: nothing is proven"), "{}", run.stderr);
    assert!(run.stdout.contains("GET /notes answers 404, which is not described"), "{}", run.stdout);
    let idle = proved("--overlay ours/changed.yaml --overlay ours/notes.yaml");
    assert_eq!(idle.code, Some(1));
    assert!(idle.stderr.contains("warning: `ours/changed.yaml` has 1 warning\n"), "{}", idle.stderr);
    let absent = proved("--overlay absent.yaml");
    assert!(absent.stderr.contains("`../absent.yaml`") && absent.code == Some(2), "{}", absent.stderr);
}
