//! A database that is looked at, or that everything is copied from, or into.

use std::fmt;

use deadpool_postgres::Pool;
use jiff::Timestamp;
use serde_json::{Map, json};
use tokio_postgres::Row;

use super::{
    BEGIN_READ, connection, migration,
    session::{Bounds, Query, Session, parameters},
    value::value,
};
use crate::{
    domain::tenant::Tenant,
    store::{
        Error, Options,
        migration::{UNFINISHED, resumes},
        transfer::{TABLES, Table, Value, hexadecimal},
    },
};

/// A role to which the server does not show every row is refused, in place of a copy that lacks some.
const WHOLE: &str = "SET LOCAL row_security = off";

/// A database, for one look or one copy.
pub(in crate::store) struct Side {
    pool: Pool,
    /// What is read of a store to be copied, all of one moment.
    snapshot: Option<Session>,
}

/// Connections of the role that owns the tables, which is shown every row.
fn pool(url: &str, options: &Options) -> Result<Pool, Error> {
    connection::pool(options.owner.as_deref().unwrap_or(url), 2, options.patience)
}

impl Side {
    /// Everything that is read is of this moment. Whether there is a store is asked by [`Side::migration`].
    pub(in crate::store) async fn look(url: &str, options: &Options) -> Result<Self, Error> {
        let mut side = Self { pool: pool(url, options)?, snapshot: None };
        side.look_again().await?;
        Ok(side)
    }

    /// The last migration that it has, and the last one that this program knows.
    pub(in crate::store) async fn migration(&self) -> Result<(i64, i64), Error> {
        let state = migration::state(&self.pool).await?;
        // Of a store that lacks tables, the error is that of its migration.
        let sql = "SELECT coalesce(bool_or(row_security_active(oid)), false) FROM pg_class WHERE oid = to_regclass('accounts')";
        match self.rows(sql, &[]).await?.pop().and_then(|mut row| row.pop()) {
            Some(Value::Integer(0)) => Ok(state),
            _ => Err(Error::Fenced),
        }
    }

    /// Everything that is read from now on is of this moment.
    pub(in crate::store) async fn look_again(&mut self) -> Result<(), Error> {
        let begin = format!("{BEGIN_READ}; {WHOLE}");
        self.snapshot = Some(Session::open(&self.pool, begin, Bounds::NONE).await?);
        Ok(())
    }

    /// A schema that has no rows, or the unfinished copy of a store with that identity.
    pub(in crate::store) async fn target(url: &str, options: &Options, of: &[u8]) -> Result<Self, Error> {
        let side = Self { pool: pool(url, options)?, snapshot: None };
        if let Some(done) = migration::done(&side.pool).await? {
            if resumes(&done, of)? {
                return Ok(side);
            }
            side.ensure_empty().await?;
        }
        let role = connection::role(url)?.filter(|_| options.owner.is_some());
        let options = Options { migrates: false, ..options.clone() };
        migration::migrate(&side.pool, &options, role.as_deref()).await?;
        let sql = "INSERT INTO schema_migrations (number, name, checksum, applied_on) VALUES ($1, 'copy', $2, $3)";
        let now = Timestamp::now().as_microsecond();
        side.write(vec![Query::new(sql, vec![UNFINISHED.into(), Value::Bytes(of.to_vec()), now.into()])]).await?;
        Ok(side)
    }

    /// Fails when a store is there already; the part of a copy is none.
    pub(in crate::store) async fn ensure_free(url: &str, options: &Options) -> Result<(), Error> {
        let side = Self { pool: pool(url, options)?, snapshot: None };
        match migration::done(&side.pool).await?.as_deref() {
            None | Some([.., (UNFINISHED, _)]) => Ok(()),
            Some(_) => side.ensure_empty().await,
        }
    }

    async fn ensure_empty(&self) -> Result<(), Error> {
        for table in TABLES {
            let sql = format!("SELECT 1 FROM {} LIMIT 1", table.name);
            if !self.ask(Query::new(sql, [])).await?.is_empty() {
                return Err(Error::NotEmpty(table.name));
            }
        }
        Ok(())
    }

    pub(in crate::store) async fn rows(&self, sql: &str, values: &[Value]) -> Result<Vec<Vec<Value>>, Error> {
        let rows = self.ask(Query::new(sql.to_owned(), values)).await?;
        rows.iter().map(|row| (0..row.len()).map(|column| value(row, column)).collect()).collect()
    }

    pub(in crate::store) async fn columns(&self, table: &str) -> Result<Vec<String>, Error> {
        let sql = "SELECT column_name::text FROM information_schema.columns
                   WHERE table_schema = current_schema() AND table_name = $1 ORDER BY ordinal_position";
        let rows = self.ask(Query::new(sql, parameters![table])).await?;
        rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
    }

    pub(in crate::store) async fn put_tenants(&self, tenants: &[Tenant]) -> Result<(), Error> {
        let sql = "INSERT INTO tenants (id, name) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET name = excluded.name";
        self.write(tenants.iter().map(|tenant| Query::new(sql, parameters![tenant.id.0, &tenant.name])).collect()).await
    }

    pub(in crate::store) async fn insert(
        &self,
        table: &Table,
        columns: &[String],
        rows: Vec<Vec<Value>>,
    ) -> Result<(), Error> {
        let (name, names) = (table.name, columns.join(", "));
        let sql = format!("INSERT INTO {name} ({names}) SELECT {names} FROM json_populate_recordset(NULL::{name}, $1)");
        self.write(vec![Query::new(sql, parameters![records(columns, rows)])]).await
    }

