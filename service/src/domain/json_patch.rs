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

/// The steps of operations, or the refusal of the first invalid one.
pub fn read(members: &[&str], operations: &[PatchOperation]) -> Result<Vec<Step>, Refusal> {
    let read =
        |(index, operation)| read_one(members, operation).map_err(|(member, reason)| refusal(index, member, reason));
    operations.iter().enumerate().map(read).collect()
}

/// Applies all steps to the values of `members`. After a refusal some steps are applied: discard the record.
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
