//! JSON Patch (RFC 6902) on a flat record: each path names one member, in any letter case, with or without a
//! slash.

use generated_server::{
    models::PatchOperation,
    runtime::json::{self, Value},
};

use super::refusal::Refusal;

/// Maximum number of operations of a patch.
pub const MOST_OPERATIONS: usize = 100;

/// Bytes by which a record may have grown after any step: copies of copies double what is sent.
const MOST_GROWTH: usize = 1 << 20;

/// One step of a patch; members are positions.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// `add` and `replace`: in a flat record both set the member.
    Set(usize, Value),
    /// `remove`: the member becomes `null`.
    Remove(usize),
    /// `move`: the second takes the value of the first, which becomes `null`.
    Move(usize, usize),
    /// `copy`: the second takes the value of the first.
    Copy(usize, usize),
    /// `test`: the member has that value.
    Test(usize, Value),
}

/// The steps that operations ask for, or what is wrong with the first that asks for none.
pub fn read(members: &[&str], operations: &[PatchOperation]) -> Result<Vec<Step>, Refusal> {
    let read =
        |(index, operation)| read_one(members, operation).map_err(|(member, reason)| refusal(index, member, reason));
    operations.iter().enumerate().map(read).collect()
}

/// Takes all steps on a record, whose values stand in the order of `members`. A record of which a step is refused is of no use.
pub fn apply(members: &[&str], record: &mut [Value], steps: Vec<Step>) -> Result<(), Refusal> {
    let size = |value: &Value| json::to_vec(value).len();
    let mut sizes: Vec<usize> = record.iter().map(size).collect();
    let most = sizes.iter().sum::<usize>() + MOST_GROWTH;
    for (index, step) in steps.into_iter().enumerate() {
        match step {
            Step::Set(path, value) => (sizes[path], record[path]) = (size(&value), value),
            Step::Remove(path) => (sizes[path], record[path]) = (0, Value::Null),
            Step::Move(from, path) => {
                (sizes[path], record[path]) = (std::mem::take(&mut sizes[from]), std::mem::take(&mut record[from]));
            }
            Step::Copy(from, path) => {
                sizes[path] = sizes[from];
                if sizes.iter().sum::<usize>() <= most {
                    record[path] = record[from].clone();
                }
            }
            Step::Test(path, value) if same(&record[path], &value) => {}
            Step::Test(path, _) => {
                return Err(refusal(index, "value", format!("is not what `{}` has", members[path])));
            }
        }
        if sizes.iter().sum::<usize>() > most {
            return Err(refusal(index, "path", format!("makes the record grow by more than {MOST_GROWTH} bytes")));
        }
    }
    Ok(())
}

fn refusal(index: usize, member: &str, reason: String) -> Refusal {
    Refusal::new(format!("/{index}/{member}"), "patch", reason)
}

fn read_one(members: &[&str], operation: &PatchOperation) -> Result<Step, (&'static str, String)> {
    let op = operation.op.to_ascii_lowercase();
    let missing = || format!("is missing, and `{op}` needs it");
    let path = find(members, &operation.path).map_err(|reason| ("path", reason))?;
    // It is one of the members even where nothing is moved or copied, as the description says.
    let from = operation.from.as_deref().map(|from| find(members, from)).transpose();
    let from = from.map_err(|reason| ("from", reason))?;
    let from = || from.ok_or_else(|| ("from", missing()));
    let value = || operation.value.clone().ok_or_else(|| ("value", missing()));
    match op.as_str() {
        "add" | "replace" => Ok(Step::Set(path, value()?)),
        "remove" => Ok(Step::Remove(path)),
        "move" => Ok(Step::Move(from()?, path)),
        "copy" => Ok(Step::Copy(from()?, path)),
        "test" => Ok(Step::Test(path, value()?)),
        other => Err(("op", format!("is `{}`; it is add, remove, replace, move, copy or test", shown(other)))),
    }
}

/// The position of the member that a path names: `/AccountName`, `accountname`.
fn find(members: &[&str], path: &str) -> Result<usize, String> {
    let name = path.strip_prefix('/').unwrap_or(path);
    members
        .iter()
        .position(|member| member.eq_ignore_ascii_case(name))
        .ok_or_else(|| format!("is `{}`, which cannot be changed; what can: {}", shown(path), members.join(", ")))
}

/// The first hundred bytes of a path.
fn shown(path: &str) -> &str {
    &path[..path.floor_char_boundary(100)]
}

/// Whether two values are equal. Numbers are what they amount to, however they are written (RFC 6902, 4.6).
fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => match (one.as_i64(), other.as_i64()) {
            (Some(one), Some(other)) => one == other,
            _ => one == other || one.as_f64().total_cmp(&other.as_f64()).is_eq(),
        },
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(name, value)| other.get(name).is_some_and(|other| same(value, other)))
        }
        (one, other) => one == other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
