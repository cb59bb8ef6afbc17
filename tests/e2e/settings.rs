//! Company settings: reading and replacing.

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
    client.company_settings().put_company_settings(PutCompanySettings { if_match: None, body })
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
async fn keys_values_and_all_settings_together_have_a_length() {
    let app = App::start().await;
    let client = app.client();
    let one = |key: &str, value: String| BTreeMap::from([(key.to_owned(), Value::from(value))]);
    put(&client, one(&"k".repeat(255), "short".into())).await.expect("the longest key");
    let (status, texts) = refusal(put(&client, one(&"k".repeat(256), "short".into())).await.expect_err("too long"));
    assert_eq!(status, 422, "{texts:?}");
    assert_eq!(settings(&client, Some(&"k".repeat(255))).await.len(), 1, "what is put can be read alone");

    let long = |number: i32, length: usize| one(&format!("Long/{number}"), "v".repeat(length));
    put(&client, long(0, 65_534)).await.expect("64 KiB as JSON");
    let (status, texts) = refusal(put(&client, long(0, 65_535)).await.expect_err("too long"));
    assert_eq!(status, 422);
    assert!(texts.iter().any(|text| text.contains("65536")), "{texts:?}");

    for group in 0..5 {
        let many = (0..12).flat_map(|number| long(1 + group * 12 + number, 65_000)).collect();
        put(&client, many).await.expect("3.9 MB");
    }
    let more = (0..8).flat_map(|number| long(100 + number, 65_000)).collect();
    let (status, texts) = refusal(put(&client, more).await.expect_err("too many"));
    assert_eq!(status, 422);
    assert!(texts.iter().any(|text| text.contains("4194304")), "{texts:?}");
    let all = settings(&client, None).await;
    assert!(all.contains_key("Long/60") && !all.contains_key("Long/100"), "{:?}", all.keys());
    put(&client, long(1, 10)).await.expect("a shorter value");
    put(&client, one("Small", "value".into())).await.expect("there is room again");
}

#[tokio::test]
async fn settings_are_put_only_while_they_are_those_that_were_read() {
    let app = App::start().await;
    let url = format!("http://{}/v2/admin/companysettings", app.address);
    let tag = async || {
        let answer = app.http.get(&url).bearer_auth(app.token()).send().await.expect("settings");
        answer.headers()["etag"].to_str().expect("a tag").to_owned()
    };
    let put = async |if_match: &str, value: &str| {
        let body = format!(r#"{{"ModuleId":1,"Settings":{{"Contested":"{value}"}}}}"#);
        let request = app.http.put(&url).bearer_auth(app.token()).header("if-match", if_match);
        let request = request.header("content-type", "application/json").body(body);
        request.send().await.expect("an answer").status().as_u16()
    };
    let read = tag().await;
    assert_eq!(put(&read, "first").await, 200);
    assert_eq!(put(&read, "second").await, 412, "another has been there");
    assert_eq!(settings(&app.client(), Some("Contested")).await["Contested"], Value::from("first"));
    assert_eq!(put(&tag().await, "third").await, 200);
    assert_eq!(put("*", "fourth").await, 200);
}

#[tokio::test]
async fn invalid_settings_are_refused() {
    let app = App::start().await;
    let reader = app.client_with(&["read:settings"], &[], service::domain::caller::Visibility::All).await;
    assert_eq!(refusal(put(&reader, BTreeMap::new()).await.expect_err("read only")).0, 403);
    // The last two would be refused by an import, so an export of them could not be imported again.
    for (body, place) in [
        (r#"{"ModuleId":1,"Settings":[]}"#, "/Settings"),
        (r#"{"ModuleId":0,"Settings":{"Zone":null}}"#, "/ModuleId"),
        (r#"{"ModuleId":1,"Settings":{" ":null}}"#, "/Settings"),
    ] {
        let request = format!(
            "PUT /v2/admin/companysettings HTTP/1.1\nhost: x\nauthorization: Bearer {{token}}\ncontent-type: application/json\nconnection: close\ncontent-length: {}\n\n{body}",
            body.len()
        );
        let answer = app.raw(&request).await;
        assert!(answer.starts_with("HTTP/1.1 422") && answer.contains(place), "{answer}");
    }
}
