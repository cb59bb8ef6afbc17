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
