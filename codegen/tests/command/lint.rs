//! `specwright lint`

use std::fmt::Write as _;

use serde_json::Value;

use crate::folder::{ACCOUNTS, Folder, MISTAKEN};

#[test]
fn problems_are_shown_with_their_place() {
    let folder = Folder::new(&[("spec/accounts.yaml", MISTAKEN)]);
    insta::assert_snapshot!(folder.run("lint spec/accounts.yaml").shown());
    insta::assert_snapshot!(folder.run("lint spec/accounts.yaml --format json").shown());
}

#[test]
fn several_descriptions_are_reported_one_after_the_other() {
    let twice = ACCOUNTS.replace("createAccount", "getAccount");
    let folder = Folder::new(&[("a.yaml", MISTAKEN), ("good.yaml", ACCOUNTS), ("spec/b.yaml", &twice)]);
    let run = folder.run("lint good.yaml a.yaml spec/b.yaml");
    assert_eq!(run.code, Some(1));
    let of = |file: &str| run.stderr.find(file).unwrap();
    assert!(of("--> a.yaml:13") < of("`a.yaml` has 1 error") && of("`a.yaml` has") < of("--> spec/b.yaml"));
    assert_eq!(folder.run("lint good.yaml spec/b.yaml").code, Some(0));
    assert_eq!(folder.run("lint a.yaml absent.yaml good.yaml").code, Some(2));
    let result: Value = serde_json::from_str(&folder.run("lint a.yaml spec/b.yaml --format json").stdout).unwrap();
    let files: Vec<_> = result.as_array().unwrap().iter().map(|problem| problem["file"].as_str().unwrap()).collect();
    assert_eq!((files.first(), files.last()), (Some(&"a.yaml"), Some(&"spec/b.yaml")));
    let log: Value = serde_json::from_str(&folder.run("lint a.yaml spec/b.yaml --format sarif").stdout).unwrap();
    assert_eq!(log["runs"][0]["results"].as_array().unwrap().len(), files.len());
}

#[test]
fn colours_follow_the_environment() {
    let folder = Folder::new(&[("accounts.yaml", MISTAKEN)]);
    let is_coloured = |variables: &[(&str, &str)]| {
        let said = folder.run_with("lint accounts.yaml", variables).stderr;
        assert!(said.contains("`strange`"), "{said}");
        said.contains('\u{1b}')
    };
    assert!(!is_coloured(&[]), "a pipe is not a terminal");
    assert!(is_coloured(&[("CLICOLOR_FORCE", "1")]));
    assert!(!is_coloured(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
}

#[test]
fn a_description_without_mistakes_says_nothing() {
    let folder = Folder::new(&[("accounts.yaml", ACCOUNTS)]);
    let run = folder.run("lint accounts.yaml");
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (Some(0), "", ""));
}

/// The schema is from OASIS, <https://docs.oasis-open.org/sarif/sarif/v2.1.0/>.
#[test]
fn sarif_is_valid() {
    // The published pattern of `language` is not a valid regular expression.
    let schema = include_str!("sarif-2.1.0.schema.json").replace("[a-zA-Z]{2}]?$", "[a-zA-Z]{2}$");
    let schema: Value = serde_json::from_str(&schema).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    assert!(!schema.is_valid(&serde_json::json!({ "version": "2.1.0", "runs": [{}] })), "it does refuse something");

    let twice = ACCOUNTS.replace("createAccount", "getAccount");
    let folder = Folder::new(&[
        ("accounts.yaml", ACCOUNTS),
        ("mistaken.yaml", MISTAKEN),
        ("twice.yaml", &twice),
        ("broken.yaml", "openapi: [\n"),
    ]);
    for document in ["accounts.yaml", "mistaken.yaml", "twice.yaml", "broken.yaml", "absent.yaml"] {
        let log: Value = serde_json::from_str(&folder.run(&format!("lint {document} --format sarif")).stdout).unwrap();
        let errors: Vec<_> =
            schema.iter_errors(&log).map(|error| format!("{}: {error}", error.instance_path())).collect();
        assert!(errors.is_empty(), "{document}: {errors:?}");
        assert_eq!(log["runs"][0]["results"] == serde_json::json!([]), document == "accounts.yaml", "{document}");
    }
}

#[test]
fn sarif_points_at_the_place() {
    let folder = Folder::new(&[("my spec/accounts.yaml", MISTAKEN)]);
    std::fs::rename(folder.path("my spec"), folder.path("spec#1")).unwrap();
    let run = folder.run("lint spec#1/accounts.yaml --format sarif");
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
    assert!(result["message"]["text"].as_str().unwrap().contains("`strange`"));
    assert_eq!(result["level"], "error");
    let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
    assert_eq!(rules[index]["id"], result["ruleId"]);
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "spec%231/accounts.yaml");
    assert_eq!(place["region"]["startLine"], 13);
    let line = MISTAKEN.lines().nth(12).unwrap();
    let column = line.find("strange").unwrap() + 1;
    assert_eq!(place["region"]["startColumn"], column);
    assert_eq!(place["region"]["endColumn"], column + "strange".len());
}

#[test]
fn of_many_problems_the_first_are_shown() {
    let mut text = "openapi: 3.0.3\ninfo: { title: T, version: '1' }\npaths: {}\ncomponents:\n  schemas:\n".to_owned();
    for index in 0..60 {
        let _ = writeln!(text, "    A{index}: {{ $ref: '#/components/schemas/Absent{index}' }}");
    }
    let folder = Folder::new(&[("many.yaml", &text)]);
    let run = folder.run("lint many.yaml");
    assert_eq!(run.stderr.matches("warning[W0301]").count(), 50);
    assert!(
        run.stderr.ends_with("and 10 more; `--all` shows them\nwarning: `many.yaml` has 60 warnings\n"),
        "{}",
        run.stderr
    );
    assert_eq!(folder.run("lint many.yaml --all").stderr.matches("warning[W0301]").count(), 60);
}

#[test]
fn what_cannot_be_read_is_said() {
    let folder = Folder::new(&[("accounts.yaml", ACCOUNTS), ("wrong.toml", "nam = 'x'\n")]);
    for command in ["lint", "list", "generate --client c", "diff accounts.yaml"] {
        for unreadable in ["absent.yaml", "."] {
            assert_eq!(folder.run(&format!("{command} {unreadable}")).code, Some(2), "{command} {unreadable}");
        }
    }
    assert_eq!(folder.run("lint absent.yaml --format json").code, Some(2));
    assert_eq!(folder.run("diff absent.yaml accounts.yaml").code, Some(2));
    folder.write("refers.yaml", &ACCOUNTS.replace("#/components/schemas/Account", "absent.yaml"));
    assert_eq!(folder.run("lint refers.yaml").code, Some(1));
    assert_eq!(folder.run("lint accounts.yaml --config absent.toml").code, Some(2));
    insta::assert_snapshot!(folder.run("lint accounts.yaml --config wrong.toml").shown());
}
