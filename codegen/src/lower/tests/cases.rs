//! Cases of a few lines, in `codegen/tests/lowered`.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use super::lowered::{Lowered, document, files, operation, paths, schemas};
use crate::Options;

/// Checks files of cases: a title, YAML, and the result after `=> `. `UPDATE_CASES=1` writes the new results.
#[test]
fn cases_become_what_was_reviewed() {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lowered")];
    let mut failures = String::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = fs::read_to_string(&path).expect("a file of cases");
            let now = cases_now(&text);
            if env::var_os("UPDATE_CASES").is_some() {
                fs::write(&path, &now).expect("a file that can be written");
            } else if now != text {
                let changed = now.split("\n\n").filter(|case| !text.contains(case));
                let _ = writeln!(failures, "{}\n{}\n", path.display(), changed.collect::<Vec<_>>().join("\n\n"));
            }
        }
    }
    assert!(failures.is_empty(), "these cases give something else now:\n\n{failures}");
}

/// The cases with their current results. Schemas titled `# given` are added to each later case.
fn cases_now(text: &str) -> String {
    let mut given = String::new();
    let mut cases = Vec::new();
    for case in text.trim_end().split("\n\n") {
        let input: Vec<_> = case.lines().filter(|line| !line.starts_with("=> ")).map(str::to_owned).collect();
        let title = input.iter().take_while(|line| line.starts_with("# ")).count();
        let yaml = input[title..].join("\n");
        if input[0] == "# given" {
            given = yaml;
            cases.push(input.join("\n"));
            continue;
        }
        let known = if given.is_empty() { Vec::new() } else { schemas(&[&given]).lines() };
        let lines = lowered(&given, &yaml).lines().into_iter().filter(|line| !known.contains(line));
        cases.push(input.into_iter().chain(lines.map(|line| format!("=> {line}"))).collect::<Vec<_>>().join("\n"));
    }
    cases.join("\n\n") + "\n"
}

/// Lowers a document, or the schemas, paths or operation that begin the YAML.
fn lowered(given: &str, yaml: &str) -> Lowered {
    match yaml.split([':', ' ']).next() {
        Some("---") => {
            let texts: Vec<_> = format!("\n{yaml}").split("\n--- ").skip(1).map(str::to_owned).collect();
            files(&texts.iter().filter_map(|text| text.split_once('\n')).collect::<Vec<_>>(), &Options::default())
        }
        Some("openapi" | "paths" | "{") => document(yaml),
        Some(path) if path.starts_with('/') => paths(yaml),
        Some("operationId" | "parameters" | "requestBody" | "responses" | "x-pagination") => operation(yaml),
        _ => schemas(&[given, yaml]),
    }
}
