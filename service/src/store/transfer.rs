//! Copies everything that is stored into another store, whatever the databases of the two are.

mod plan;
mod side;
mod table;

use crate::domain::tenant::Tenant;

pub(super) use super::value::Value;
use super::{Error, Location, Options, postgres};
use plan::Plan;
pub(super) use plan::hexadecimal;
pub(super) use side::Side;
pub(super) use table::{TABLES, Table};

/// So many rows are read and written at once.
const BATCH: usize = 1000;

/// Hears how far a copy is.
pub trait Progress {
    /// A step begins; `what` says which.
    fn begin(&self, what: &str);
    /// So many more rows are done.
    fn rows(&self, rows: usize);
}

/// Who does not want to hear.
impl Progress for () {
    fn begin(&self, _: &str) {}
    fn rows(&self, _: usize) {}
}

/// Fails when a store is there already; the part of a copy is none.
pub async fn ensure_free(location: &Location, options: &Options) -> Result<(), Error> {
    match location {
        Location::Sqlite(file) if file.exists() => Err(Error::NotEmpty("schema_migrations")),
        Location::Sqlite(_) => Ok(()),
        Location::Postgres(url) => postgres::transfer::Side::ensure_free(url, options).await,
    }
}

/// A copy that is being made. Until it is finished, nobody can use the store that it makes.
#[derive(Debug)]
pub struct Transfer {
    from: Side,
    to: Side,
    tenants: Vec<Tenant>,
    plans: Vec<Plan>,
}

/// A blob that the store to be copied knows.
#[derive(Clone, Debug)]
pub struct KnownBlob {
    /// Its name.
    pub name: String,
    /// How many bytes it has.
    pub size: u64,
    /// Whether a record refers to it.
    pub is_used: bool,
}

/// A table that is in both stores, the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copied {
    /// Its name.
    pub table: &'static str,
    /// How many rows it has.
    pub rows: u64,
    /// The SHA-256 of them, in hexadecimal.
    pub sha256: String,
}

impl Transfer {
    /// Begins a copy, or goes on with one that was cut off. What is to be copied must not be in use, and stays as it is; the
    /// other store must have nothing, or a part of a copy of the same one. Of the options, the owner and the patience count.
    pub async fn open(from: (&Location, &Options), to: (&Location, &Options)) -> Result<Self, Error> {
        let from = Side::source(from.0, from.1).await?;
        let to = Side::target(to.0, to.1, &from.identity().await?).await?;
        let mut plans = Vec::with_capacity(TABLES.len());
        for table in TABLES {
            let (here, there) = (from.columns(table.name).await?, to.columns(table.name).await?);
            plans.push(Plan::new(table, &here, &there, to.checks_at_once())?);
        }
        Ok(Self { tenants: from.tenants().await?, from, to, plans })
    }

    /// Every blob that holds a content of the store to be copied, once.
    pub async fn blobs(&self) -> Result<Vec<KnownBlob>, Error> {
        self.from.blobs(&self.tenants).await
    }

    /// Copies every row that is not there yet.
    pub async fn copy(&mut self, progress: &dyn Progress) -> Result<(), Error> {
        self.to.put_tenants(&self.tenants).await?;
        for tenant in &self.tenants {
            for plan in &self.plans {
                progress.begin(plan.table.name);
                let mut after = self.to.last(plan.table, tenant.id.0).await?;
                loop {
                    let rows = self.from.page(plan.table, &plan.read, tenant.id.0, after.as_deref(), BATCH).await?;
                    let Some(last) = rows.last() else { break };
                    after = Some(plan.key(last));
                    let count = rows.len();
                    let rows = rows.iter().map(|row| plan.row(row)).collect();
                    self.to.insert(plan.table, &plan.written, rows).await?;
                    progress.rows(count);
                }
                if let Some(parent) = plan.later {
                    self.put_parents(plan, parent, tenant.id.0).await?;
                }
            }
        }
        Ok(())
    }

    /// Has the rows of a table refer to each other, once all of them are there.
    async fn put_parents(&self, plan: &Plan, parent: &str, tenant: i32) -> Result<(), Error> {
        let columns: Vec<_> =
            ["tenant_id"].iter().chain(plan.table.key).chain([&parent]).map(|name| (*name).to_owned()).collect();
        let mut after: Option<Vec<Value>> = None;
        loop {
            let mut rows = self.from.page(plan.table, &columns, tenant, after.as_deref(), BATCH).await?;
            let Some(last) = rows.last() else { return Ok(()) };
            after = Some(last[1..=plan.table.key.len()].to_vec());
            rows.retain(|row| row.last() != Some(&Value::Null));
            self.to.put_parents(plan.table, parent, &columns, rows).await?;
        }
    }

    /// Reads both stores, and fails where they are not the same, such as for what was written since the copy began.
    pub async fn verify(&mut self, progress: &dyn Progress) -> Result<Vec<Copied>, Error> {
        self.from.look_again().await?;
        self.compare(progress).await
    }

    /// Reads both stores as they were when the copy began, and fails where they are not the same.
    pub async fn compare(&self, progress: &dyn Progress) -> Result<Vec<Copied>, Error> {
        if self.to.tenants().await? != self.tenants {
            return Err(Error::Damaged("the copy has other tenants: empty the new store and begin anew".into()));
        }
        let mut copied = Vec::with_capacity(self.plans.len());
        for plan in &self.plans {
            progress.begin(plan.table.name);
            let (rows, sha256) = self.sum(&self.from, plan, progress).await?;
            let (found, sha256_found) = self.sum(&self.to, plan, progress).await?;
            if (rows, &sha256) != (found, &sha256_found) {
                let table = plan.table.name;
                let text =
                    format!("the copy of `{table}` has {found} rows ({sha256_found}) instead of {rows} ({sha256})");
                return Err(Error::Damaged(format!("{text}: empty the new store and begin anew")));
            }
            copied.push(Copied { table: plan.table.name, rows, sha256 });
        }
        Ok(copied)
    }

    /// The number of rows of all tenants, and their checksum.
    async fn sum(&self, side: &Side, plan: &Plan, progress: &dyn Progress) -> Result<(u64, String), Error> {
        let mut sum = plan.sum();
        for tenant in &self.tenants {
            let mut after: Option<Vec<Value>> = None;
            loop {
                let rows = side.page(plan.table, &plan.compared, tenant.id.0, after.as_deref(), BATCH).await?;
                let Some(last) = rows.last() else { break };
                after = Some(plan.compared_key(last));
                for row in &rows {
                    sum.add(row);
                }
                progress.rows(rows.len());
            }
        }
        Ok(sum.end())
    }

    /// Makes the copy a store that can be used. Fails when what was copied has changed meanwhile.
    pub async fn finish(self) -> Result<(), Error> {
        if !self.from.is_unchanged().await? {
            let text = "the store was written to while it was copied: stop every process that serves it, empty the new store \
                        and begin anew";
            return Err(Error::Damaged(text.into()));
        }
        self.end().await
    }

    /// The same, of a store that goes on being used: the copy is as it was when it was begun.
    pub async fn end(self) -> Result<(), Error> {
        self.to.end(&self.tenants).await
    }
}

#[cfg(test)]
mod tests;
