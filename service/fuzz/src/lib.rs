//! A service on a store of its own, called in memory.

use std::sync::{Arc, OnceLock};

use axum::{
    Router,
    body::Body,
    http::{Request, StatusCode, header},
};
use http_body_util::BodyExt as _;
use serde_json::Value;
use service::{config::Config, start};
use tempfile::TempDir;
use tokio::runtime::Runtime;
use tower::ServiceExt as _;

/// The account of the sample data that targets change.
pub const ACCOUNT: i32 = 101;
/// The agent of the sample data that targets schedule.
pub const AGENT: &str = "121747357971679";

/// A service with the sample data, and a token that may do everything.
pub struct Service {
    runtime: Runtime,
    router: Router,
    token: String,
    _data: TempDir,
}

/// An answer.
#[derive(Debug)]
pub struct Answer {
    /// The status code.
    pub status: StatusCode,
    /// The body as JSON; `null` when it is none.
    pub body: Value,
}

/// The one service of the process.
pub fn service() -> &'static Service {
    static SERVICE: OnceLock<Service> = OnceLock::new();
    SERVICE.get_or_init(|| {
        let data = tempfile::tempdir().expect("a temporary folder");
        let mut config = Config { data: data.path().join("data"), time_zone: "UTC".into(), ..Config::default() };
        config.limits.calls_per_hour = 0;
        config.limits.body_bytes = 64 << 10;
        config.limits.upload_bytes = 64 << 10;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        let opened = runtime.block_on(start::open(Arc::new(config))).expect("the service opens");
        let token = opened.token.expect("a new store has a token").reveal().to_owned();
        Service { router: start::router(&opened.service), runtime, token, _data: data }
    })
}

impl Service {
    /// Sends a request; a failure of the server is what targets look for.
    pub fn call(&self, method: &str, target: &str, content_type: &str, body: Vec<u8>) -> Option<Answer> {
        let request = Request::builder()
            .header("host", "fuzz")
            .method(method)
            .uri(target)
            .header(header::AUTHORIZATION, format!("Bearer {}", self.token))
            .header(header::CONTENT_TYPE, content_type)
            .body(Body::from(body))
            .ok()?;
        let answer = self.runtime.block_on(async {
            let answer = self.router.clone().oneshot(request).await.expect("a router does not fail");
            let status = answer.status();
            let bytes = answer.into_body().collect().await.expect("the body comes whole").to_bytes();
            Answer { status, body: serde_json::from_slice(&bytes).unwrap_or_default() }
        });
        assert!(!answer.status.is_server_error(), "{method} {target}: {answer:?}");
        if answer.status.is_client_error() {
            assert!(!answer.body.is_null(), "{method} {target} is refused with {} and no reason", answer.status);
        }
        Some(answer)
    }

    /// Sends a request without a body.
    pub fn get(&self, target: &str) -> Option<Answer> {
        self.call("GET", target, "text/plain", Vec::new())
    }
}

/// A text as it stands in a query.
pub fn encoded(text: &str) -> String {
    percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string()
}
