//! The feature `serde`: models in other formats, and in JSON with serde_json.

use std::fmt::Debug;

use compiled_client::models as client;
use compiled_server::models as server;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// Round trips of the value with serde_json and serde_yaml.
fn comes_back<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &Value) {
    let text = value.to_string();
    let read: T = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(serde_json::from_slice::<T>(text.as_bytes()).expect("bytes are text"), read);
    assert_eq!(serde_json::from_value::<T>(value.clone()).expect("a value is text"), read);
    assert_eq!(serde_json::to_value(&read).expect("it is JSON"), *value);
    let written = serde_json::to_string(&read).expect("it is JSON");
    assert_eq!(serde_json::from_str::<T>(&written).expect("it was written"), read, "{written}");

    let yaml = serde_yaml::to_string(&read).unwrap_or_else(|error| panic!("{text}: {error}"));
    assert_eq!(serde_yaml::from_str::<T>(&yaml).unwrap_or_else(|error| panic!("{yaml}: {error}")), read, "{yaml}");
}

/// The error of reading the value.
fn refused<T: DeserializeOwned + Debug>(value: Value) -> String {
    serde_json::from_value::<T>(value).expect_err("it is not allowed").to_string()
}

#[test]
fn what_is_read_is_written_again() {
    for profile in [
        json!({ "name": "", "nickname": null }),
        json!({ "name": "Ada", "nickname": "A", "birthday": "1815-12-10", "phone": null, "scores": null, "friend": null }),
        json!({ "name": "🦀\"\\\n", "nickname": null, "scores": [1, null, -9_007_199_254_740_993_i64], "anything": { "a": [1, "b", 0.5] } }),
    ] {
        comes_back::<server::Profile>(&profile);
        comes_back::<client::Profile>(&profile);
    }
    for pet in [json!({ "species": "cat", "lives": 9 }), json!({ "species": "fish", "water": "salt" })] {
        comes_back::<server::Pet>(&pet);
        comes_back::<client::Pet>(&pet);
    }
    comes_back::<server::Color>(&json!("dark blue"));
    comes_back::<server::Level>(&json!(-1));
    comes_back::<client::Color>(&json!("a color of next year"));
    comes_back::<server::Labels>(&json!({ "b": "1", "a": "2" }));
}

#[test]
fn what_travels_one_way_is_read_and_written_too() {
    // Lamps and lists of users appear only in responses, with read-only members.
    let lamp = json!({ "color": "red", "level": 1, "state": null, "standard": "2.5GBASE-T" });
    comes_back::<server::Lamp>(&lamp);
    comes_back::<client::Lamp>(&lamp);
    let users = json!({ "total": 1, "users": [{ "name": "Ada" }] });
    comes_back::<server::Users>(&users);
    comes_back::<client::Users>(&users);
}

#[test]
fn members_that_the_other_side_may_not_have_are_not_written() {
    let user = json!({ "id": 7, "name": "Ada", "password": "correct horse" });
    let received: client::User = serde_json::from_value(user.clone()).expect("a client reads everything");
    assert_eq!(received.id, Some(7));
    assert_eq!(
        serde_json::to_value(&received).expect("it is JSON"),
        json!({ "name": "Ada", "password": "correct horse" })
    );
    // For the server, a read-only member is unknown, and this schema refuses unknown members.
    assert_eq!(refused::<server::User>(user), "/id is unknown");
    let sent = json!({ "name": "Ada", "password": "correct horse" });
    let received: server::User = serde_json::from_value(sent).expect("it is what requests have");
    // Requests require it, but this value may be from a response.
    let answered = br#"{"name":"Ada"}"#;
    let missing = compiled_server::runtime::json::from_slice_strict::<server::User>(answered).expect_err("no password");
    assert_eq!((missing[0].pointer.as_str(), missing[0].code), ("/password", "required"));
    assert_eq!(serde_json::from_slice::<server::User>(answered).expect("it is an answer").password, None);
    assert_eq!(received.password.as_deref(), Some("correct horse"));
    assert_eq!(serde_json::to_value(&received).expect("it is JSON"), json!({ "name": "Ada" }));
}

#[test]
fn members_stay_in_the_order_of_the_description() {
    let profile = server::Profile { birthday: None, ..server::Profile::new("Ada", Some("A".to_owned())) };
    assert_eq!(serde_json::to_string(&profile).expect("it is JSON"), r#"{"name":"Ada","nickname":"A"}"#);
}

#[test]
fn all_violations_are_reported_at_once() {
    let told = refused::<server::Profile>(json!({ "name": 1, "scores": ["x"] }));
    assert_eq!(
        told,
        "/name is a number, not a string; /scores/0 is a string, not a whole number; /nickname is missing"
    );
    assert_eq!(refused::<server::Profile>(json!([])), "the value is an array, not an object");
    let short = json!({ "name": "Ada", "password": "short" });
    assert!(refused::<server::User>(short.clone()).starts_with("/password "));
    // Clients do not check rules.
    serde_json::from_value::<client::User>(short).expect("it can be read");
    assert!(refused::<server::Color>(json!("a color of next year")).contains("a color of next year"));
}

#[test]
fn settings_may_be_toml() {
    let text = "name = 'Ada'\nnickname = 'A'\nscores = [1, 2]\n[anything]\nratio = 0.5\n";
    let read: server::Profile = toml::from_str(text).expect("it is a profile");
    let expected = json!({ "name": "Ada", "nickname": "A", "scores": [1, 2], "anything": { "ratio": 0.5 } });
    assert_eq!(serde_json::to_value(&read).expect("it is JSON"), expected);
    let told = toml::from_str::<server::Profile>("name = nan\n").expect_err("JSON has no NaN").to_string();
    assert!(told.contains("NaN"), "{told}");
}

#[test]
fn what_the_description_derives_is_the_derived_one() {
    let medal: server::Medal = serde_json::from_value(json!({ "level": 1, "name": "gold" })).expect("it is a medal");
    assert_eq!(serde_json::to_value(&medal).expect("it is JSON"), json!({ "LEVEL": 1, "NAME": "gold" }));
}

#[test]
fn functions_of_the_users_read_and_write_other_formats_too() {
    let shift = json!({
        "start": "02.01.2026 03:04:05", "weekday": "Montag", "lasts": 60, "until": null, "times": [null, "03.01.2026 03:04:05"],
        "pauses": { "noon": 1800 }, "either": 5,
    });
    comes_back::<server::Shift>(&shift);
    comes_back::<client::Shift>(&shift);
    let wrong = json!({ "start": "2026-01-02", "weekday": "Mon", "lasts": 60 });
    let detail = "/weekday is `Mon`: the week goes from `Montag` to `Sonntag`";
    assert!(refused::<server::Shift>(wrong.clone()).contains(detail), "{}", refused::<server::Shift>(wrong));
}
