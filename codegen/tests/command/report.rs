//! `specwright report`

use std::fs;
use std::path::Path;

use crate::folder::{ACCOUNTS, Folder, MISTAKEN};

#[test]
fn a_report_has_the_mistake_without_names() {
    let folder = Folder::new(&[("accounts.yaml", MISTAKEN)]);
    let run = folder.run("report accounts.yaml");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    insta::assert_snapshot!(run.shown());
    assert!(!run.stdout.to_lowercase().contains("account"), "{}", run.stdout);
}

#[test]
fn a_warning_is_reported_on_request() {
    let text = ACCOUNTS.replace("name: fields, in: query", "name: fields, in: path, required: true");
    let folder = Folder::new(&[("accounts.yaml", &text)]);
    let run = folder.run("report accounts.yaml");
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("nothing fails"), "{}", run.stderr);
    let run = folder.run("report accounts.yaml --code W0312");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    insta::assert_snapshot!(run.stdout);
    assert_eq!(folder.run("report accounts.yaml --code W0402").code, Some(2));
}

#[test]
fn other_files_become_one() {
    let folder = Folder::new(&[
        (
            "spec/main.yaml",
            "openapi: 3.1.0\ninfo: { title: T, version: '1' }\npaths:\n  /customers: { $ref: '../parts/customers.yaml#/list' }\n",
        ),
        (
            "parts/customers.yaml",
            "list:\n  get:\n    parameters: [{ $ref: 'page.yaml' }]\n    responses: { '200': { description: Customers. } }\n",
        ),
        ("parts/page.yaml", "name: page\nin: query\nschema: { type: strange }\n"),
    ]);
    let run = folder.run("report spec/main.yaml");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    insta::assert_snapshot!(run.stdout);
}

#[test]
fn a_mistake_in_the_text_is_not_reduced() {
    let folder = Folder::new(&[("twice.yaml", "openapi: 3.1.0\ninfo: {}\ninfo: {}\n")]);
    let run = folder.run("report twice.yaml");
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("error[E0103]") && run.stdout.is_empty(), "{}", run.shown());
}

/// The mistakes of authors and tools in `tests/corpus` stay what they are.
#[test]
fn every_mistake_of_the_corpus_becomes_small() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fixtures/invalid");
    let mut documents: Vec<_> = fs::read_dir(corpus).unwrap().map(|entry| entry.unwrap().path()).collect();
    documents.retain(|path| path.extension().is_some_and(|ending| ending == "yaml"));
    documents.sort();
    for path in documents.iter().step_by(8) {
        let name = path.file_name().unwrap().to_string_lossy();
        let folder = Folder::new(&[(&name, &fs::read_to_string(path).unwrap())]);
        let before = folder.run(&format!("lint {name} --format json"));
        if before.code == Some(0) {
            continue;
        }
        let run = folder.run(&format!("report {name} --budget 5s"));
        let Some((_, rest)) = run.stdout.split_once("```yaml\n") else {
            // In the text, or of other files.
            assert_ne!(run.code, Some(0), "{name}: {}", run.stderr);
            continue;
        };
        let description = rest.split("\n```").next().unwrap();
        folder.write("small.yaml", description);
        let after = folder.run("lint small.yaml --format json");
        let codes = |json: &str| -> Vec<String> {
            let problems: serde_json::Value = serde_json::from_str(json).unwrap();
            let problems = problems.as_array().unwrap().iter().filter(|problem| problem["severity"] == "error");
            problems.map(|problem| problem["code"].to_string()).collect()
        };
        let (before, after) = (codes(&before.stdout), codes(&after.stdout));
        assert!(!after.is_empty() && after.iter().all(|code| before.contains(code)), "{name}: {}", run.stdout);
        assert!(description.lines().count() <= 40, "{name}: {description}");
    }
}

/// The parts of a report are those of the form for issues.
#[test]
fn the_form_has_the_parts_of_a_report() {
    let form = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.github/ISSUE_TEMPLATE/generator.yml");
    let form = fs::read_to_string(form).unwrap();
    let folder = Folder::new(&[("accounts.yaml", MISTAKEN)]);
    let report = folder.run("report accounts.yaml").stdout;
    let labels: Vec<_> = report.lines().filter_map(|line| line.strip_prefix("### ")).collect();
    assert_eq!(labels.len(), 5, "{report}");
    for label in labels {
        assert!(form.contains(&format!("label: {label}\n")), "{label}");
    }
}
