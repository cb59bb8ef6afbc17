//! Copies a whole store into another one, on either database.

mod sum;

use super::{
    Error, KnownBlob, Location, Options,
    direct::Direct,
    migration::{self, UNFINISHED, resumes},
    session::Session,
    snapshot,
    statement::Statement,
    table::{TABLES, Table, columns},
    value::{Row, Value, values},
};
use crate::domain::tenant::{Tenant, TenantId};
use sum::Sum;

/// Receives the progress of a copy.
pub trait Progress {
    /// Called when the step `what` begins.
    fn begin(&self, what: &str);
    /// Called with the number of further rows that are done.
    fn rows(&self, rows: usize);
}

/// Ignores the progress.
impl Progress for () {
    fn begin(&self, _: &str) {}
    fn rows(&self, _: usize) {}
}

/// Fails if there is a store already. A part of a copy does not count.
pub async fn ensure_free(location: &Location, options: &Options) -> Result<(), Error> {
    if let Location::Sqlite(file) = location {
        return if file.exists() { Err(Error::NotEmpty("schema_migrations")) } else { Ok(()) };
    }
    let session = Direct::reading(location, options)?.look().await?;
    match migration::done(&session).await?.as_deref() {
        None | Some([.., (UNFINISHED, _)]) => Ok(()),
        Some(_) => ensure_empty(&session).await,
    }
}

/// A copy in progress. Until it is finished, the new store cannot be used.
pub struct Transfer {
    from: Direct,
    /// The source, read in one snapshot.
    source: Session,
    to: Direct,
    tenants: Vec<Tenant>,
    tables: Vec<(&'static Table, Vec<String>)>,
}

/// A table that was compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copied {
    /// Its name.
    pub table: &'static str,
    /// The number of rows.
    pub rows: u64,
    /// The SHA-256 of the rows, in hexadecimal.
    pub sha256: String,
}

impl Transfer {
    /// Begins a copy, or continues one that was interrupted. The source must not be in use and is not
    /// changed. The target must be empty, or have a part of a copy of the same source. Of the options, the
    /// owner and the patience are used.
    pub async fn open(from: (&Location, &Options), to: (&Location, &Options)) -> Result<Self, Error> {
        let from = Direct::reading(from.0, from.1)?;
        let source = from.look().await?;
        migration::ensure_current(&from, &source).await?;
        snapshot::ensure_whole(&source).await?;
        let identity = identity(&source).await?;
        let target = Direct::writing(to.0, to.1)?;
        prepare(&target, to.1, &identity).await?;
        let written = target.look().await?;
        let mut tables = Vec::with_capacity(TABLES.len());
        for table in &*TABLES {
            tables.push((table, common(table, &source, &written).await?));
        }
        Ok(Self { tenants: tenants(&source).await?, from, source, to: target, tables })
    }

    /// All blobs with a content of the source, without duplicates.
    pub async fn blobs(&self) -> Result<Vec<KnownBlob>, Error> {
        snapshot::blobs(&self.source).await
    }

    /// Copies all rows that are missing in the target.
    pub async fn copy(&self, progress: &dyn Progress) -> Result<(), Error> {
        let sql = "INSERT INTO tenants (id, name) VALUES ($1, $2) ON CONFLICT (id) DO UPDATE SET name = excluded.name";
        let tenant = |tenant: &Tenant| Statement::new(sql, values![tenant.id.0, &tenant.name]);
        self.write(self.tenants.iter().map(tenant).collect()).await?;
        for tenant in &self.tenants {
            for (table, columns) in &self.tables {
                progress.begin(table.name);
                self.copy_table(table, columns, tenant.id.0, progress).await?;
            }
        }
        Ok(())
    }

