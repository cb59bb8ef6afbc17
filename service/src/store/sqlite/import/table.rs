//! A table that an import writes to.

use rusqlite::{Statement, ffi};

use crate::store::{
    Error,
    record::{Derived, Resource, Value},
    sql::text,
    sqlite::change::Change,
};

/// A table and the statements that write to it.
pub(super) struct Table<'a> {
    tenant: i32,
    put: Statement<'a>,
    remove: Option<Statement<'a>>,
    /// How many records there were before.
    pub(super) before: u64,
    /// How many have been written.
    pub(super) written: u64,
}

impl<'a> Table<'a> {
    pub(super) fn open(change: &Change<'a>, resource: &'static Resource) -> Result<Self, Error> {
        let connection = change.connection();
        let before = count(change, resource)?;
        // Where nothing is, nothing has to be removed.
        let remove = if resource.above > 0 && before > 0 { Some(connection.prepare(&remove(resource))?) } else { None };
        Ok(Self { tenant: change.tenant(), put: connection.prepare(&put(resource))?, remove, before, written: 0 })
    }

    /// Writes a record in the place of the one with its key; the inner error is the rule of the table that forbids it.
    pub(super) fn write(&mut self, values: &[Value]) -> Result<Result<(), i32>, Error> {
        self.put.raw_bind_parameter(1, self.tenant)?;
        for (position, value) in (2..).zip(values) {
            self.put.raw_bind_parameter(position, value)?;
        }
        let result = allowed(self.put.raw_execute())?;
        self.written += u64::from(result.is_ok());
        Ok(result)
    }

    /// Removes what stands below the record with the key `above`, except for those with these keys of their own.
    pub(super) fn remove_others<'v>(
        &mut self,
        above: &[Value],
        keys: impl Iterator<Item = &'v Value>,
    ) -> Result<Result<(), i32>, Error> {
        let Some(statement) = &mut self.remove else { return Ok(Ok(())) };
        let numbers = keys.filter_map(|key| match key {
            Value::Integer(number) => Some(*number),
            _ => None,
        });
        let kept = text::write(&numbers.collect::<Vec<_>>())?;
        statement.raw_bind_parameter(1, self.tenant)?;
        statement.raw_bind_parameter(2, kept)?;
        for (position, value) in (3..).zip(above) {
            statement.raw_bind_parameter(position, value)?;
        }
        allowed(statement.raw_execute())
    }
}

/// How many records of the tenant there are.
pub(super) fn count(change: &Change<'_>, resource: &Resource) -> Result<u64, Error> {
    let sql = format!("SELECT count(*) FROM {} WHERE tenant_id = ?1", resource.table);
    let count: i64 = change.connection().prepare_cached(&sql)?.query_row([change.tenant()], |row| row.get(0))?;
    Ok(count.cast_unsigned())
}

/// Tells what the rules of the table forbid from failures.
fn allowed(result: rusqlite::Result<usize>) -> Result<Result<(), i32>, Error> {
    match result {
        Ok(_) => Ok(Ok(())),
        Err(rusqlite::Error::SqliteFailure(error, _)) if error.code == rusqlite::ErrorCode::ConstraintViolation => {
            match error.extended_code {
                ffi::SQLITE_CONSTRAINT_FOREIGNKEY | ffi::SQLITE_CONSTRAINT_UNIQUE => Ok(Err(error.extended_code)),
                _ => Err(rusqlite::Error::SqliteFailure(error, None).into()),
            }
        }
        Err(error) => Err(error.into()),
    }
}

/// Parameter 1 is the tenant; the members follow.
fn put(resource: &Resource) -> String {
    let mut columns: Vec<(String, String)> = vec![("tenant_id".into(), "?1".into())];
    for (position, member) in (2..).zip(resource.members) {
        columns.push((member.column.into(), format!("?{position}")));
        if member.is_folded {
            columns.push((format!("{}_folded", member.column), format!("fold(?{position})")));
        }
    }
    let parameter = |name: &str| {
        let position = resource.members.iter().position(|member| member.name == name);
        position.map_or_else(|| "NULL".to_owned(), |position| format!("?{}", position + 2))
    };
    let whole =
        format!("trim(coalesce({}, '') || ' ' || coalesce({}, ''))", parameter("FirstName"), parameter("LastName"));
    match resource.derived {
        Derived::Nothing => {}
        Derived::FoldedName => columns.push(("name_folded".into(), format!("fold({whole})"))),
        Derived::Name => {
            let name = format!("coalesce({}, {whole})", parameter("Name"));
            for (column, value) in &mut columns {
                match column.as_str() {
                    "name" => value.clone_from(&name),
                    "name_folded" => *value = format!("fold({name})"),
                    _ => {}
                }
            }
        }
    }

    let mut key = vec!["tenant_id"];
    let has_keys = resource.members.iter().any(|member| member.is_key);
    if !has_keys {
        key.extend(resource.above().iter().map(|member| member.column));
    }
    key.extend(resource.keys().map(|(_, member)| member.column));
    let set: Vec<_> = columns
        .iter()
        .filter(|(column, _)| !key.contains(&column.as_str()))
        .map(|(column, _)| format!("{column} = excluded.{column}"))
        .collect();
    let (names, values): (Vec<_>, Vec<_>) = columns.into_iter().unzip();
    let action = if set.is_empty() { "NOTHING".to_owned() } else { format!("UPDATE SET {}", set.join(", ")) };
    format!(
        "INSERT INTO {} ({}) VALUES ({}) ON CONFLICT ({}) DO {action}",
        resource.table,
        names.join(", "),
        values.join(", "),
        key.join(", "),
    )
}

/// Parameter 1 is the tenant, 2 the list of keys that stay; the key of the record above follows.
fn remove(resource: &Resource) -> String {
    let mut conditions = vec!["tenant_id = ?1".to_owned()];
    conditions.extend((3..).zip(resource.above()).map(|(at, member)| format!("{} = ?{at}", member.column)));
    let own = resource.members[resource.above].column;
    conditions.push(format!("{own} NOT IN (SELECT value FROM json_each(?2))"));
    format!("DELETE FROM {} WHERE {}", resource.table, conditions.join(" AND "))
}
