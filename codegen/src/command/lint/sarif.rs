//! Diagnostics as SARIF 2.1.0, which code hosts and editors show next to the lines.

use std::fmt::Write as _;

use serde_json::{Value, json};
use specwright::{Code, Diagnostics, Located, Location, Position, Severity};

use crate::command::description::Here;

/// A log with one run.
pub(super) fn sarif(diagnostics: &Diagnostics) -> Value {
    let rules: Vec<Code> = Code::all().collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "specwright",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": rules.iter().map(|code| rule(*code)).collect::<Value>(),
            } },
            "columnKind": "unicodeCodePoints",
            "results": diagnostics.locate(&Here).iter().map(|found| result(found, &rules)).collect::<Value>(),
        }],
    })
}

fn rule(code: Code) -> Value {
    json!({
        "id": code.number(),
        "name": code.name(),
        "shortDescription": { "text": code.explanation() },
        "defaultConfiguration": { "level": level(code.severity()) },
    })
}

fn result(Located { diagnostic, range, .. }: &Located<'_>, rules: &[Code]) -> Value {
    let mut text = diagnostic.message.clone();
    for help in &diagnostic.help {
        let _ = write!(text, "\nhelp: {help}");
    }
    let related = diagnostic.related.iter().map(|(related, label)| {
        let mut place = location(related, None);
        place["message"] = json!({ "text": label });
        place
    });
    json!({
        "ruleId": diagnostic.code.number(),
        "ruleIndex": rules.iter().position(|code| *code == diagnostic.code),
        "level": level(diagnostic.severity),
        "message": { "text": text },
        "locations": [location(&diagnostic.location, range.as_ref())],
        "relatedLocations": related.collect::<Value>(),
    })
}

fn location(location: &Location, range: Option<&std::ops::Range<Position>>) -> Value {
    let mut physical = json!({ "artifactLocation": { "uri": uri(location.file()) } });
    if let Some(range) = range {
        physical["region"] = json!({
            "startLine": range.start.line,
            "startColumn": range.start.column,
            "endLine": range.end.line,
            "endColumn": range.end.column,
        });
    }
    json!({
        "physicalLocation": physical,
        "logicalLocations": [{ "fullyQualifiedName": format!("#{}", location.pointer()) }],
    })
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

/// A path as a relative reference.
fn uri(path: &str) -> String {
    path.bytes().fold(String::new(), |mut uri, byte| {
        if byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            let _ = write!(uri, "%{byte:02X}");
        }
        uri
    })
}