    async fn copy_table(
        &self,
        table: &Table,
        columns: &[String],
        tenant: i32,
        progress: &dyn Progress,
    ) -> Result<(), Error> {
        let written = self.to.look().await?;
        let last = written.rows(table.last(tenant)).await?.pop();
        written.undo().await;
        // A row of the same table may come later: it is referred to once all rows are copied.
        let parent = columns.iter().position(|name| Some(name.as_str()) == table.parent);
        let mut walk = table.walk(&self.source, columns, tenant, last.map(|row| row.0));
        while let Some(rows) = walk.next().await? {
            let count = rows.len();
            let copied = rows.into_iter().map(|Row(mut row)| {
                if let Some(parent) = parent {
                    row[parent] = Value::Null;
                }
                row
            });
            self.write(Statement::insert(written.dialect(), table.name, columns, copied, "")).await?;
            progress.rows(count);
        }
        match table.parent {
            Some(parent) => self.put_parents(table, parent, tenant).await,
            None => Ok(()),
        }
    }

    /// Sets the references between rows of a table.
    async fn put_parents(&self, table: &Table, parent: &str, tenant: i32) -> Result<(), Error> {
        let columns: Vec<String> = table.key.iter().chain([&parent]).map(|name| (*name).to_owned()).collect();
        let same: Vec<_> = (3..).zip(&table.key).map(|(at, column)| format!("{column} = ${at}")).collect();
        let sql = format!("UPDATE {} SET {parent} = $1 WHERE tenant_id = $2 AND {}", table.name, same.join(" AND "));
        let mut walk = table.walk(&self.source, &columns, tenant, None);
        while let Some(rows) = walk.next().await? {
            let linked = rows.into_iter().map(|row| row.0).filter(|row| row.last() != Some(&Value::Null));
            let put = linked.map(|mut row| {
                let parent = row.pop().unwrap_or_default();
                Statement::new(sql.clone(), [vec![parent, tenant.into()], row].concat())
            });
            self.write(put.collect()).await?;
        }
        Ok(())
    }

    /// Runs statements in a separate transaction.
    async fn write(&self, statements: Vec<Statement>) -> Result<(), Error> {
        self.to.write(async |session| session.all(statements).await.map(drop)).await
    }

    /// Compares both stores, as they were when the source was opened.
    async fn compare(&self, progress: &dyn Progress) -> Result<Vec<Copied>, Error> {
        let written = self.to.look().await?;
        if tenants(&written).await? != self.tenants {
            return Err(Error::Damaged("the copy has other tenants: empty the new store and start again".into()));
        }
        let mut copied = Vec::with_capacity(self.tables.len());
        for &(table, ref columns) in &self.tables {
            progress.begin(table.name);
            let (rows, sha256) = self.sum(&self.source, table, columns, progress).await?;
            let (found, sha256_found) = self.sum(&written, table, columns, progress).await?;
            if (rows, &sha256) != (found, &sha256_found) {
                let table = table.name;
                let text =
                    format!("the copy of `{table}` has {found} rows ({sha256_found}) instead of {rows} ({sha256})");
                return Err(Error::Damaged(format!("{text}: empty the new store and start again")));
            }
            copied.push(Copied { table: table.name, rows, sha256 });
        }
        Ok(copied)
    }

    /// The number and the checksum of the rows of all tenants.
    async fn sum(
        &self,
        session: &Session,
        table: &Table,
        columns: &[String],
        progress: &dyn Progress,
    ) -> Result<(u64, String), Error> {
        let mut sum = Sum::new(&columns.join("\n"));
        for tenant in &self.tenants {
            let mut walk = table.walk(session, columns, tenant.id.0, None);
            while let Some(rows) = walk.next().await? {
                for row in &rows {
                    sum.add(&row.0);
                }
                progress.rows(rows.len());
            }
        }
        Ok(sum.end())
    }

