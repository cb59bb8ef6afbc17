//! Hostile patches: too long, growing by copies, with dangling pointers, or probing hidden members.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

use super::Form;
use crate::{
    connection::{Answer, Connection, get, send_json},
    figure::{Figure, Outcome},
    service::Service,
    store::Store,
};

/// Members of the record that a patch cannot reach, with their actual or plausible values.
const HIDDEN: [(&str, &str); 8] = [
    ("/Id", "101"),
    ("/TenantName", "\"Example MSP\""),
    ("/CreatedBy", "7"),
    ("/ModifiedOn", "null"),
    ("/Locations/0/Id", "1"),
    ("/AccountManagerName", "\"x\""),
    ("/tenant_id", "1"),
    ("/__proto__", "null"),
];

/// Runs it.
pub(super) fn run(form: Form, store: Store) -> Result<Outcome> {
    let folder = tempfile::tempdir()?;
    let start = store.start();
    let service = start.run(folder.path())?;
    let token = start.token(folder.path())?;
    let read = || -> Result<Value> {
        let request = get("/v2/crm/accounts/summary/101", &token);
        Ok(Connection::open(service.address)?.exchange(&request)?.json()?["Result"].clone())
    };
    let before = read()?;
    let memory = service.memory()?;

    let replace = json!({"op": "replace", "path": "/Description", "value": "x"});
    let deep = format!("/{}", ["a"; 1_000].join("/"));
    let long = "x".repeat(700_000);
    let mut doubling = vec![json!({"op": "add", "path": "/Description", "value": long})];
    for (from, to) in [("/Description", "/Website"), ("/Website", "/AccountName"), ("/AccountName", "/AccountCode")]
        .iter()
        .cycle()
        .take(90)
    {
        doubling.push(json!({"op": "copy", "from": from, "path": to}));
    }
    let nested = (0..100).fold(json!(1), |inner, _| json!([inner]));
    let attacks = [
        ("10,000 operations", Value::from(vec![replace.clone(); 10_000])),
        ("101 operations", Value::from(vec![replace.clone(); 101])),
        ("copies of copies", Value::from(doubling)),
        ("a path 1,000 deep", json!([{"op": "replace", "path": deep, "value": "x"}])),
        ("a value 100 deep", json!([{"op": "replace", "path": "/Description", "value": nested}])),
        (
            "a path of 500,000 letters",
            json!([{"op": "replace", "path": format!("/{}", "y".repeat(500_000)), "value": 1}]),
        ),
        ("a move onto itself of what is not there", json!([{"op": "move", "path": "/Nothing", "from": "/Nothing"}])),
        ("an index", json!([{"op": "add", "path": "/Locations/-", "value": {}}])),
        ("no operation at all", json!([{}])),
        ("a document instead of a list", json!({"AccountName": "x"})),
    ];
    let (mut accepted, mut slowest, mut longest) = (0, Duration::ZERO, 0);
    for (name, attack) in &attacks {
        let begin = Instant::now();
        let answer = patch(&service, &token, attack)?;
        let time = begin.elapsed();
        slowest = slowest.max(time);
        longest = longest.max(answer.body.len());
        let is_refused = matches!(answer.status, 400 | 413 | 422);
        println!("  {name}: {}, {} bytes, {:.1} ms", answer.status, answer.body.len(), time.as_secs_f64() * 1e3);
        accepted += u64::from(!is_refused);
    }

    // For a hidden member, the response must not depend on the value.
    let mut told = 0;
    for (path, right) in HIDDEN {
        let right: Value = serde_json::from_str(right)?;
        for path in [path.to_owned(), path.to_uppercase()] {
            let test = |value: &Value| patch(&service, &token, &json!([{"op": "test", "path": path, "value": value}]));
            let (right, wrong) = (test(&right)?, test(&json!("certainly not"))?);
            let is_same = right.status == 422 && wrong.status == 422 && right.body == wrong.body;
            let copied = patch(&service, &token, &json!([{"op": "copy", "from": path, "path": "/Description"}]))?;
            if !is_same || copied.status != 422 {
                println!("  {path}: {} and {}, copied {}", right.status, wrong.status, copied.status);
                told += 1;
            }
        }
    }
    let is_unchanged = read()? == before;
    let patched = patch(&service, &token, &Value::from(vec![replace; 100]))?.status;
    let growth = service.peak_memory()?.saturating_sub(memory) >> 20;
    #[expect(clippy::cast_precision_loss, reason = "for a figure in MiB")]
    let growth = growth as f64;
    Ok(Outcome::Measured(vec![
        Figure::plain("patches that go too far", attacks.len()),
        Figure::exactly("of them not refused", 0, accepted),
        Figure::at_most("the slowest answer", form.pick(f64::INFINITY, 0.5), slowest.as_secs_f64(), " s"),
        Figure::plain("the longest answer, in bytes", longest),
        Figure::at_most("memory that they have taken", 64.0, growth, " MiB"),
        Figure::exactly("hidden members that a patch tells something of", 0, told),
        Figure::exactly("the record is as before", 1, u64::from(is_unchanged)),
        Figure::exactly("status of a patch of 100 operations", 200, u64::from(patched)),
    ]))
}

fn patch(service: &Service, token: &str, operations: &Value) -> Result<Answer> {
    let request = send_json("PATCH", "/v2/crm/accounts/101", token, "", &operations.to_string());
    Connection::open(service.address)?.exchange(&request).context("an answer to a patch")
}
