//! The report on a run.

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
    text + &summary(outcome)
}

fn summary(outcome: &Outcome) -> String {
    let Outcome { findings, operations, requests, seed, samples, is_cut, .. } = outcome;
    let counted = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    let (errors, warnings) = findings.count();
    let mut parts = vec![counted(operations.len(), "operation"), counted(*requests as usize, "request")];
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
    let Outcome { findings, operations, requests, seed, url, samples, is_cut } = outcome;
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
        "findings": findings.sorted().iter().map(finding).collect::<Value>(),
    })
}

/// JUnit's XML: a test case for each operation, with a failure for each finding. Warnings are output.
pub(super) fn junit(outcome: &Outcome) -> String {
    let sorted = outcome.findings.sorted();
    let mut cases = String::new();
    let mut failed = 0;
    for operation in &outcome.operations {
        let own = sorted.iter().copied().filter(|finding| finding.operation.id == operation.id);
        let (warnings, errors): (Vec<&Finding>, Vec<&Finding>) = own.partition(|finding| finding.kind.is_warning());
        failed += usize::from(!errors.is_empty());
        let class = escaped(&format!("{} {}", operation.method, operation.path));
        let _ = writeln!(cases, "  <testcase classname=\"{class}\" name=\"{}\">", escaped(&operation.id));
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
         <testsuite name=\"specwright prove\" tests=\"{count}\" failures=\"{failed}\">\n{cases}</testsuite>\n"
    )
}
