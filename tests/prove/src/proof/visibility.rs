//! Hidden records get the same responses as missing ones, in the same time.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};

use super::Form;
use crate::{
    connection::{Connection, get, send_json},
    figure::{Figure, Outcome},
    store::Store,
};

/// An account, an agent and a contact of the sample that the token must not see, and ids that do not exist.
const HIDDEN: [&str; 3] = ["104", "121747357971680", "4"];
const ABSENT: [&str; 3] = ["994", "121747357979999", "9"];

/// Runs it.
pub(super) fn run(form: Form, store: Store) -> Result<Outcome> {
    let folder = tempfile::tempdir()?;
    let start = store.start();
    let service = start.run(folder.path())?;
    let token = start.token_with(folder.path(), &["--account", "101", "--all"])?;
    let pairs = form.pick(150, 5_000);
    let mut connection = Connection::open(service.address)?;
    let (mut differing, mut worst_ratio, mut worst_t) = (0, ("", 0.0_f64), ("", 0.0_f64));
    for name in OPERATIONS {
        let (hidden, absent) = (request(name, HIDDEN, &token), request(name, ABSENT, &token));
        let (mut of_hidden, mut of_absent) = (Vec::new(), Vec::new());
        for pair in 0..pairs {
            // Alternate, with each one first in half of the pairs.
            let mut first = timed(&mut connection, if pair % 2 == 0 { &hidden } else { &absent })?;
            let mut second = timed(&mut connection, if pair % 2 == 0 { &absent } else { &hidden })?;
            if pair % 2 == 1 {
                std::mem::swap(&mut first, &mut second);
            }
            ensure!(first.0 != 200 || name.contains('?') || name.starts_with("PUT"), "{name} shows what is hidden");
            differing += u64::from(first.0 != second.0);
            of_hidden.push(first.1);
            of_absent.push(second.1);
        }
        let ratio = median(&of_hidden) / median(&of_absent);
        let ratio = ratio.max(1.0 / ratio);
        if ratio > worst_ratio.1 {
            worst_ratio = (name, ratio);
        }
        let t = welch(&of_hidden, &of_absent).abs();
        if t > worst_t.1 {
            worst_t = (name, t);
        }
    }
    Ok(Outcome::Measured(vec![
        Figure::plain("operations compared, pairs of each", format!("{}, {pairs}", OPERATIONS.len())),
        Figure::exactly("pairs that differ in status", 0, differing),
        Figure::at_most(
            format!("median of hidden to absent, at worst ({})", worst_ratio.0),
            form.pick(1.5, 1.1),
            worst_ratio.1,
            " ×",
        ),
        // On a busy machine, a few slow responses mean little in the short form.
        Figure::at_most(format!("Welch's t, at worst ({})", worst_t.0), form.pick(20.0, 4.5), worst_t.1, ""),
    ]))
}

/// Requests with placeholders: account `A`, agent `G`, contact `C`.
const OPERATIONS: [&str; 14] = [
    "GET /v2/crm/accounts/summary/{A}",
    "GET /v2/crm/accounts/{A}/locations/lookup",
    "GET /v2/crm/accounts/{A}/locations/{C}",
    "GET /v2/crm/accounts/{A}/contacts/lookup",
    "GET /v2/crm/accounts/{A}/contacts/{C}/summaryinfo",
    "GET /v2/crm/accounts/{A}/alerts/0",
    "GET /v2/crm/accounts/lookup?Filter.Ids={A}",
    "GET /v2/crm/contacts/summary?Filter.AccountId={A}",
    "GET /v2/hr/assignees/lookup?Filter.AccountId={A}",
    "GET /v2/system/attachments/1/{A}",
    "GET /assetmgmt/patch/{G}/machineupdate/false",
    "GET /assetmgmt/agent/notes?$filter=AgentGUID eq '{G}'",
    "PATCH /v2/crm/accounts/{A}",
    "PUT /assetmgmt/patch/{G}/schedule",
];

fn request(operation: &str, [account, agent, contact]: [&str; 3], token: &str) -> Vec<u8> {
    let filled = operation.replace("{A}", account).replace("{G}", agent).replace("{C}", contact);
    let (method, path) = filled.split_once(' ').unwrap_or(("GET", "/"));
    let path = path.replace(' ', "%20").replace('\'', "%27");
    match method {
        "PATCH" => {
            let body = r#"[{"op":"replace","path":"/Website","value":"https://x.example"}]"#;
            send_json(method, &path, token, "", body)
        }
        "PUT" => {
            let body = r#"{"PatchIds":[],"Recurrence":{"Repeat":"Days"},"Distribution":{},"Start":{"StartOn":"2035-06-01T00:00:00Z"}}"#;
            send_json(method, &path, token, "", body)
        }
        _ => get(&path, token),
    }
}

fn timed(connection: &mut Connection, request: &[u8]) -> Result<(u16, f64)> {
    let begin = Instant::now();
    let answer = connection.exchange(request)?;
    Ok((answer.status, Duration::as_secs_f64(&begin.elapsed())))
}

fn median(times: &[f64]) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

/// Welch's t of the two samples, without what is slower than nine tenths of both together, which is noise of the machine. A tenth
/// of each instead would move both means by more than their variances show.
#[expect(clippy::cast_precision_loss, reason = "counts of samples are small")]
fn welch(one: &[f64], other: &[f64]) -> f64 {
    let mut sorted = [one, other].concat();
    sorted.sort_by(f64::total_cmp);
    let slowest = sorted[sorted.len() * 9 / 10];
    let summary = |times: &[f64]| {
        let kept = || times.iter().filter(|time| **time <= slowest);
        let count = kept().count() as f64;
        let mean = kept().sum::<f64>() / count;
        let variance = kept().map(|time| (time - mean).powi(2)).sum::<f64>() / (count - 1.0);
        (mean, variance / count)
    };
    let ((one, of_one), (other, of_other)) = (summary(one), summary(other));
    (one - other) / (of_one + of_other).sqrt()
}
