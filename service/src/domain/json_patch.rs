//! JSON Patch (RFC 6902) on a flat record: each path names one member, in any letter case, with or without a
//! slash.

/// Maximum number of operations in a patch.
pub const MOST_OPERATIONS: usize = 100;

/// Maximum growth of a record in bytes after any step: repeated copies double it.
pub const MOST_GROWTH: usize = 1 << 20;

/// A step of a patch, with its path resolved to a member.
#[derive(Clone, Debug, PartialEq)]
pub enum Step<V> {
    /// `add` and `replace`: equivalent on a flat record.
    Set(usize, V),
    /// `remove`: the member becomes `null`.
    Remove(usize),
    /// `move`: the second takes the value of the first, which becomes `null`.
    Move(usize, usize),
    /// `copy`: the second takes the value of the first.
    Copy(usize, usize),
    /// `test`: the member has that value.
    Test(usize, V),
}

/// An operation as it is sent.
#[derive(Clone, Debug)]
pub struct Operation<'a, V> {
    /// `op`
    pub op: &'a str,
    /// `path`
    pub path: &'a str,
    /// `from`
    pub from: Option<&'a str>,
    /// `value`; `None` if the member is absent.
    pub value: Option<V>,
}

/// Why a patch cannot be applied.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("operation {index}: {reason}")]
pub struct Error {
    /// The position of the operation, from 0.
    pub index: usize,
    /// The invalid member of the operation: `op`, `path`, `from` or `value`.
    pub member: &'static str,
    /// What is wrong.
    pub reason: String,
}

