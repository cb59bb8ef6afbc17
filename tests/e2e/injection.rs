//! Texts that are meant to break out of a statement: they are values, or refused, and never more.

use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};
use service::domain::{caller::Visibility, tenant::TenantId, token::Secret};

use crate::{
    app::App,
    operations::{Answer, Body, Operation, operations},
    scene,
};

/// What attackers try, for several databases; each has the mark by which it would be found in a statement.
const TEXTS: [&str; 20] = [
    "'",
    "''",
    "\"",
    "`",
    "' OR '1'='1",
    "' OR 1=1 --",
    "') OR ('1'='1",
    "1 OR 1=1",
    "1; DROP TABLE accounts",
    "'; DROP TABLE accounts; --",
    "x' UNION SELECT name FROM sqlite_master --",
    "1) UNION SELECT hash FROM tokens --",
    "Id; DELETE FROM accounts",
    "Id, (SELECT hash FROM tokens LIMIT 1)",
    "(CASE WHEN (SELECT 1) THEN Id ELSE AccountName END)",
    "Id desc; --",
    "AccountName COLLATE NOCASE",
    "randomblob(1000000000)",
    "?1",
    "$tenant",
];

/// Every list that a caller can read, and the number of each that there is.
async fn state(app: &App, all: &Secret) -> Vec<Answer> {
    let mut answers = Vec::new();
    for operation in operations() {
        if operation.method == reqwest::Method::GET && !operation.path.contains('{') {
            answers.push(operation.request().send(app, all).await);
        }
    }
    answers
}

fn is_text(schema: &Value) -> bool {
    schema["type"] == "string" || schema["type"].as_array().is_some_and(|types| types.contains(&json!("string")))
}

#[tokio::test]
async fn no_parameter_takes_a_text_for_more_than_a_value() {
    let app = App::start_with(|config| config.limits.calls_per_hour = 0).await;
    let all = scene::token(&app, TenantId::FIRST, Visibility::All).await;
    let before = state(&app, &all).await;
    let mut sent = 0;
    for operation in operations() {
        // Others write what their bodies say; their bodies are tried below.
        if ![reqwest::Method::GET, reqwest::Method::DELETE].contains(&operation.method) {
            continue;
        }
        let plain = operation.request();
        for parameter in
            operation.parameters.iter().filter(|parameter| is_text(&parameter.schema) || parameter.name == "Sort")
        {
            for text in TEXTS {
                if parameter.location == "header" && !text.is_ascii() {
                    continue;
                }
                let answer = plain.clone().with(&parameter.name, &json!(text)).send(&app, &all).await;
                let what = format!("{} {}={text}", operation.id, parameter.name);
                assert!(answer.status < 500, "{what}: {answer:?}");
                // Names of properties come from lists, so that none of these is one.
                if ["Sort", "Exclude", "$orderby", "$filter", "attachmentIds"].contains(&parameter.name.as_str()) {
                    assert_eq!(answer.status, 400, "{what}: {answer:?}");
                }
                if parameter.name.starts_with("Filter.") && answer.is_success() {
                    assert_eq!(found(&answer), 0, "{what}: {answer:?}");
                }
                sent += 1;
            }
        }
    }
    assert!(sent > 1000, "{sent}");
    assert_eq!(state(&app, &all).await, before, "nothing is lost or added");
}

/// How many records an answer has.
fn found(answer: &Answer) -> usize {
    answer.json()["Result"].as_array().map_or(0, Vec::len)
}

#[tokio::test]
async fn texts_in_bodies_are_kept_as_they_are() {
    let app = App::start_with(|config| config.limits.calls_per_hour = 0).await;
    let all = scene::token(&app, TenantId::FIRST, Visibility::All).await;
    let operations = operations();
    let find = |id: &str| -> &Operation { operations.iter().find(|operation| operation.id == id).expect("it") };
    for text in TEXTS {
        let post = find("PostAccount").request().with("/AccountName", &json!(text)).with("/Description", &json!(text));
        let created = post.with("/AccountCode", &Value::Null).send(&app, &all).await;
        assert!(created.is_success(), "{text}: {created:?}");
        let account = &created.json()["Result"];
        assert_eq!((&account["AccountName"], &account["Description"]), (&json!(text), &json!(text)));
        let named = find("GetAccountsListSummary").request().with("Filter.AccountName", &json!(text));
        assert!(found(&named.send(&app, &all).await) >= 1, "{text} is found again");
        let contact = find("PostContactSummaryInfo").request().with("/LastName", &json!(text)).send(&app, &all).await;
        assert!(contact.is_success(), "{text}: {contact:?}");
        let settings = json!({ "ModuleId": 1, "Settings": { "SignatureText": text } });
        let mut put = find("PutCompanySettings").request();
        put.body = Some(settings);
        assert!(put.send(&app, &all).await.status < 500);
    }
    // Every text of every body, one after the other.
    for operation in &operations {
        let Some(Body::Json { example, .. }) = &operation.body else { continue };
        for place in texts(example, "") {
            for text in TEXTS {
                let answer = operation.request().with(&place, &json!(text)).send(&app, &all).await;
                assert!(answer.status < 500, "{} {place}={text}: {answer:?}", operation.id);
            }
        }
    }
}

