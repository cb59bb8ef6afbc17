//! Swagger UI: a page with the description that can call the service.

use axum::{
    Router,
    http::{HeaderName, header},
    response::{IntoResponse, Redirect},
    routing::get,
};

/// The path of the description.
const DESCRIPTION: &str = "/openapi.json";

/// The content security policy: the page loads from and calls only the service.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Cache lifetime of the page's files.
const KEPT: &str = "public, max-age=3600";

const PAGE: &str = include_str!("../swagger-ui/index.html");
const INITIALIZER: &str = include_str!("../swagger-ui/initializer.js");
const BUNDLE: &[u8] = include_bytes!("../swagger-ui/swagger-ui-bundle.js.gz");
const STYLE: &[u8] = include_bytes!("../swagger-ui/swagger-ui.css.gz");

/// The description and its page, also at the paths of the vendor's service.
///
/// All URLs are relative, so that a proxy may add a prefix.
pub(crate) fn router() -> Router {
    Router::new()
        .route(DESCRIPTION, get(async || file("application/json", generated_server::OPENAPI)))
        .route("/docs", get(async || page("swagger/")))
        .route("/docs/", get(async || Redirect::permanent("../docs")))
        .route("/swagger", get(async || Redirect::permanent("swagger/index.html")))
        .route("/swagger/", get(async || Redirect::permanent("index.html")))
        .route("/swagger/index.html", get(async || page("")))
        .route("/swagger/initializer.js", get(async || file("text/javascript", INITIALIZER)))
        .route("/swagger/swagger-ui-bundle.js", get(async || compressed("text/javascript", BUNDLE)))
        .route("/swagger/swagger-ui.css", get(async || compressed("text/css", STYLE)))
}

/// The page; `folder` is the relative path to its files.
fn page(folder: &str) -> impl IntoResponse {
    let headers = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
    ];
    (headers, PAGE.replace("{folder}", folder))
}

fn file(media_type: &'static str, text: &'static str) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, media_type), (header::CACHE_CONTROL, "no-cache")], text)
}

/// A file that is stored compressed: every browser accepts gzip.
fn compressed(media_type: &'static str, bytes: &'static [u8]) -> impl IntoResponse {
    let headers: [(HeaderName, &str); 3] =
        [(header::CONTENT_TYPE, media_type), (header::CONTENT_ENCODING, "gzip"), (header::CACHE_CONTROL, KEPT)];
    (headers, bytes)
}
