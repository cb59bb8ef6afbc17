//! `specwright diff`

use serde_json::Value;

use crate::folder::{ACCOUNTS, Folder, MISTAKEN};

/// A description with a new required parameter, which breaks callers and code.
fn required() -> String {
    ACCOUNTS.replace("name: fields, in: query,", "name: fields, in: query, required: true,")
}

#[test]
fn a_changelog_has_an_entry() {
    let new = ACCOUNTS
        .replace(
            "- { name: fields, in: query, schema: { type: string } }",
            "- { name: fields, in: query, required: true, schema: { type: string } }",
        )
        .replace(
            "paths:\n",
            "paths:\n  /health:\n    get: { operationId: getHealth, responses: { '204': { description: Fine. } } }\n",
        );
    let folder = Folder::new(&[("old.yaml", ACCOUNTS), ("new.yaml", &new)]);
    insta::assert_snapshot!(folder.run("diff old.yaml new.yaml --format changelog").shown());
}

#[test]
fn a_changelog_has_all_that_callers_can_use() {
    let old = "openapi: 3.0.3
info: { title: Pets, version: '1' }
paths:
  /pets:
    post:
      operationId: addPet
      parameters: [{ name: note, in: query, schema: { type: string, maxLength: 3 } }]
      requestBody: { required: true, content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } }
      responses:
        '200': { description: Added., content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } }
        '404': { description: Absent. }
components:
  schemas:
    Pet: { type: object, properties: { name: { type: string }, born: { type: string } } }
";
    let widened = old
        .replace("maxLength: 3 } }", "maxLength: 5 } }, { name: more, in: query, schema: { type: string } }")
        .replace("born: { type: string }", "born: { type: string }, size: { type: integer }");
    let fewer = old
        .replace("        '404': { description: Absent. }\n", "")
        .replace(", born: { type: string }", "")
        .replace("name: { type: string }", "name: { type: string, deprecated: true }");
    let folder = Folder::new(&[("old.yaml", old), ("widened.yaml", &widened), ("fewer.yaml", &fewer)]);
    insta::assert_snapshot!(folder.run("diff old.yaml widened.yaml --format changelog").shown());
    insta::assert_snapshot!(folder.run("diff old.yaml fewer.yaml --format changelog").shown());
}

#[test]
fn a_changelog_has_no_entry_without_a_difference() {
    let folder = Folder::new(&[("accounts.yaml", ACCOUNTS)]);
    let run = folder.run("diff accounts.yaml accounts.yaml --format changelog");
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""));
    assert_eq!(run.stderr, "no difference for the users of the API\n");
}

#[test]
fn what_breaks_is_reported_with_its_place() {
    let folder = Folder::new(&[("old/accounts.yaml", ACCOUNTS), ("new/accounts.yaml", &required())]);
    insta::assert_snapshot!(folder.run("diff old/accounts.yaml new/accounts.yaml").shown());
    insta::assert_snapshot!(folder.run("diff old/accounts.yaml new/accounts.yaml --format json").shown());
}

#[test]
fn places_are_in_the_document_that_has_them() {
    let folder = Folder::new(&[("old/accounts.yaml", ACCOUNTS), ("new/accounts.yaml", &required())]);
    let gone = ACCOUNTS.replace("        - { name: fields, in: query, schema: { type: string } }\n", "");
    folder.write("gone.yaml", &gone);
    let run = folder.run("diff old/accounts.yaml gone.yaml --format json");
    let result: Value = serde_json::from_str(&run.stdout).unwrap();
    let change = &result["changes"][0];
    assert_eq!(change["rule"], "parameter-removed");
    assert_eq!((&change["document"], &change["file"]), (&"old".into(), &"old/accounts.yaml".into()));
    assert_eq!(change["pointer"], "/paths/~1accounts~1{id}/get/parameters/1");
    let line = ACCOUNTS.lines().position(|line| line.contains("name: fields")).unwrap() + 1;
    assert_eq!(change["line"], line);
}

#[test]
fn what_is_allowed_does_not_fail() {
    let folder = Folder::new(&[("old.yaml", ACCOUNTS), ("new.yaml", &required())]);
    assert_eq!(folder.run("diff old.yaml new.yaml").code, Some(3));
    assert_eq!(folder.run("diff old.yaml new.yaml --allow callers").code, Some(3));
    assert_eq!(folder.run("diff old.yaml new.yaml --allow callers,servers --allow rust").code, Some(0));
    assert_eq!(folder.run("diff old.yaml new.yaml --allow everyone").code, Some(2));
}

#[test]
fn a_description_does_not_differ_from_itself() {
    let folder = Folder::new(&[("accounts.yaml", ACCOUNTS)]);
    let run = folder.run("diff accounts.yaml accounts.yaml");
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (Some(0), "no difference\n", ""));
}

#[test]
fn documents_at_fault_are_both_reported() {
    let folder = Folder::new(&[("old.yaml", MISTAKEN), ("new.yaml", MISTAKEN), ("good.yaml", ACCOUNTS)]);
    let run = folder.run("diff old.yaml new.yaml");
    assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""));
    assert!(run.stderr.contains("--> old.yaml:13") && run.stderr.contains("--> new.yaml:13"), "{}", run.stderr);
    assert_eq!(folder.run("diff good.yaml").code, Some(2));
}

#[test]
fn each_side_has_its_settings() {
    let part = ACCOUNTS.replace("  /accounts:\n    post:", "  /accounts:\n    put:");
    let folder = Folder::new(&[
        ("old.yaml", ACCOUNTS),
        ("new.yaml", &part),
        ("part.toml", "include.operations = ['getAccount']\n"),
        ("overlaid.toml", "overlays = ['post.yaml']\n"),
        (
            "post.yaml",
            "overlay: 1.0.0\ninfo: { title: As before, version: '1' }\nactions:\n  - { target: \"$.paths['/accounts/{id}'].get\", update: { summary: An account } }\n  - { target: \"$.paths['/accounts']\", remove: true }\n",
        ),
    ]);
    assert_eq!(folder.run("diff old.yaml new.yaml").code, Some(3));
    let same = folder.run("diff old.yaml new.yaml --config part.toml");
    assert_eq!((same.code, same.stdout.as_str(), same.stderr.as_str()), (Some(0), "no difference\n", ""));
    let added = folder.run("diff old.yaml old.yaml --old-config overlaid.toml");
    assert!(added.stdout.contains("the operation is new"), "{}", added.stdout);
    assert_eq!(folder.run("diff old.yaml new.yaml --old-config absent.toml").code, Some(2));
}