/// The places of all texts in a value.
fn texts(value: &Value, pointer: &str) -> Vec<String> {
    match value {
        Value::String(_) => vec![pointer.to_owned()],
        Value::Array(items) => {
            items.iter().enumerate().flat_map(|(index, item)| texts(item, &format!("{pointer}/{index}"))).collect()
        }
        Value::Object(members) => {
            members.iter().flat_map(|(name, member)| texts(member, &format!("{pointer}/{name}"))).collect()
        }
        _ => Vec::new(),
    }
}

/// Statements are composed of constants: names of tables and columns, and conditions from lists. What is put into one is on
/// the snapshot, file by file, so that whoever puts in something else has it looked at.
#[test]
fn what_statements_are_composed_of_is_looked_at() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../service/src/store/sqlite");
    let mut files = Vec::new();
    collect(&folder, &mut files);
    files.sort();
    let mut seen = String::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("readable");
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        let mut parts: Vec<String> = composed(code);
        parts.sort();
        parts.dedup();
        if !parts.is_empty() {
            let name = file.strip_prefix(&folder).expect("below").display().to_string();
            writeln!(seen, "{name}").expect("text");
            for part in parts {
                writeln!(seen, "    {part}").expect("text");
            }
        }
    }
    insta::assert_snapshot!(seen);
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() && path.file_name().is_some_and(|name| name != "tests") {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs")
            && path.file_stem().is_none_or(|name| name != "tests")
        {
            files.push(path);
        }
    }
}

/// What stands in braces, or behind the text, of each `format!`, `write!` and `push_str` whose text is one of a statement.
fn composed(code: &str) -> Vec<String> {
    const WORDS: [&str; 12] = [
        "SELECT ", "INSERT ", "UPDATE ", "DELETE ", " WHERE ", "FROM ", "ORDER BY", " AND ", " IN (", "LIMIT ",
        "PRAGMA ", " = ?",
    ];
    let mut parts = Vec::new();
    for (start, _) in code.match_indices("format!(").chain(code.match_indices("write!(")) {
        let open = start + code[start..].find('(').expect("a bracket");
        let call = &code[open + 1..open + 1 + balanced(&code[open..])];
        if !WORDS.iter().any(|word| call.contains(word)) {
            continue;
        }
        let Some(begin) = call.find('"') else { continue };
        let text_end = begin + 1 + literal(&call[begin + 1..]);
        let (text, rest) = (&call[begin + 1..text_end], call[text_end + 1..].trim());
        let mut pieces = text.split('{').skip(1);
        parts.extend(
            pieces
                .by_ref()
                .filter_map(|piece| piece.split('}').next())
                .filter(|name| !name.is_empty())
                .map(str::to_owned),
        );
        if !rest.trim_matches(',').is_empty() {
            parts.push(rest.split_whitespace().collect::<Vec<_>>().join(" "));
        }
    }
    parts
}

/// The length of what stands between a bracket and the one that closes it.
fn balanced(code: &str) -> usize {
    let (mut depth, mut in_text, mut escaped) = (0_usize, false, false);
    for (at, letter) in code.char_indices() {
        match letter {
            _ if escaped => escaped = false,
            '\\' if in_text => escaped = true,
            '"' => in_text = !in_text,
            '(' if !in_text => depth += 1,
            ')' if !in_text => {
                depth -= 1;
                if depth == 0 {
                    return at - 1;
                }
            }
            _ => {}
        }
    }
    0
}

/// The length of a text up to its closing quote.
fn literal(code: &str) -> usize {
    let mut escaped = false;
    for (at, letter) in code.char_indices() {
        match letter {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at,
            _ => {}
        }
    }
    code.len()
}
