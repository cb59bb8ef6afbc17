//! Company settings, read and put.

use std::collections::BTreeMap;

use generated_client::{
    Call, Client,
    company_settings::*,
    models::{CompanySettingsPut, ErrorResponse},
    runtime::json::Value,
};

use crate::{app::App, records::refusal};

async fn settings(client: &Client, setting_key: Option<&str>) -> BTreeMap<String, Value> {
    let request = GetCompanySettings { setting_key: setting_key.map(str::to_owned) };
    let answer = client.company_settings().get_company_settings(request).await.expect("settings");
    assert_eq!(answer.success, Some(true));
    answer.result.into_option().expect("settings")
}

#[expect(deprecated, reason = "what is deprecated still has to work")]
fn put(client: &Client, settings: BTreeMap<String, Value>) -> Call<(), ErrorResponse> {
    let body = CompanySettingsPut { module_id: 1, settings };
    client.company_settings().put_company_settings(PutCompanySettings { body })
}

#[tokio::test]
async fn settings_are_read_all_or_by_key() {
    let app = App::start().await;
    let client = app.client();
    let all = settings(&client, None).await;
    let (key, value) = all.iter().next().expect("the sample has settings");
    assert!(all.len() > 1);
    assert_eq!(settings(&client, Some(key)).await, BTreeMap::from([(key.clone(), value.clone())]));
    assert_eq!(settings(&client, Some("~none~")).await, BTreeMap::new());
}

#[tokio::test]
async fn a_thousand_settings_are_put_at_once_and_no_more() {
    let app = App::start().await;
    let client = app.client();
    let many = |count: i32| (0..count).map(|number| (format!("Many{number}"), Value::from(number))).collect();
    put(&client, many(1_000)).await.expect("put");
    let (status, _) = refusal(put(&client, many(1_001)).await.expect_err("one too many"));
    assert_eq!(status, 422);
    assert!(!settings(&client, None).await.contains_key("Many1000"));
}

#[tokio::test]
async fn put_sets_some_settings_and_leaves_the_others() {
    let app = App::start().await;
    let client = app.client();
    let before = settings(&client, None).await;
    let (key, _) = before.iter().next().expect("the sample has settings");
    let list = Value::Array(vec![Value::from(1), Value::Null, Value::from("three")]);
    let new = BTreeMap::from([(key.clone(), Value::from("changed")), ("E2E".to_owned(), list)]);
    put(&client, new.clone()).await.expect("put");
    let mut expected = before.clone();
    expected.extend(new);
    assert_eq!(settings(&client, None).await, expected);

    let app = app.restart().await;
    assert_eq!(settings(&app.client(), None).await, expected, "settings survive a restart");
}

#[tokio::test]
async fn a_body_that_is_no_settings_is_refused() {
    let app = App::start().await;
    let reader = app.client_with(&["read:settings"], &[], service::domain::caller::Visibility::All).await;
    assert_eq!(refusal(put(&reader, BTreeMap::new()).await.expect_err("read only")).0, 403);
    let body = r#"{"ModuleId":1,"Settings":[]}"#;
    let request = format!(
        "PUT /v2/admin/companysettings HTTP/1.1\nhost: x\nauthorization: Bearer {{token}}\ncontent-type: application/json\nconnection: close\ncontent-length: {}\n\n{body}",
        body.len()
    );
    let answer = app.raw(&request).await;
    assert!(answer.starts_with("HTTP/1.1 422") && answer.contains("/Settings"), "{answer}");
}