    /// Writes one column of rows that are there.
    pub(in crate::store) async fn put_parents(
        &self,
        table: &Table,
        parent: &str,
        columns: &[String],
        rows: Vec<Vec<Value>>,
    ) -> Result<(), Error> {
        let name = table.name;
        let same: Vec<_> = table.key.iter().map(|column| format!("t.{column} = n.{column}")).collect();
        let sql = format!(
            "UPDATE {name} AS t SET {parent} = n.{parent} FROM json_populate_recordset(NULL::{name}, $1) AS n
             WHERE t.tenant_id = n.tenant_id AND {}",
            same.join(" AND ")
        );
        self.write(vec![Query::new(sql, parameters![records(columns, rows)])]).await
    }

    /// Whether no record has been written since the last look: that notes a change, or takes a number.
    pub(in crate::store) async fn is_unchanged(&self) -> Result<bool, Error> {
        let sql = "SELECT coalesce((SELECT max(entry) FROM audit_log), 0), coalesce((SELECT sum(next) FROM sequences), 0)::bigint,
                   (SELECT count(*) FROM contents)";
        let then = self.rows(sql, &[]).await?;
        let now = Self { pool: self.pool.clone(), snapshot: None }.rows(sql, &[]).await?;
        Ok(then == now)
    }

    /// Lets others use it. What they write comes behind what was copied.
    pub(in crate::store) async fn end(&self, tenants: &[Tenant]) -> Result<(), Error> {
        let sql = "INSERT INTO sequences AS s (tenant_id, name, next)
                   SELECT $1::integer, 'audit_log', max(sequence) + 1 FROM audit_log WHERE tenant_id = $1
                   HAVING max(sequence) IS NOT NULL
                   ON CONFLICT (tenant_id, name) DO UPDATE SET next = greatest(s.next, excluded.next)";
        let mut last: Vec<_> = tenants.iter().map(|tenant| Query::new(sql, parameters![tenant.id.0])).collect();
        let sql = "SELECT setval(pg_get_serial_sequence('audit_log', 'entry'), max(entry)) FROM audit_log
                   HAVING max(entry) IS NOT NULL";
        last.push(Query::new(sql, []));
        last.push(Query::new("DELETE FROM schema_migrations WHERE number = $1", parameters![UNFINISHED]));
        self.write(last).await
    }

    pub(super) fn pool(&self) -> &Pool {
        &self.pool
    }

    /// Runs a statement in a transaction of its own.
    pub(super) async fn apart(&self, query: Query) -> Result<Vec<Row>, Error> {
        Self { pool: self.pool.clone(), snapshot: None }.ask(query).await
    }

    async fn ask(&self, query: Query) -> Result<Vec<Row>, Error> {
        if let Some(snapshot) = &self.snapshot {
            return snapshot.rows(query).await;
        }
        let session = Session::open(&self.pool, format!("BEGIN; {WHOLE}"), Bounds::NONE).await?;
        let rows = session.rows(query).await;
        session.leave();
        rows
    }

    /// Runs statements in a transaction of their own.
    async fn write(&self, queries: Vec<Query>) -> Result<(), Error> {
        let session = Session::open(&self.pool, format!("BEGIN; {WHOLE}"), Bounds::NONE).await?;
        let result = session.finish(&queries).await;
        session.undo().await;
        result.map(drop)
    }
}

impl fmt::Debug for Side {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Side").finish_non_exhaustive()
    }
}

/// The rows of a table with these columns. Changes that have no number yet have the one that they are given next.
pub(in crate::store) fn rows_of(table: &Table, columns: &[String]) -> String {
    if table.name != "audit_log" || !columns.iter().any(|column| column == "sequence") {
        return table.name.to_owned();
    }
    let number = "coalesce((SELECT next FROM sequences WHERE tenant_id = $1 AND name = 'audit_log'), 1) - 1
                  + row_number() OVER (ORDER BY entry) AS sequence";
    let numbered: Vec<_> =
        columns.iter().map(|column| if column == "sequence" { number } else { column.as_str() }).collect();
    let (columns, numbered) = (columns.join(", "), numbered.join(", "));
    format!(
        "(SELECT {columns} FROM audit_log WHERE tenant_id = $1 AND sequence IS NOT NULL
          UNION ALL SELECT {numbered} FROM audit_log WHERE tenant_id = $1 AND sequence IS NULL) AS audit_log"
    )
}

/// Rows as JSON, which PostgreSQL reads as the types of the columns.
fn records(columns: &[String], rows: Vec<Vec<Value>>) -> String {
    let record =
        |row: Vec<Value>| columns.iter().cloned().zip(row.into_iter().map(plain)).collect::<Map<_, _>>().into();
    serde_json::Value::Array(rows.into_iter().map(record).collect()).to_string()
}

fn plain(value: Value) -> serde_json::Value {
    match value {
        Value::Null => serde_json::Value::Null,
        Value::Integer(number) => json!(number),
        Value::Real(number) => json!(number),
        Value::Text(text) => json!(text),
        Value::Bytes(bytes) => json!(format!("\\x{}", hexadecimal(&bytes))),
    }
}
