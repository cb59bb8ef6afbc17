//! Round trips of values with every format.

use compiled_client::runtime::json;
use compiled_server::runtime::server::Options;
use serde_json::Value;

use crate::echo::{Echo, client_of, serve};

#[tokio::test]
async fn every_format_comes_back() {
    let client = client_of(compiled_server::formats::router(Echo::default(), &Options::default())).await;
    for (name, values) in [
        ("date", &[r#""2024-02-29""#][..]),
        ("time", &[r#""23:59:59""#, r#""00:00:00.000000001""#]),
        ("dateTime", &[r#""2024-02-29T12:00:00Z""#, r#""1969-12-31T23:59:59.999999999Z""#]),
        ("dateTimeLocal", &[r#""2024-02-29T12:00:00""#]),
        ("duration", &[r#""P1Y2M3DT4H5M6S""#, r#""PT0S""#]),
        ("uuid", &[r#""67e55044-10b1-426f-9247-bb680e5fe0c8""#]),
        ("uri", &[r#""https://example.com/a?b#c""#]),
        ("uriReference", &[r#""../a?b""#]),
        ("hostname", &[r#""example.com""#]),
        ("email", &[r#""a@example.com""#]),
        ("ipv4", &[r#""127.0.0.1""#]),
        ("ipv6", &[r#""::1""#]),
        ("byte", &[r#""aGk=""#, r#""""#]),
        ("binary", &[r#""\u0000ÿ\"""#, r#""""#]),
        ("binaries", &[r#"["a","\u0001"]"#, "[]"]),
        ("decimal", &[r#""-1234567.10""#, r#""0""#, r#""79228162514264337593543950335""#]),
        ("decimalNumber", &["1234567.25", "0"]),
        ("password", &[r#""secret""#]),
        ("unknown", &[r#""red""#]),
        ("integer", &["-9223372036854775808", "9223372036854775807"]),
        ("int8", &["-128", "127"]),
        ("int16", &["-32768", "32767"]),
        ("int32", &["-2147483648", "2147483647"]),
        ("int64", &["-9223372036854775808", "9223372036854775807"]),
        ("uint8", &["0", "255"]),
        ("uint16", &["0", "65535"]),
        ("uint32", &["0", "4294967295"]),
        ("uint64", &["0", "18446744073709551615"]),
        ("number", &["-0.5", "1e300"]),
        ("float", &["0.1", "-3.4e38"]),
        ("double", &["0.1", "5e-324"]),
        ("boolean", &["true", "false"]),
    ] {
        for value in values {
            let text = format!("{{\"{name}\":{value}}}");
            let body = json::from_slice(text.as_bytes()).unwrap_or_else(|violations| panic!("{text}: {violations:?}"));
            let request = compiled_client::formats::EchoValues { body, at: None, id: None, price: None };
            let answer = client.formats().echo_values(request).await;
            let answer = answer.unwrap_or_else(|error| panic!("{text}: {error}: {:?}", error.bytes()));
            let written: Value = serde_json::from_slice(&json::to_vec(&answer)).expect("what is written is JSON");
            assert_eq!(written, serde_json::from_str::<Value>(&text).expect("the table is JSON"), "{text}");
        }
    }
}

#[tokio::test]
async fn a_decimal_is_what_its_type_says() {
    let address = serve(compiled_server::formats::router(Echo::default(), &Options::default())).await;
    for (name, value, wrong) in [("decimal", r#""10.50""#, "10.50"), ("decimalNumber", "10.50", r#""10.50""#)] {
        let post = |value| {
            let request = reqwest::Client::new().post(format!("{address}/values"));
            request.header("content-type", "application/json").body(format!("{{\"{name}\":{value}}}")).send()
        };
        let answer = post(value).await.expect("it is answered");
        assert_eq!(answer.text().await.expect("it has a body"), format!("{{\"{name}\":{value}}}"));
        assert_eq!(post(wrong).await.expect("it is answered").status(), 422, "{name}: {wrong}");
    }
}

#[test]
fn a_tolerant_reader_takes_decimals_of_both_kinds() {
    let read: compiled_client::models::Values =
        json::from_slice(br#"{"decimal":10.50,"decimalNumber":"10.50"}"#).expect("both are in use");
    assert_eq!(json::to_vec(&read), br#"{"decimal":"10.50","decimalNumber":10.50}"#);
}
