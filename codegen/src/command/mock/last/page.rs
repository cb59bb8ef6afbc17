//! The last requests as a page of HTML.

use std::collections::VecDeque;
use std::fmt::Write as _;

use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};
use axum::response::{IntoResponse as _, Response};
use specwright_exchange::Violation;

use super::{Answered, PATH};
use crate::command::exchange::markup::escaped;

/// The path of the style sheet, below that of the page.
pub(super) const STYLE: &str = "/style.css";

/// Only the style sheet is loaded; nothing runs, and no other page may show this one.
const POLICY: &str =
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const CSS: &str = "\
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 2rem auto; max-width: 72rem; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid #8886; padding: .4rem .8rem .4rem 0; text-align: left; vertical-align: top; }
code { overflow-wrap: anywhere; }
ul { margin: 0; padding-left: 1.2rem; }
.refused { color: light-dark(#b00020, #ff8a80); font-weight: 600; }
";

/// The page.
pub(super) fn page(requests: &VecDeque<Answered>) -> Response {
    let mut rows = String::new();
    for Answered { method, url, status, violations } in requests {
        let (method, url) = (escaped(method), escaped(url));
        let class = if *status >= 400 { " class=\"refused\"" } else { "" };
        let violations: String = violations.iter().map(item).collect();
        let list = if violations.is_empty() { String::new() } else { format!("<ul>{violations}</ul>") };
        let _ = writeln!(
            rows,
            "<tr><td>{method}</td><td><code>{url}</code></td><td{class}>{status}</td><td>{list}</td></tr>"
        );
    }
    let count = requests.len();
    let html = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>Requests to the mock</title>\n\
         <link rel=\"stylesheet\" href=\"{PATH}{STYLE}\">\n</head>\n<body>\n<h1>Requests to the mock</h1>\n\
         <p>The last {count}, the newest first. <a href=\"{PATH}\">Reload</a></p>\n\
         <table>\n<thead><tr><th>Method</th><th>URL</th><th>Status</th><th>Violations of the description</th></tr></thead>\n\
         <tbody>\n{rows}</tbody>\n</table>\n</body>\n</html>\n"
    );
    with_policy("text/html; charset=utf-8", html)
}

/// The style sheet of the page.
pub(super) fn style() -> Response {
    with_policy("text/css; charset=utf-8", CSS.to_owned())
}

fn with_policy(media_type: &'static str, body: String) -> Response {
    let headers = [(CONTENT_TYPE, media_type), (CONTENT_SECURITY_POLICY, POLICY), (X_CONTENT_TYPE_OPTIONS, "nosniff")];
    (headers, body).into_response()
}

/// A violation as an item of a list.
fn item(Violation { part, name, pointer, rule, detail, .. }: &Violation) -> String {
    let place = escaped(&format!("{part} {}{pointer}", name.as_deref().unwrap_or_default()));
    format!("<li>{} breaks <code>{}</code>: {}</li>", place.trim_end(), escaped(rule), escaped(detail))
}