    /// Compares both stores and makes the copy usable. Fails if they differ, for instance because of writes since the copy began.
    pub async fn finish(mut self, progress: &dyn Progress) -> Result<Vec<Copied>, Error> {
        self.source = self.from.look().await?;
        let copied = self.compare(progress).await?;
        // Every write of a record adds a change or takes a number.
        let sql =
            "SELECT (SELECT count(*) FROM audit_log), (SELECT CAST(coalesce(sum(next), 0) AS bigint) FROM sequences),
                       (SELECT count(*) FROM contents)";
        let now = self.from.look().await?.rows(sql).await?;
        if self.source.rows(sql).await? != now {
            let text = "the store was written to while it was copied: stop every process that serves it, empty the new store \
                        and start again";
            return Err(Error::Damaged(text.into()));
        }
        self.end().await?;
        Ok(copied)
    }

    /// Like [`Self::finish`], for a source that remains in use: the copy has the state at its beginning.
    pub async fn finish_in_use(self, progress: &dyn Progress) -> Result<(), Error> {
        self.compare(progress).await?;
        self.end().await
    }

    async fn end(&self) -> Result<(), Error> {
        let mut last = Vec::new();
        if let Direct::Postgres { .. } = self.to {
            // Later numbers continue after the copied ones.
            let sql = "INSERT INTO sequences AS s (tenant_id, name, next)
                       SELECT tenant_id, 'audit_log', max(sequence) + 1 FROM audit_log GROUP BY tenant_id
                       ON CONFLICT (tenant_id, name) DO UPDATE SET next = greatest(s.next, excluded.next)";
            last.push(sql.into());
        }
        last.push(Statement::new("DELETE FROM schema_migrations WHERE number = $1", values![UNFINISHED]));
        self.write(last).await?;
        self.to.close()
    }
}

/// Creates the tables of a store that will be the copy of the store with the identity, unless a part of that
/// copy exists.
async fn prepare(target: &Direct, options: &Options, identity: &[u8]) -> Result<(), Error> {
    let session = target.look().await?;
    if let Some(done) = migration::done(&session).await? {
        if resumes(&done, identity)? {
            return Ok(());
        }
        ensure_empty(&session).await?;
    }
    session.undo().await;
    let options = Options { migrates: false, ..options.clone() };
    migration::migrate(target, &options).await?;
    let note = migration::note(UNFINISHED, "copy", identity.to_vec());
    target.write(async |session| session.rows(note).await.map(drop)).await
}

/// The columns of a table, which are the same in both stores. PostgreSQL numbers the entries of the audit log once more, in the
/// order of their sequence.
async fn common(table: &Table, here: &Session, there: &Session) -> Result<Vec<String>, Error> {
    let [mut here, mut there] = [columns(here, table.name).await?, columns(there, table.name).await?];
    for columns in [&mut here, &mut there] {
        columns.retain(|column| (table.name, column.as_str()) != ("audit_log", "entry"));
    }
    let one_sided = here.iter().find(|name| !there.contains(name)).or(there.iter().find(|name| !here.contains(name)));
    match one_sided {
        Some(name) => Err(Error::Damaged(format!("one of the stores alone has the column `{}.{name}`", table.name))),
        None => Ok(here),
    }
}

async fn ensure_empty(session: &Session) -> Result<(), Error> {
    for table in &*TABLES {
        if !session.rows(format!("SELECT 1 FROM {} LIMIT 1", table.name)).await?.is_empty() {
            return Err(Error::NotEmpty(table.name));
        }
    }
    Ok(())
}

/// The unique identity of a store.
async fn identity(session: &Session) -> Result<Vec<u8>, Error> {
    let sql = "SELECT number, checksum, applied_on FROM schema_migrations ORDER BY number";
    let mut sum = Sum::new("");
    for row in session.rows(sql).await? {
        sum.add(&row.0);
    }
    Ok(sum.end().1.into_bytes())
}

/// Every tenant.
pub(super) async fn tenants(session: &Session) -> Result<Vec<Tenant>, Error> {
    let rows = session.rows("SELECT id, name FROM tenants ORDER BY id").await?;
    rows.iter().map(|row| Ok(Tenant { id: TenantId(row.get(0)?), name: row.get(1)? })).collect()
}

#[cfg(test)]
mod tests;
