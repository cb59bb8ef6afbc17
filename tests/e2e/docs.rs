//! The page that shows the description and can call the service.

use serde_json::json;

use crate::{app::App, browser::Browser};

/// Calls `GetAccountsListSummary` as a user of the page does.
const CALL: &str = include_str!("docs.js");

#[tokio::test]
async fn the_docs_page_can_call_the_service() {
    let app = App::start().await;
    let (origin, token) = (format!("http://{}", app.address), app.token().to_owned());
    let call = move || {
        let Some(mut browser) = Browser::start() else { return };
        for page in ["/docs", "/swagger/index.html"] {
            call_from(&mut browser, &origin, page, &token);
        }
    };
    tokio::task::spawn_blocking(call).await.expect("no panic");
}

fn call_from(browser: &mut Browser, origin: &str, page: &str, token: &str) {
    browser.events.clear();
    browser.open(&format!("{origin}{page}"));
    let shown = browser.run(&CALL.replace("TOKEN", &json!(token).to_string()));
    let shown: Vec<String> = serde_json::from_value(shown).expect("texts");
    assert!(shown[0].starts_with("200"), "{shown:?}");
    assert!(shown[1].contains("\"AccountName\"") && shown[1].contains("\"TotalRecords\""), "{shown:?}");
    assert_eq!(shown[2], format!("{origin}/v2/crm/accounts/summary?PageSize=2&PageNumber=1"));

    let requests = browser.told("Network.requestWillBeSent", "/request/url");
    assert!(requests.len() > 4, "{requests:?}");
    for url in requests {
        let is_own = url.starts_with(&format!("\"{origin}/")) || url.starts_with("\"data:");
        assert!(is_own, "{page} calls {url}");
    }
    assert_eq!(browser.told("Log.entryAdded", "/entry/text"), [""; 0], "{page}: the policy forbids something");
    assert_eq!(browser.told("Runtime.exceptionThrown", "/exceptionDetails/text"), [""; 0], "{page}");
}

#[tokio::test]
async fn the_page_may_call_its_own_service_alone() {
    let app = App::start().await;
    for (path, media_type) in [
        ("/docs", "text/html; charset=utf-8"),
        ("/swagger/index.html", "text/html; charset=utf-8"),
        ("/swagger/swagger-ui.css", "text/css"),
        ("/swagger/swagger-ui-bundle.js", "text/javascript"),
        ("/swagger/initializer.js", "text/javascript"),
        ("/openapi.json", "application/json"),
    ] {
        let answer = app.http.get(format!("http://{}{path}", app.address)).send().await.expect("an answer");
        assert_eq!(answer.status(), 200, "{path}");
        assert_eq!(answer.headers()["content-type"], media_type, "{path}");
        let policy = answer.headers()["content-security-policy"].to_str().expect("text");
        assert!(policy.starts_with("default-src 'none';"), "{path}: {policy}");
        let is_page = media_type.starts_with("text/html");
        assert_eq!(policy.contains("connect-src 'self'"), is_page, "{path}: {policy}");
        assert!(!policy.contains("unsafe"), "{path}: {policy}");
    }
    for (path, page) in [("/swagger", "/swagger/index.html"), ("/swagger/", "/swagger/index.html"), ("/docs/", "/docs")]
    {
        let answer = app.http.get(format!("http://{}{path}", app.address)).send().await.expect("an answer");
        assert_eq!((answer.status().as_u16(), answer.url().path()), (200, page), "{path}");
    }
}
