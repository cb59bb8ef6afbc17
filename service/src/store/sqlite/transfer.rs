//! A database that is looked at, or that everything is copied from, or into.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use jiff::Timestamp;
use rusqlite::{Connection, params_from_iter};

use super::{connection, inspect, migration};
use crate::{
    domain::tenant::Tenant,
    store::{
        Error, Options,
        migration::{UNFINISHED, resumes},
        session::sqlite::value,
        transfer::{TABLES, Table, Value},
    },
};

/// How long it waits for another process that recovers the log.
const PATIENCE: Duration = Duration::from_secs(10);

/// A database, for one look or one copy.
#[derive(Debug)]
pub(in crate::store) struct Side {
    file: PathBuf,
    connection: Connection,
}

impl Side {
    /// Everything that is read is of this moment. Whether the file is a store is asked by [`Side::migration`].
    pub(in crate::store) fn look(file: &Path) -> Result<Self, Error> {
        if !file.exists() {
            return Err(Error::NoStore);
        }
        let connection = connection::reading(file)?;
        connection.busy_timeout(PATIENCE)?;
        connection.execute_batch("BEGIN; SELECT count(*) FROM sqlite_schema;")?;
        Ok(Self { file: file.to_owned(), connection })
    }

    /// The last migration that it has, and the last one that this program knows.
    pub(in crate::store) fn migration(&self) -> Result<(i64, i64), Error> {
        migration::state(&self.connection, &self.file)
    }

    /// What is wrong with its pages and indexes.
    pub(in crate::store) fn integrity(&self) -> Result<Vec<String>, Error> {
        inspect::integrity(&self.connection)
    }

    /// Records that refer to records which are not there: of which table to which, and how many.
    pub(in crate::store) fn foreign_keys(&self) -> Result<Vec<(String, String, u64)>, Error> {
        inspect::foreign_keys(&self.connection)
    }

    /// A file that is not there or has no rows, or the unfinished copy of a store with that identity.
    pub(in crate::store) fn target(file: &Path, options: &Options, of: &[u8]) -> Result<Self, Error> {
        let mut connection = connection::writing(file, options.patience)?;
        // Rows refer to rows behind them; all is checked at the end.
        connection.execute_batch("PRAGMA foreign_keys = OFF")?;
        if migration::has_migrations(&connection)? {
            if resumes(&migration::applied(&connection)?, of)? {
                return Ok(Self { file: file.to_owned(), connection });
            }
            for table in TABLES {
                if connection.prepare(&format!("SELECT 1 FROM {} LIMIT 1", table.name))?.exists(())? {
                    return Err(Error::NotEmpty(table.name));
                }
            }
        }
        migration::migrate(&mut connection, file, false)?;
        let now = Timestamp::now().as_microsecond();
        let sql = "INSERT INTO schema_migrations (number, name, checksum, applied_on) VALUES (?1, 'copy', ?2, ?3)";
        connection.execute(sql, (UNFINISHED, of, now))?;
        Ok(Self { file: file.to_owned(), connection })
    }

    pub(in crate::store) fn rows(&self, sql: &str, values: &[Value]) -> Result<Vec<Vec<Value>>, Error> {
        let mut statement = self.connection.prepare_cached(sql)?;
        let width = statement.column_count();
        let mut rows = statement.query(params_from_iter(values))?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            found.push((0..width).map(|column| value(row.get_ref(column)?)).collect::<Result<_, _>>()?);
        }
        Ok(found)
    }

    pub(in crate::store) fn columns(&self, table: &str) -> Result<Vec<String>, Error> {
        let mut statement = self.connection.prepare("SELECT name FROM pragma_table_info(?1) ORDER BY cid")?;
        Ok(statement.query_map([table], |row| row.get(0))?.collect::<Result<_, _>>()?)
    }

    pub(in crate::store) fn put_tenants(&self, tenants: &[Tenant]) -> Result<(), Error> {
        let sql = "INSERT INTO tenants (id, name) VALUES (?1, ?2) ON CONFLICT (id) DO UPDATE SET name = excluded.name";
        for tenant in tenants {
            self.connection.execute(sql, (tenant.id.0, &tenant.name))?;
        }
        Ok(())
    }

    pub(in crate::store) fn insert(
        &mut self,
        table: &Table,
        columns: &[String],
        rows: Vec<Vec<Value>>,
    ) -> Result<(), Error> {
        let marks: Vec<_> = (1..=columns.len()).map(|number| format!("?{number}")).collect();
        let sql = format!("INSERT INTO {} ({}) VALUES ({})", table.name, columns.join(", "), marks.join(", "));
        let transaction = self.connection.transaction()?;
        {
            let mut statement = transaction.prepare_cached(&sql)?;
            for row in rows {
                statement.execute(params_from_iter(&row))?;
            }
        }
        Ok(transaction.commit()?)
    }

    /// Lets others use it, if all that rows refer to is there.
    pub(in crate::store) fn end(&self) -> Result<(), Error> {
        if let Some((from, to, count)) = inspect::foreign_keys(&self.connection)?.first() {
            let text = format!("{count} records of {from} refer to records of {to} that are not there");
            return Err(Error::Damaged(format!("the copy cannot be used: {text}")));
        }
        self.connection.execute("DELETE FROM schema_migrations WHERE number = ?1", [UNFINISHED])?;
        // So that it is one file, also after it has been looked at.
        Ok(self.connection.pragma_update(None, "journal_mode", "DELETE")?)
    }
}
