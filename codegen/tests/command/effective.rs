//! `specwright effective`

use super::folder::{Folder, MISTAKEN};

/// A description that needs an overlay and a repair, and refers to another file.
const PETS: &str = "\
openapi: 3.0.3
info: { title: Pets, version: 1 }
paths:
  /pets:
    get:
      responses: { 200: { description: All., content: { application/json: { schema: { $ref: 'pet.yaml' } } } } }
";

const OVERLAY: &str = "\
overlay: 1.0.0
info: { title: Ours, version: '1' }
actions:
  - target: $.paths['/pets'].get
    update: { operationId: listPets }
";

#[test]
fn one_file_has_overlays_repairs_and_other_files() {
    let files = [("pets.yaml", PETS), ("pet.yaml", "{ type: object }"), ("ours.yaml", OVERLAY)];
    let folder = Folder::new(&files);
    insta::assert_snapshot!(folder.run("effective pets.yaml --overlay ours.yaml").shown());

    let write = "effective pets.yaml --overlay ours.yaml --output all.json";
    assert_eq!(folder.run(&format!("{write} --check")).code, Some(4));
    assert_eq!(folder.run(write).code, Some(0));
    assert_eq!(folder.run(&format!("{write} --check")).code, Some(0));
    let effective: serde_json::Value = serde_json::from_str(&folder.read("all.json")).unwrap();
    assert_eq!(effective["paths"]["/pets"]["get"]["operationId"], "listPets");

    folder.write("pet.yaml", "{ type: string }");
    let stale = folder.run(&format!("{write} --check"));
    assert_eq!(stale.code, Some(4));
    assert_eq!(stale.stderr, "error: all.json is stale; run the command without `--check`\n");
}

#[test]
fn what_is_read_is_not_overwritten() {
    let folder = Folder::new(&[("pets.yaml", PETS), ("pet.yaml", "{ type: object }"), ("ours.yaml", OVERLAY)]);
    for (file, text) in [("pets.yaml", PETS), ("./pet.yaml", "{ type: object }"), ("ours.yaml", OVERLAY)] {
        let run = folder.run(&format!("effective pets.yaml --overlay ours.yaml --output {file}"));
        let message = format!("error: {file}: the description is read from this file; name another one\n");
        assert_eq!((run.code, run.stderr), (Some(2), message));
        assert_eq!(folder.read(file), text);
    }
}

#[test]
fn a_description_with_errors_has_no_effective_one() {
    let folder = Folder::new(&[("accounts.yaml", MISTAKEN)]);
    let run = folder.run("effective accounts.yaml --output all.yaml");
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("error[E") && !folder.path("all.yaml").exists(), "{}", run.stderr);
}
