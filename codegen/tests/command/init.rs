//! `specwright init`

use super::folder::{ACCOUNTS, Folder};

#[test]
fn the_file_describes_every_setting_and_sets_none() {
    let folder = Folder::new(&[("accounts.yaml", ACCOUNTS)]);
    insta::assert_snapshot!(folder.run("init").shown());
    let text = folder.read("specwright.toml");
    insta::assert_snapshot!(text);

    let plain = folder.run("list accounts.yaml").shown();
    assert_eq!(folder.run("list accounts.yaml --config specwright.toml").shown(), plain);
    folder.write("specwright.toml", &text.replace("#[rename.operations]\n#", "[rename.operations]\n"));
    assert_eq!(folder.run("list accounts.yaml --config specwright.toml").code, Some(0));
}

#[test]
fn a_configuration_is_kept_and_its_schema_renewed() {
    let folder = Folder::new(&[("set/ours.toml", "name = 'ours'\n"), ("set/ours.schema.json", "{}")]);
    let run = folder.run("init --config set/ours.toml");
    assert_eq!((run.code, folder.read("set/ours.toml").as_str()), (Some(0), "name = 'ours'\n"));
    assert!(run.stdout.starts_with("set/ours.toml: kept\n"), "{}", run.stdout);
    let schema: serde_json::Value = serde_json::from_str(&folder.read("set/ours.schema.json")).unwrap();
    assert_eq!(schema["title"], "The configuration of specwright");

    let run = folder.run("init --config absent/ours.toml");
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.starts_with("error: absent/ours.toml: "), "{}", run.stderr);
}
