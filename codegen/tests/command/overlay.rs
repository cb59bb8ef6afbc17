//! `--overlay`, and `overlays` in the configuration

use crate::folder::{ACCOUNTS, Folder};

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
