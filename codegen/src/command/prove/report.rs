//! The report on a run.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use serde_json::{Value, json};

use super::finding::Finding;
use super::run::{Outcome, SAMPLES};
use crate::command::exchange::markup::escaped;

/// For people: as rustc reports.
pub(super) fn human(outcome: &Outcome) -> String {
    let mut text = String::new();
    for Finding { kind, operation, detail, curl, others } in outcome.findings.sorted() {
        let level = if kind.is_warning() { "warning" } else { "error" };
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "{level}[{}]: {} {} {detail}", kind.name(), operation.method, operation.path);
        let _ = writeln!(text, "  --> {}", operation.id);
        for other in others {
            let _ = writeln!(text, "   = also: {other}");
        }
        if !curl.is_empty() {
            let _ = writeln!(text, "  {curl}");
        }
        text.push('\n');
    }
    for (operation, statuses) in &outcome.unproven {
        let _ = writeln!(text, "not proven: {} {} {}", operation.method, operation.path, why(statuses));
        let _ = writeln!(text, "  --> {}\n", operation.id);
    }
    text + &summary(outcome)
}

/// Why an operation is not proven, in a sentence about it.
fn why(statuses: &BTreeSet<u16>) -> String {
    if statuses.is_empty() {
        return "has no answer to a valid request".to_owned();
    }
    let statuses: Vec<String> = statuses.iter().map(u16::to_string).collect();
    format!("answers {} to valid requests, and no success", statuses.join(", "))
}

/// The error of a run in which no operation succeeded. `base_path`: the path of the description's server.
pub(super) fn nothing_proven(outcome: &Outcome, base_path: &str) -> String {
    let Outcome { unproven, requests, url, .. } = outcome;
    if *requests == 0 {
        return "error: nothing is proven: no request was sent".to_owned();
    }
    let statuses: BTreeSet<u16> = unproven.iter().flat_map(|(_, statuses)| statuses).copied().collect();
    let is_of_credentials = |status: &u16| matches!(status, 401 | 403);
    let mut text = format!("error: nothing is proven: no valid request to {url} succeeded");
    if statuses.iter().any(|status| !is_of_credentials(status)) {
        text.push_str("\n  help: look at `--url`: the paths of the description follow it");
        if !base_path.is_empty() && !url.ends_with(base_path) {
            let _ = write!(text, ", and it does not end with the path of the description's server, `{base_path}`");
        }
    }
    if statuses.iter().any(is_of_credentials) {
        text.push_str("\n  help: look at the credentials: `--bearer` or `--header`");
    }
    text
}

fn summary(outcome: &Outcome) -> String {
    let Outcome { findings, operations, unproven, requests, seed, samples, is_cut, .. } = outcome;
    let counted = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    let (errors, warnings) = findings.count();
    let called = match unproven.len() {
        0 => counted(operations.len(), "operation"),
        count => format!("{} ({count} not proven)", counted(operations.len(), "operation")),
    };
    let mut parts = vec![called, counted(*requests as usize, "request")];
    parts.push(counted(errors, "finding"));
    if warnings > 0 {
        parts.push(counted(warnings, "warning"));
    }
    let end = match (is_cut, *samples > SAMPLES) {
        (true, _) => "; the time was over, so not everything was tried".to_owned(),
        (false, true) => format!(", {samples} samples"),
        (false, false) => String::new(),
    };
    format!("{} (seed {seed}{end})\n", parts.join(", "))
}

/// For programs.
pub(super) fn json(outcome: &Outcome) -> Value {
    let Outcome { findings, operations, unproven, requests, seed, url, samples, is_cut } = outcome;
    let not_proven = unproven.iter().map(|(operation, statuses)| {
        json!({ "operationId": operation.id, "method": operation.method, "path": operation.path, "statuses": statuses })
    });
    let finding = |finding: &&Finding| {
        let Finding { kind, operation, detail, curl, others } = finding;
        json!({
            "kind": kind.name(),
            "severity": if kind.is_warning() { "warning" } else { "error" },
            "operationId": operation.id,
            "method": operation.method,
            "path": operation.path,
            "detail": detail,
            "others": others,
            "curl": curl,
        })
    };
    json!({
        "url": url,
        "seed": seed,
        "operations": operations.len(),
        "requests": requests,
        "samples": samples,
        "complete": !is_cut,
        "notProven": not_proven.collect::<Value>(),
        "findings": findings.sorted().iter().map(finding).collect::<Value>(),
    })
}

/// JUnit's XML: a test case for each operation, with a failure for each finding; without one, an operation that is not
/// proven is skipped. Warnings are output.
pub(super) fn junit(outcome: &Outcome) -> String {
    let sorted = outcome.findings.sorted();
    let mut cases = String::new();
    let (mut failed, mut skipped) = (0, 0);
    for operation in &outcome.operations {
        let own = sorted.iter().copied().filter(|finding| finding.operation.id == operation.id);
        let (warnings, errors): (Vec<&Finding>, Vec<&Finding>) = own.partition(|finding| finding.kind.is_warning());
        let unproven = outcome.unproven.iter().find(|(unproven, _)| unproven.id == operation.id);
        let unproven = unproven.filter(|_| errors.is_empty());
        failed += usize::from(!errors.is_empty());
        skipped += usize::from(unproven.is_some());
        let class = escaped(&format!("{} {}", operation.method, operation.path));
        let _ = writeln!(cases, "  <testcase classname=\"{class}\" name=\"{}\">", escaped(&operation.id));
        if let Some((_, statuses)) = unproven {
            let _ = writeln!(cases, "    <skipped message=\"not proven: {}\"/>", escaped(&why(statuses)));
        }
        for Finding { kind, detail, curl, others, .. } in errors {
            let more = others.iter().fold(String::new(), |text, other| text + "also: " + other + "\n");
            let (detail, text) = (escaped(detail), escaped(&format!("{curl}\n{more}")));
            let _ = writeln!(cases, "    <failure type=\"{}\" message=\"{detail}\">{text}</failure>", kind.name());
        }
        for Finding { kind, detail, curl, .. } in warnings {
            let text = escaped(&format!("{}: {detail}\n{curl}\n", kind.name()));
            let _ = writeln!(cases, "    <system-out>{text}</system-out>");
        }
        cases.push_str("  </testcase>\n");
    }
    let count = outcome.operations.len();
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuite name=\"specwright prove\" tests=\"{count}\" failures=\"{failed}\" skipped=\"{skipped}\">\n{cases}\
         </testsuite>\n"
    )
}
