//! A transaction on SQLite.

use std::sync::Arc;

use parking_lot::Mutex;
use rusqlite::{
    CachedStatement, Connection, ToSql,
    types::{ToSqlOutput, ValueRef},
};

use crate::store::{
    Error,
    statement::Statement,
    value::{Row, Value},
};

/// A connection that one thread uses at a time.
pub(in crate::store) type SharedConnection = Arc<Mutex<Connection>>;

/// The open transaction of a connection.
#[derive(Clone)]
pub(in crate::store) struct Session {
    connection: SharedConnection,
    /// The maximum size of the rows of one statement.
    bytes: usize,
}

impl Session {
    pub(in crate::store) fn new(connection: &SharedConnection, bytes: usize) -> Self {
        Self { connection: Arc::clone(connection), bytes }
    }

    pub(in crate::store) fn batch(&self, sql: &str) -> Result<(), Error> {
        Ok(self.connection.lock().execute_batch(sql)?)
    }

    pub(in crate::store) fn all(&self, statements: &[Statement]) -> Result<Vec<Vec<Row>>, Error> {
        let connection = self.connection.lock();
        let mut answers = Vec::with_capacity(statements.len());
        // Rows are inserted by many statements with the same text.
        for same in statements.chunk_by(|one, next| one.sql == next.sql) {
            let mut prepared = connection.prepare_cached(&same[0].sql.replace('$', "?"))?;
            for statement in same {
                answers.push(self.rows(&mut prepared, &statement.values)?);
            }
        }
        Ok(answers)
    }

    fn rows(&self, prepared: &mut CachedStatement<'_>, values: &[Value]) -> Result<Vec<Row>, Error> {
        for (position, value) in (1..).zip(values) {
            prepared.raw_bind_parameter(position, value)?;
        }
        let columns = prepared.column_count();
        let (mut found, mut bytes) = (Vec::new(), 0);
        let mut rows = prepared.raw_query();
        while let Some(row) = rows.next()? {
            let mut values = Vec::with_capacity(columns);
            for column in 0..columns {
                values.push(value(row.get_ref(column)?)?);
            }
            bytes += values.iter().map(Value::len).sum::<usize>();
            if bytes > self.bytes {
                return Err(Error::TooLarge);
            }
            found.push(Row(values));
        }
        Ok(found)
    }
}

/// A value on its own.
pub(in crate::store) fn value(value: ValueRef<'_>) -> Result<Value, Error> {
    Ok(match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => Value::Integer(number),
        ValueRef::Real(number) => Value::Real(number),
        ValueRef::Text(text) => match std::str::from_utf8(text) {
            Ok(text) => Value::Text(text.to_owned()),
            Err(_) => return Err(Error::Damaged("the store holds text that is not UTF-8".into())),
        },
        ValueRef::Blob(bytes) => Value::Bytes(bytes.to_vec()),
    })
}

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Self::Null => ToSqlOutput::from(rusqlite::types::Null),
            Self::Integer(number) => ToSqlOutput::from(*number),
            Self::Real(number) => ToSqlOutput::from(*number),
            Self::Text(text) => ToSqlOutput::from(text.as_str()),
            Self::Bytes(bytes) => ToSqlOutput::from(bytes.as_slice()),
        })
    }
}
