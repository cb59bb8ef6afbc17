//! `specwright scaffold`

use crate::folder::{ACCOUNTS, Folder, MISTAKEN};

#[test]
fn the_only_tag_needs_no_name() {
    let folder = Folder::new(&[("accounts.yaml", ACCOUNTS)]);
    let run = folder.run("scaffold accounts.yaml");
    insta::assert_snapshot!(run.shown());
    assert_eq!(folder.run("scaffold accounts.yaml ACCOUNTS").stdout, run.stdout);
    assert!(folder.run("scaffold accounts.yaml --name pets").stdout.contains("use pets_server::accounts::"));
}

#[test]
fn tags_that_are_not_there_are_listed() {
    let two = ACCOUNTS.replacen("tags: [Accounts]", "tags: [Readers]", 1);
    let folder = Folder::new(&[("accounts.yaml", &two), ("mistaken.yaml", MISTAKEN)]);
    let run = folder.run("scaffold accounts.yaml Writers");
    assert_eq!(run.code, Some(2));
    insta::assert_snapshot!(run.stderr, @r"
    error: there is no tag `Writers`; the tags are
      Accounts
      Readers
    ");
    assert!(folder.run("scaffold accounts.yaml").stderr.starts_with("error: there are several tags: say which;"));
    assert_eq!(folder.run("scaffold mistaken.yaml").code, Some(1));
}

#[test]
fn a_description_without_operations_is_at_fault() {
    let models =
        "openapi: 3.1.0\ninfo: { title: A, version: '1' }\ncomponents: { schemas: { Pet: { type: object } } }\n";
    let folder = Folder::new(&[("models.yaml", models)]);
    for arguments in ["scaffold models.yaml", "scaffold models.yaml pets"] {
        let run = folder.run(arguments);
        let expected = "error: models.yaml: the description has no operations, so there is nothing to implement\n";
        assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (Some(1), "", expected), "{arguments}");
    }
}
