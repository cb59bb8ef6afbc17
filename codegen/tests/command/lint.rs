//! `codegen lint`

use std::fmt::Write as _;

use serde_json::Value;

use crate::bench::{ACCOUNTS, Bench, MISTAKEN};

#[test]
fn problems_are_shown_with_their_place() {
    let bench = Bench::new(&[("spec/accounts.yaml", MISTAKEN)]);
    insta::assert_snapshot!(bench.run("lint spec/accounts.yaml").shown());
    insta::assert_snapshot!(bench.run("lint spec/accounts.yaml --format json").shown());
}

#[test]
fn a_description_without_mistakes_says_nothing() {
    let bench = Bench::new(&[("accounts.yaml", ACCOUNTS)]);
    let run = bench.run("lint accounts.yaml");
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (Some(0), "", ""));
}

/// What SARIF 2.1.0 requires: 3.13 of a log, 3.14 of a run, 3.18 and 3.19 of a tool, 3.27 of a result, 3.49 of a rule.
#[test]
fn sarif_has_what_it_requires() {
    let bench = Bench::new(&[("my spec/accounts.yaml", MISTAKEN)]);
    std::fs::rename(bench.path("my spec"), bench.path("spec#1")).unwrap();
    let run = bench.run("lint spec#1/accounts.yaml --format sarif");
    assert_eq!(run.code, Some(1));
    let log: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(log["version"], "2.1.0");
    let runs = log["runs"].as_array().unwrap();
    let driver = &runs[0]["tool"]["driver"];
    assert!(driver["name"].is_string());
    let rules = driver["rules"].as_array().unwrap();
    assert!(rules.iter().all(|rule| rule["id"].is_string() && rule["shortDescription"]["text"].is_string()));

    let results = runs[0]["results"].as_array().unwrap();
    assert_eq!(results.len(), 1);
    let result = &results[0];
    assert!(result["message"]["text"].as_str().unwrap().contains("application/xml"));
    assert_eq!(result["level"], "error");
    let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
    assert_eq!(rules[index]["id"], result["ruleId"]);
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "spec%231/accounts.yaml");
    assert_eq!(place["region"]["startLine"], 13);
    let line = MISTAKEN.lines().nth(12).unwrap();
    let column = line.find("content").unwrap() + 1;
    assert_eq!(place["region"]["startColumn"], column);
    assert_eq!(place["region"]["endColumn"], column + "content".len());
}

#[test]
fn of_many_problems_the_first_are_shown() {
    let mut text = "openapi: 3.0.3\ninfo: { title: T, version: '1' }\npaths: {}\ncomponents:\n  schemas:\n".to_owned();
    for index in 0..60 {
        let _ = writeln!(text, "    A{index}: {{ $ref: '#/components/schemas/Absent{index}' }}");
    }
    let bench = Bench::new(&[("many.yaml", &text)]);
    let run = bench.run("lint many.yaml");
    assert_eq!(run.stderr.matches("warning[W0301]").count(), 50);
    assert!(
        run.stderr.ends_with("and 10 more; `--all` shows them\nwarning: `many.yaml` has 60 warnings\n"),
        "{}",
        run.stderr
    );
    assert_eq!(bench.run("lint many.yaml --all").stderr.matches("warning[W0301]").count(), 60);
}

#[test]
fn what_cannot_be_read_is_said() {
    let bench = Bench::new(&[("accounts.yaml", ACCOUNTS), ("wrong.toml", "nam = 'x'\n")]);
    assert_eq!(bench.run("lint absent.yaml").code, Some(1));
    assert_eq!(bench.run("lint accounts.yaml --config absent.toml").code, Some(2));
    insta::assert_snapshot!(bench.run("lint accounts.yaml --config wrong.toml").shown());
}
