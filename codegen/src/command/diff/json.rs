//! Differences as a JSON object: a list, and counts.

use std::ops::Range;

use serde_json::{Map, Value, json};
use specwright::Position;
use specwright::diff::{Change, Changes, Edition, Level, Party};

use crate::command::description::Here;

pub(super) fn json(changes: &Changes) -> Value {
    let broken = Party::ALL.into_iter().map(|party| {
        let count = changes.iter().filter(|change| change.breaks(party)).count();
        (party.word().to_owned(), count.into())
    });
    json!({
        "changes": changes.locate(&Here).into_iter().map(change).collect::<Value>(),
        "count": {
            "breaking": changes.count(Level::Breaking),
            "notice": changes.count(Level::Notice),
            "harmless": changes.count(Level::Harmless),
        },
        "semver": {
            "api": changes.step(&[Party::Callers]).word(),
            "crates": changes.step(&Party::ALL).word(),
        },
        "breaks": broken.collect::<Map<_, _>>(),
    })
}

fn change((change, range): (&Change, Option<Range<Position>>)) -> Value {
    let document = match change.edition {
        Edition::Old => "old",
        Edition::New => "new",
    };
    let effects = change
        .effects
        .iter()
        .map(|effect| json!({ "party": effect.party.word(), "level": effect.level.word(), "reason": effect.reason }));
    let operations = change.operations.iter().map(|reached| {
        json!({
            "method": reached.method.as_str(),
            "path": reached.path,
            "operationId": reached.id,
        })
    });
    json!({
        "rule": change.rule.name(),
        "level": change.level().word(),
        "message": change.message,
        "effects": effects.collect::<Value>(),
        "document": document,
        "file": change.location.file(),
        "pointer": change.location.pointer(),
        "line": range.as_ref().map(|range| range.start.line),
        "column": range.as_ref().map(|range| range.start.column),
        "operations": operations.collect::<Value>(),
    })
}