/// The steps of the operations, or the error of the first invalid one.
pub fn read<V: Clone>(members: &[&str], operations: &[Operation<'_, V>]) -> Result<Vec<Step<V>>, Error> {
    let read =
        |(index, operation)| read_one(members, operation).map_err(|(member, reason)| Error { index, member, reason });
    operations.iter().enumerate().map(read).collect()
}

/// Applies all steps to `record`, whose values are in the order of `members`, or none of them. `size`
/// estimates the bytes of a value; `same` compares two values.
pub fn apply<V>(
    members: &[&str],
    record: &mut Vec<V>,
    steps: Vec<Step<V>>,
    size: impl Fn(&V) -> usize,
    same: fn(&V, &V) -> bool,
) -> Result<(), Error>
where
    V: Clone + Default,
{
    let mut changed = record.clone();
    let mut sizes: Vec<usize> = changed.iter().map(&size).collect();
    let most = sizes.iter().sum::<usize>() + MOST_GROWTH;
    for (index, step) in steps.into_iter().enumerate() {
        let refused = |(member, reason)| Error { index, member, reason };
        match &step {
            Step::Set(path, value) => sizes[*path] = size(value),
            Step::Remove(path) => sizes[*path] = 0,
            Step::Move(from, path) => sizes[*path] = std::mem::take(&mut sizes[*from]),
            Step::Copy(from, path) => sizes[*path] = sizes[*from],
            Step::Test(..) => {}
        }
        if sizes.iter().sum::<usize>() > most {
            let reason = format!("makes the record grow by more than {MOST_GROWTH} bytes");
            return Err(refused(("path", reason)));
        }
        run(members, &mut changed, step, same).map_err(refused)?;
    }
    *record = changed;
    Ok(())
}

fn read_one<V: Clone>(members: &[&str], operation: &Operation<'_, V>) -> Result<Step<V>, (&'static str, String)> {
    let op = operation.op.to_ascii_lowercase();
    let missing = || format!("is missing, and `{op}` needs it");
    let path = find(members, operation.path).map_err(|reason| ("path", reason))?;
    // `from` must name a member even if it is unused, as the description says.
    let from = operation.from.map(|from| find(members, from)).transpose().map_err(|reason| ("from", reason))?;
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

fn run<V>(
    members: &[&str],
    record: &mut [V],
    step: Step<V>,
    same: fn(&V, &V) -> bool,
) -> Result<(), (&'static str, String)>
where
    V: Clone + Default,
{
    match step {
        Step::Set(path, value) => record[path] = value,
        Step::Remove(path) => record[path] = V::default(),
        Step::Move(from, path) => record[path] = std::mem::take(&mut record[from]),
        Step::Copy(from, path) => record[path] = record[from].clone(),
        Step::Test(path, value) if same(&record[path], &value) => {}
        Step::Test(path, _) => return Err(("value", format!("is not what `{}` has", members[path]))),
    }
    Ok(())
}

/// The index of the member for `/AccountName` or `accountname`.
fn find(members: &[&str], path: &str) -> Result<usize, String> {
    let name = path.strip_prefix('/').unwrap_or(path);
    members
        .iter()
        .position(|member| member.eq_ignore_ascii_case(name))
        .ok_or_else(|| format!("is `{}`, which cannot be changed; what can: {}", shown(path), members.join(", ")))
}

/// A path shortened for messages: it may have a million characters.
fn shown(path: &str) -> &str {
    const LONGEST: usize = 100;
    &path[..path.floor_char_boundary(LONGEST.min(path.len()))]
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEMBERS: [&str; 3] = ["AccountName", "Website", "ClassId"];

    fn operation<'a>(op: &'a str, path: &'a str, from: Option<&'a str>, value: Option<i32>) -> Operation<'a, i32> {
        Operation { op, path, from, value }
    }

    fn patch(record: &mut Vec<i32>, operations: &[Operation<'_, i32>]) -> Result<(), Error> {
        apply(&MEMBERS, record, read(&MEMBERS, operations)?, |_| 4, i32::eq)
    }

    #[test]
    fn every_operation_does_what_the_rfc_says() {
        let mut record = vec![1, 2, 3];
        let operations = [
            operation("test", "/AccountName", None, Some(1)),
            operation("replace", "accountname", None, Some(10)),
            operation("Copy", "/website", Some("/AccountName"), None),
            operation("move", "/ClassId", Some("Website"), None),
            operation("remove", "/AccountName", None, None),
            operation("add", "/AccountName", None, Some(7)),
        ];
        patch(&mut record, &operations).expect("applied");
        assert_eq!(record, [7, 0, 10]);
    }

    #[test]
    fn a_failure_changes_nothing_and_names_its_operation() {
        for (bad, member) in [
            (operation("test", "/Website", None, Some(9)), "value"),
            (operation("replace", "/Id", None, Some(9)), "path"),
            (operation("replace", "/Website", None, None), "value"),
            (operation("move", "/Website", None, None), "from"),
            (operation("copy", "/Website", Some("/Nothing"), None), "from"),
            (operation("replace", "/Website", Some("/Nothing"), Some(9)), "from"),
            (operation("swap", "/Website", None, None), "op"),
        ] {
            let mut record = vec![1, 2, 3];
            let first = operation("replace", "/AccountName", None, Some(10));
            let error = patch(&mut record, &[first, bad]).expect_err("refused");
            assert_eq!((error.index, error.member), (1, member));
            assert_eq!(record, [1, 2, 3]);
        }
    }

    #[test]
    fn copies_do_not_fill_the_memory() {
        let members = ["A", "B", "C"];
        let copy = |from, path| Operation { op: "copy", path, from: Some(from), value: None };
        let long = "x".repeat(600_000);
        let mut record = vec![long.clone(), String::new(), String::new()];
        let steps = read(&members, &[copy("/A", "/B"), copy("/B", "/C")]).expect("steps");
        let error = apply(&members, &mut record, steps.clone(), String::len, String::eq).expect_err("refused");
        assert_eq!((error.index, error.member), (1, "path"));
        assert_eq!(record, [long, String::new(), String::new()]);
        apply(&members, &mut record, steps[..1].to_vec(), String::len, String::eq)
            .expect("one copy is less than the limit");
    }
}
