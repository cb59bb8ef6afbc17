//! SQL injection: hostile texts are stored as values or refused.

use generated_client::company_settings::GetCompanySettings;
use serde_json::{Value, json};
use service::domain::{caller::Visibility, tenant::TenantId, token::Secret};

use crate::{
    app::App,
    operations::{Answer, Body, Operation, operations},
    scene,
};

/// Injection attempts for several databases; each contains the mark that the test looks for in statements.
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

/// Every list that a caller can read, with the number of its records.
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
        // Other methods write their bodies, which are tested below.
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
                // Property names come from fixed lists, so each of these is refused.
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

/// The number of records in a response.
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
    // Every text of every body, one at a time.
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

#[tokio::test]
async fn no_text_holds_u0000_but_a_setting() {
    let app = App::start_with(|config| config.limits.calls_per_hour = 0).await;
    let all = scene::token(&app, TenantId::FIRST, Visibility::All).await;
    let nul = json!("@a\0b");
    let mut sent = 0;
    for operation in &operations() {
        let texts_of_body = match &operation.body {
            // Settings are tested below, and file names have their own tests.
            Some(Body::Json { example, .. }) if !["PutCompanySettings", "PutAttachment"].contains(&&*operation.id) => {
                texts(example, "")
            }
            _ => Vec::new(),
        };
        let of_query = |place: &str| operation.parameters.iter().any(|it| it.location == "query" && it.name == place);
        let named = operation.parameters.iter().filter(|it| is_text(&it.schema)).map(|it| it.name.clone());
        for place in named.filter(|name| of_query(name)).chain(texts_of_body) {
            let answer = operation.request().with(&place, &nul).send(&app, &all).await;
            assert!([400, 422].contains(&answer.status), "{} {place}: {answer:?}", operation.id);
            sent += 1;
        }
        if operation.id == "GetAgentNotes" {
            let expression = json!("startswith(Description, 'a\0b')");
            let answer = operation.request().with("$filter", &expression).send(&app, &all).await;
            assert_eq!(answer.status, 400, "{answer:?}");
        }
        if operation.id == "PutCompanySettings" {
            let mut put = operation.request();
            put.body = Some(json!({ "ModuleId": 1, "Settings": { "a\0b": 1 } }));
            assert_eq!(put.clone().send(&app, &all).await.status, 422);
            put.body = Some(json!({ "ModuleId": 1, "Settings": { "Signature": nul } }));
            assert!(put.send(&app, &all).await.is_success());
        }
    }
    assert!(sent > 50, "{sent}");
    let settings =
        app.client_of(&all).company_settings().get_company_settings(GetCompanySettings { setting_key: None });
    let settings = settings.await.expect("settings").result.into_option().expect("settings");
    assert_eq!(settings["Signature"].as_str(), nul.as_str());
}

/// The pointers of all texts in a value.
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
