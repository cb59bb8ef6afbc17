//! Secrets in headers, queries and bodies never appear in the log, and internals never appear in responses.

use anyhow::Result;

use super::{Form, target::Target};
use crate::{
    connection::Connection,
    figure::{Figure, Outcome},
    store::Store,
};

/// Part of every planted secret.
const SECRET: &str = "pLaNtEd";

/// Text that only internals contain.
const INSIDES: [&str; 8] =
    ["panicked", ".rs:", "stack backtrace", "rusqlite", "SELECT ", "sqlite", "/src/", "RUST_BACKTRACE"];

/// Runs it.
pub(super) fn run(_: Form, store: Store) -> Result<Outcome> {
    let mut figures = Vec::new();
    for (log, format) in [("info", "text"), ("debug", "text"), ("debug", "json")] {
        let start = store.start().with("SERVICE_LOG", log).with("SERVICE_LOG_FORMAT", format);
        let target = Target::start(store, &start)?;
        let (mut answers, mut telling, mut repeated) = (0, 0, 0);
        for request in requests(&target.token) {
            let Ok(answer) =
                Connection::open(target.service.address).and_then(|mut open| open.exchange(request.as_bytes()))
            else {
                continue;
            };
            answers += 1;
            let text = String::from_utf8_lossy(&answer.body).into_owned();
            if INSIDES.iter().any(|inside| text.contains(inside)) {
                println!("  {request}\n  {text}");
                telling += 1;
            }
            // A refused name may be repeated; a token or a password must not be.
            repeated += u64::from(text.contains("pLaNtEd-token") || text.contains("pLaNtEd-password"));
        }
        std::thread::sleep(std::time::Duration::from_millis(300));
        let log_lines = target.service.log();
        let found: Vec<&String> =
            log_lines.iter().filter(|line| line.contains(SECRET) || line.contains(&target.token)).collect();
        for line in &found {
            println!("  {line}");
        }
        let requests = log_lines.iter().filter(|line| line.contains("microseconds")).count();
        let named = log_lines
            .iter()
            .filter(|line| {
                let names = ["tenant", "token", "operation", "address"];
                let has = |name: &str| line.contains(&format!("{name}=")) || line.contains(&format!("\"{name}\":"));
                names.into_iter().all(has)
            })
            .count();
        figures.push(Figure::plain(format!("answers to planted requests, log `{log}` as {format}"), answers));
        figures.push(Figure::at_least("  lines of requests in the log", f64::from(answers), count(requests), ""));
        figures.push(Figure::at_least("  lines that name tenant, token, operation and address", 4.0, count(named), ""));
        figures.push(Figure::exactly("  lines with a secret", 0, found.len() as u64));
        figures.push(Figure::exactly("  answers that show insides", 0, telling));
        figures.push(Figure::exactly("  answers that repeat a token or a password", 0, repeated));
    }
    Ok(Outcome::Measured(figures))
}

#[expect(clippy::cast_precision_loss, reason = "a count")]
fn count(number: usize) -> f64 {
    number as f64
}

fn requests(token: &str) -> Vec<String> {
    let request = |line: &str, headers: &str, body: &str| {
        format!("{line} HTTP/1.1\r\nhost: x\r\ncontent-length: {}\r\n{headers}\r\n{body}", body.len())
    };
    let known = format!("authorization: Bearer {token}\r\n");
    let json = format!("{known}content-type: application/json\r\n");
    let unknown = "authorization: Bearer bms_pLaNtEd-token\r\n";
    let account = r#"{"AccountName":"x","pLaNtEd":"pLaNtEd-password","AccountTypeId":"pLaNtEd-password"}"#;
    vec![
        request("GET /v2/crm/accounts/lookup?password=pLaNtEd-query", unknown, ""),
        request("GET /v2/crm/accounts/lookup?Filter.Name=pLaNtEd-query", &known, ""),
        request("GET /v2/crm/accounts/summary?Sort=pLaNtEd-query&PageSize=pLaNtEd", &known, ""),
        request("GET /v2/hr/assignees/count?api_key=pLaNtEd-query", &known, ""),
        request("GET /nowhere?token=pLaNtEd-token", "cookie: session=pLaNtEd-cookie\r\nx-api-key: pLaNtEd-key\r\n", ""),
        request("GET /healthz?token=pLaNtEd-token", "proxy-authorization: Basic pLaNtEd\r\n", ""),
        request(
            "GET /v2/crm/accounts/summary/101",
            "authorization: Basic cExhTnRFZDpwTGFOdEVk\r\nx-pLaNtEd: pLaNtEd\r\n",
            "",
        ),
        request("GET /v2/crm/accounts/summary/101", &format!("{known}x-request-id: pLaNtEd pLaNtEd\r\n"), ""),
        request(
            "GET /v2/crm/accounts/summary/101",
            &format!("{known}x-forwarded-for: pLaNtEd\r\nforwarded: for=pLaNtEd\r\n"),
            "",
        ),
        request("POST /v2/crm/accounts", &json, account),
        request("POST /v2/crm/accounts", &json, "{\"AccountName\": pLaNtEd-password"),
        request("POST /v2/crm/accounts", &format!("{known}content-type: text/pLaNtEd\r\n"), "pLaNtEd"),
        request("PUT /v2/admin/companysettings", &json, r#"{"ModuleId":1,"Settings":{"pLaNtEd":"pLaNtEd-password"}}"#),
        request(
            "PATCH /v2/crm/accounts/101",
            &json,
            r#"[{"op":"replace","path":"/pLaNtEd","value":"pLaNtEd-password"}]"#,
        ),
        request("PUT /assetmgmt/patch/1/schedule", &json, r#"{"pLaNtEd":"pLaNtEd-password"}"#),
    ]
}
