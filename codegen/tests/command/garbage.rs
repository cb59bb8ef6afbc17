//! Garbage in place of each input file: the command names the file, and never panics.

use std::fs;

use serde_json::{Value, json};

use crate::folder::{ACCOUNTS, Folder, Run};

/// Replacements for a node, one of each kind.
fn kinds() -> [Value; 7] {
    [json!(null), json!(true), json!(-1.5), json!("$"), json!([]), json!([{}]), json!({ "a": [] })]
}

/// Every variant of the tree with one node of another kind.
fn twisted(tree: &Value) -> Vec<Value> {
    let mut trees = kinds().to_vec();
    let mut within = |put: &dyn Fn(Value) -> Value, node: &Value| trees.extend(twisted(node).into_iter().map(put));
    match tree {
        Value::Object(members) => {
            for (name, node) in members {
                within(
                    &|node| Value::Object(members.clone().into_iter().chain([(name.clone(), node)]).collect()),
                    node,
                );
            }
        }
        Value::Array(items) => {
            for (index, node) in items.iter().enumerate() {
                let put = |node| {
                    let mut items = items.clone();
                    items[index] = node;
                    Value::Array(items)
                };
                within(&put, node);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
    trees
}

/// The command exited with one of these codes, and named the file if it failed.
fn assert_reported(run: &Run, codes: &[i32], file: &str, what: &str) {
    let is_fine = run.code.is_some_and(|code| codes.contains(&code));
    let is_told = !matches!(run.code, Some(1 | 2)) || run.stderr.contains(file);
    assert!(is_fine && is_told && !run.stderr.contains("panicked"), "{what}\n{}", run.shown());
}

#[test]
fn garbage_descriptions_are_reported() {
    let utf_16: Vec<u8> = ACCOUNTS.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let mut texts: Vec<Vec<u8>> =
        ["", "\n", "null", "true", "1", "[]", "{}", "\"a\"", "{", "\"", "*a", "&a", "\t", "---\n---\n"]
            .map(|text| text.as_bytes().to_vec())
            .to_vec();
    texts.extend([vec![0; 100], (0..=255).collect(), vec![0xFF, 0xFE], b"\xEF\xBB\xBF".to_vec(), utf_16]);
    let folder = Folder::new(&[("accounts.yaml", ACCOUNTS)]);
    for text in texts {
        fs::write(folder.path("garbage.yaml"), &text).unwrap();
        for line in [
            "list garbage.yaml",
            "diff garbage.yaml accounts.yaml",
            "diff accounts.yaml garbage.yaml --format json",
            "lint accounts.yaml --overlay garbage.yaml",
        ] {
            let run = folder.run(line);
            assert_reported(&run, &[1], "garbage.yaml", &format!("{line}: {}", String::from_utf8_lossy(&text)));
        }
    }
    for part in 1..40 {
        fs::write(folder.path("garbage.yaml"), &ACCOUNTS.as_bytes()[..ACCOUNTS.len() * part / 40]).unwrap();
        // The beginning of a description may be valid.
        assert_reported(&folder.run("diff garbage.yaml accounts.yaml"), &[0, 1, 3], "garbage.yaml", &format!("{part}"));
    }
    for line in ["list .", "diff accounts.yaml .", "lint accounts.yaml --overlay .", "lint accounts.yaml --config ."] {
        assert_reported(&folder.run(line), &[1, 2], "", line);
    }
}

#[test]
fn descriptions_may_have_anything_anywhere() {
    let tree: Value = serde_yaml::from_str(ACCOUNTS).unwrap();
    let folder = Folder::new(&[("accounts.yaml", ACCOUNTS)]);
    for tree in twisted(&tree) {
        folder.write("twisted.json", &tree.to_string());
        let run = folder.run("diff accounts.yaml twisted.json");
        assert_reported(&run, &[0, 1, 3], "twisted.json", &tree.to_string());
    }
}

#[test]
fn overlays_may_have_anything_anywhere() {
    let overlay = json!({
        "overlay": "1.0.0",
        "info": { "title": "Ours", "version": "1" },
        "actions": [
            { "target": "$.info", "update": { "title": "Ours" } },
            { "target": "$.paths['/accounts']", "remove": true },
        ],
    });
    let folder = Folder::new(&[("accounts.yaml", ACCOUNTS)]);
    for tree in twisted(&overlay) {
        folder.write("overlay.json", &tree.to_string());
        let run = folder.run("list accounts.yaml --overlay overlay.json");
        // Errors in what an overlay inserts are reported in the overlay.
        assert_reported(&run, &[0, 1], ".json:", &tree.to_string());
    }
}

#[test]
fn settings_that_are_none_are_shown_in_their_file() {
    let folder = Folder::new(&[("accounts.yaml", ACCOUNTS)]);
    for text in [
        "a",
        "[",
        "{}",
        "name = 1",
        "name = ''",
        "name = '../x'",
        "overlays = 'x'",
        "overlays = [1]",
        "diagnostics = []",
        "diagnostics.E0312 = 'no'",
        "diagnostics.E9999 = 'deny'",
        "diagnostics.E0101 = 'allow'",
        "offline = 'x'",
        "offline.x = 'y'",
        "offline.'https://x' = 1",
        "include = 'x'",
        "include.tags = 'x'",
        "exclude.tags = [1]",
        "rename = 1",
        "rename.schemas.Account = 1",
        "types = true",
        "types.schemas.Account = 1",
        "derives.Account = 1",
        "dependencies = 'uuid'",
        "unknown = 1",
        "name = 'x\0'",
        "\u{1}",
    ] {
        folder.write("specwright.toml", text);
        assert_reported(&folder.run("list accounts.yaml --config specwright.toml"), &[2], "specwright.toml", text);
    }
    fs::write(folder.path("specwright.toml"), [b'a', b'=', 0xFF]).unwrap();
    assert_reported(&folder.run("list accounts.yaml --config specwright.toml"), &[2], "specwright.toml", "no UTF-8");
}
