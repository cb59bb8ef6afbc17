//! `specwright list`

use serde_json::{Value, json};

use crate::folder::{ACCOUNTS, Folder, MISTAKEN};

#[test]
fn operations_are_listed() {
    let folder = Folder::new(&[("accounts.yaml", ACCOUNTS)]);
    insta::assert_snapshot!(folder.run("list accounts.yaml").shown());
    insta::assert_snapshot!(folder.run("list accounts.yaml --format json").shown());
}

#[test]
fn what_the_service_sends_itself_is_listed_too() {
    let webhooks = ACCOUNTS.replace("components:\n", "webhooks:\n  accountMade:\n    post:\n      tags: [Accounts]\n      responses: { '204': { description: Seen. } }\ncomponents:\n");
    let folder = Folder::new(&[("accounts.yaml", &webhooks.replace("3.0.3", "3.1.0"))]);
    let list = folder.run("list accounts.yaml");
    assert_eq!((list.code, list.stderr.as_str()), (Some(0), ""));
    let end = "webhooks: Accounts\n  POST  /accountMade  accountMade\n\n2 operations, 1 webhook\n";
    assert!(list.stdout.ends_with(end), "{}", list.stdout);
    let json: Value = serde_json::from_str(&folder.run("list accounts.yaml --format json").stdout).unwrap();
    assert_eq!(json[0]["webhook"], Value::Null);
    assert_eq!(json[2]["webhook"], json!({ "expression": null }));
    let rust = &json[2]["rust"];
    assert_eq!(rust["module"], "webhooks::accounts");
    let method =
        "pub fn account_made(&self, url: impl Into<String>, request: impl Into<AccountMade>) -> Call<(), Undocumented>";
    assert_eq!(rust["method"], method);
}

#[test]
fn a_document_at_fault_has_no_list() {
    let folder = Folder::new(&[("accounts.yaml", MISTAKEN)]);
    let run = folder.run("list accounts.yaml");
    assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""));
}

#[test]
fn a_part_of_the_operations_is_read() {
    let folder = Folder::new(&[
        ("accounts.yaml", ACCOUNTS),
        ("part.toml", "include.paths = ['/accounts/*']\n"),
        ("rest.toml", "exclude.operations = ['get*', 'crateAccount']\n"),
        ("wrong.toml", "exclude.operation = ['get*']\n"),
    ]);
    let part = folder.run("list accounts.yaml --config part.toml");
    assert_eq!((part.code, part.stderr.as_str()), (Some(0), ""));
    assert!(part.stdout.contains("getAccount") && !part.stdout.contains("createAccount"), "{}", part.stdout);
    let rest = folder.run("list accounts.yaml --config rest.toml");
    assert!(!rest.stdout.contains("getAccount") && rest.stdout.contains("createAccount"), "{}", rest.stdout);
    assert!(rest.stderr.contains("there is no operation `crateAccount`"), "{}", rest.stderr);
    assert!(rest.stderr.contains("did you mean `createAccount`?"), "{}", rest.stderr);
    assert_eq!(folder.run("list accounts.yaml --config wrong.toml").code, Some(2));
}

#[test]
fn a_selection_of_nothing_is_shown() {
    let config = "include.tags = ['Acounts']\n[diagnostics]\nwarnings = 'deny'\nW0208 = 'warn'\n";
    let folder = Folder::new(&[("accounts.yaml", ACCOUNTS), ("specwright.toml", config)]);
    let list = folder.run("list accounts.yaml --config specwright.toml");
    assert_eq!((list.code, list.stdout.as_str()), (Some(0), "0 operations\n"), "{}", list.stderr);
    for part in ["the selection leaves no operation", "there is no tag `Acounts`", "did you mean `Accounts`?"] {
        assert!(list.stderr.contains(part), "{}", list.stderr);
    }
}
