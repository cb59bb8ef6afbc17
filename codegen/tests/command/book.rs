//! The book names every option of the command, and every setting of its configuration.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::folder::Folder;

/// All pages of the book.
fn book() -> String {
    let pages = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs")).expect("the folder of the book");
    let paths = pages.map(|page| page.expect("an entry").path());
    paths.filter(|path| path.is_file()).map(|path| fs::read_to_string(path).expect("a page")).collect()
}

#[test]
fn every_option_is_in_the_book() {
    let (folder, book) = (Folder::new(&[]), book());
    let help = folder.run("--help").stdout;
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let mut count = 0;
    // A longer help text goes on in deeper lines.
    for command in commands.filter(|line| !line.starts_with("   ")).filter_map(|line| line.split_whitespace().next()) {
        let help = folder.run(&format!("{command} --help")).stdout;
        for option in help.split_whitespace().filter(|word| word.starts_with("--") && word.len() > 2) {
            let option = option.trim_end_matches(|letter: char| !letter.is_ascii_lowercase());
            assert!(option == "--help" || book.contains(option), "`{command} {option}` is on no page");
            count += 1;
        }
    }
    assert!(count > 50, "{count} options");
}

#[test]
fn every_setting_is_in_the_book() {
    let (folder, book) = (Folder::new(&[]), book());
    assert_eq!(folder.run("init").code, Some(0));
    let schema: Value = serde_json::from_str(&folder.read("specwright.schema.json")).expect("JSON");
    let mut names = Vec::new();
    settings(&schema, &mut names);
    for name in &names {
        assert!(book.contains(name.as_str()), "`{name}` is on no page");
    }
    assert!(names.len() > 20, "{names:?}");
}

/// Adds the names of all members that a schema describes.
fn settings(schema: &Value, names: &mut Vec<String>) {
    let Some(object) = schema.as_object() else { return };
    let properties = object.get("properties").and_then(Value::as_object).into_iter().flatten();
    for (name, member) in properties {
        names.push(name.clone());
        settings(member, names);
    }
    for inner in ["additionalProperties", "items"].iter().filter_map(|keyword| object.get(*keyword)) {
        settings(inner, names);
    }
    for variant in ["oneOf", "anyOf"].iter().filter_map(|keyword| object.get(*keyword)?.as_array()).flatten() {
        settings(variant, names);
    }
}
