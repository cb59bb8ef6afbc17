//! JSON Patch on a flat record.

use generated_server::{
    models::PatchOperation,
    runtime::json::{self, Value},
};
use service::domain::json_patch::{apply, read};

/// Takes operations `[op, path, from, value]` on a record of three members; gives it, or where a refusal points to.
fn patch(record: &str, operations: &[[&str; 4]]) -> Result<String, String> {
    let members = ["AccountName", "Website", "ClassId"];
    let value = |text: &str| text.parse::<Value>().expect("JSON");
    let operations = operations.iter().map(|[op, path, from, text]| PatchOperation {
        operation_type: None,
        op: (*op).into(),
        path: (*path).into(),
        from: if from.is_empty() { json::Maybe::Absent } else { json::Maybe::Value((*from).into()) },
        value: (!text.is_empty()).then(|| value(text)),
    });
    let Value::Array(mut values) = value(record) else { panic!("{record}") };
    let steps = read(&members, &operations.collect::<Vec<_>>()).map_err(|refusal| refusal.pointer)?;
    apply(&members, &mut values, steps).map_err(|refusal| refusal.pointer)?;
    Ok(String::from_utf8(json::to_vec(&Value::Array(values))).expect("text"))
}

#[test]
fn every_operation_does_what_the_rfc_says() {
    let operations = [
        ["test", "/AccountName", "", "1"],
        ["replace", "accountname", "", "10"],
        ["Copy", "/website", "/AccountName", ""],
        ["move", "/ClassId", "Website", ""],
        ["remove", "/AccountName", "", ""],
        ["add", "/AccountName", "", "7"],
    ];
    assert_eq!(patch("[1,2,3]", &operations).as_deref(), Ok("[7,null,10]"));
}

#[test]
fn a_refusal_names_its_operation_and_member() {
    for (bad, member) in [
        (["test", "/Website", "", "9"], "value"),
        (["replace", "/Id", "", "9"], "path"),
        (["replace", "/Website", "", ""], "value"),
        (["move", "/Website", "", ""], "from"),
        (["copy", "/Website", "/Nothing", ""], "from"),
        (["replace", "/Website", "/Nothing", "9"], "from"),
        (["swap", "/Website", "", ""], "op"),
    ] {
        let refused = patch("[1,2,3]", &[["replace", "/AccountName", "", "10"], bad]);
        assert_eq!(refused, Err(format!("/1/{member}")));
    }
    let long = format!("[\"{}\",\"\",\"\"]", "x".repeat(600_000));
    let copies = [["copy", "/Website", "/AccountName", ""], ["copy", "/ClassId", "/Website", ""]];
    assert_eq!(patch(&long, &copies), Err("/1/path".into()), "copies do not fill the memory");
    assert!(patch(&long, &copies[..1]).is_ok());
}

#[test]
fn numbers_are_the_same_however_they_are_written() {
    let tested = |one: &str, other: &str| patch(&format!("[{one},1,1]"), &[["test", "AccountName", "", other]]);
    for (one, other) in [("5000", "5000.0"), ("[1e3]", "[1000]"), (r#"{"a":1.0}"#, r#"{"a":1}"#)] {
        assert!(tested(one, other).is_ok(), "{one} {other}");
    }
    for (one, other) in [("5000", "5000.5"), ("9007199254740993", "9007199254740992"), ("1", r#""1""#)] {
        assert!(tested(one, other).is_err(), "{one} {other}");
    }
}
