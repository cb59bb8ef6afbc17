//! A store as it is at one moment, looked at without changing it, whatever keeps it; somebody may be serving it.

use std::collections::HashSet;

use jiff::Timestamp;

use super::{
    Error, Location, Options, postgres, sqlite,
    transfer::{Side, TABLES, Value},
};
use crate::domain::attachment::ContentHash;

/// Columns that say when something was written.
const MOMENTS: &[&str] = &[
    "created_on",
    "modified_on",
    "claimed_on",
    "recorded_on",
    "applied_on",
    "started_on",
    "finished_on",
    "last_used_on",
    "revoked_on",
    "written_on",
];

/// What is counted beside its table: the counter, the table, and how it is counted.
const COUNTERS: &[(&str, &str, &str)] = &[
    ("accounts", "accounts", "count(*)"),
    ("accounts.active", "accounts", "coalesce(sum(CASE WHEN is_active THEN 1 ELSE 0 END), 0)"),
    ("contacts", "contacts", "count(*)"),
    ("contacts.active", "contacts", "coalesce(sum(CASE WHEN is_active THEN 1 ELSE 0 END), 0)"),
    ("contents.bytes", "contents", "CAST(coalesce(sum(size), 0) AS bigint)"),
];

/// Something that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What was found.
    pub what: String,
    /// What to do about it.
    pub remedy: String,
}

impl Finding {
    /// What was found, and what to do about it.
    pub fn new(what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { what: what.into(), remedy: remedy.into() }
    }
}

/// A blob that holds a content which records refer to.
#[derive(Clone, Debug)]
pub struct UsedBlob {
    /// Its name.
    pub name: String,
    /// The hash of its bytes.
    pub hash: ContentHash,
    /// How many bytes it has.
    pub size: u64,
}

/// A number that is kept beside what it says.
#[derive(Clone, Debug)]
pub struct Mismatch {
    /// The tenant it is of.
    pub tenant: i64,
    /// What it is about.
    pub name: String,
    /// The number that is kept.
    pub kept: i64,
    /// The number that was seen.
    pub seen: i64,
}

/// A store, open for reading.
#[derive(Debug)]
pub struct Snapshot {
    side: Side,
}

impl Snapshot {
    /// Opens what there is; whether it is a store is asked by [`Snapshot::migration`].
    pub async fn open(location: &Location, options: &Options) -> Result<Self, Error> {
        Ok(Self { side: Side::look(location, options).await? })
    }

    /// The last migration that it has, and the last one that this program knows; fails when it is no store of this program,
    /// or of a newer one.
    pub async fn migration(&self) -> Result<(i64, i64), Error> {
        self.side.migration().await
    }

    /// What is wrong with its pages and indexes. PostgreSQL looks at indexes if `full`, and has the extension amcheck for it.
    pub async fn integrity(&self, full: bool) -> Result<Vec<String>, Error> {
        match &self.side {
            Side::Sqlite(side) => side.integrity(),
            Side::Postgres(side) if full => postgres::inspect::integrity(side).await,
            Side::Postgres(_) => Ok(Vec::new()),
        }
    }

    /// Records that refer to records which are not there: of which table to which, and how many.
    pub async fn foreign_keys(&self) -> Result<Vec<(String, String, u64)>, Error> {
        match &self.side {
            Side::Sqlite(side) => side.foreign_keys(),
            Side::Postgres(side) => postgres::inspect::foreign_keys(side).await,
        }
    }

    /// Indexes, triggers and views that its migrations have made and that are not there, each behind the migration.
    pub async fn missing(&self) -> Result<Vec<(&'static str, &'static str)>, Error> {
        let (migrations, sql) = match &self.side {
            Side::Sqlite(_) => (sqlite::migration::MIGRATIONS, sqlite::inspect::OBJECTS),
            Side::Postgres(_) => (postgres::migration::MIGRATIONS, postgres::inspect::OBJECTS),
        };
        let mut there = HashSet::new();
        for row in self.side.rows(sql, &[]).await? {
            let [Value::Text(name)] = row.as_slice() else { return Err(unexpected("an object has no name")) };
            there.insert(name.clone());
        }
        let made = migrations.iter().flat_map(|(migration, sql)| made_by(sql).map(move |name| (*migration, name)));
        Ok(made.filter(|(_, name)| !there.contains(*name)).collect())
    }

    /// What is wrong with the server, with the rights to the tables, and with standbys; nothing of an embedded store.
    /// `service` is the URL of the role that works with them.
    pub async fn server(&self, service: &str, options: &Options) -> Result<Vec<Finding>, Error> {
        match &self.side {
            Side::Sqlite(_) => Ok(Vec::new()),
            Side::Postgres(side) => postgres::inspect::server(side, service, options).await,
        }
    }

    /// Every blob that holds a content which a record of any tenant refers to, once, by name.
    pub async fn used_blobs(&self) -> Result<Vec<UsedBlob>, Error> {
        if self.side.columns("contents").await?.is_empty() {
            return Ok(Vec::new());
        }
        let blob = self.blob().await?;
        let sql = format!(
            "SELECT {blob}, c.hash, max(c.size) FROM contents AS c WHERE
                 EXISTS (SELECT 1 FROM attachments AS a WHERE a.tenant_id = c.tenant_id AND a.hash = c.hash)
                 OR EXISTS (SELECT 1 FROM temporary_uploads AS t WHERE t.tenant_id = c.tenant_id AND t.hash = c.hash)
             GROUP BY 1, 2 ORDER BY 1"
        );
        let used = |row: Vec<Value>| match <[Value; 3]>::try_from(row) {
            Ok([Value::Text(name), Value::Bytes(hash), Value::Integer(size)]) => {
                let hash = hash.try_into().map_err(|_| unexpected("a hash has no 32 bytes"))?;
                Ok(UsedBlob { name, hash: ContentHash(hash), size: size.cast_unsigned() })
            }
            _ => Err(unexpected("a content has no blob, no hash or no size")),
        };
        self.side.rows(&sql, &[]).await?.into_iter().map(used).collect()
    }

    /// The name of every blob that it knows, used or not.
    pub async fn known_blobs(&self) -> Result<HashSet<String>, Error> {
        let mut sql = format!("SELECT {} FROM contents AS c", self.blob().await?);
        if !self.side.columns("unused_blobs").await?.is_empty() {
            sql.push_str(" UNION SELECT blob FROM unused_blobs");
        }
        let name = |row: Vec<Value>| match <[Value; 1]>::try_from(row) {
            Ok([Value::Text(name)]) => Ok(name),
            _ => Err(unexpected("a blob has no name")),
        };
        self.side.rows(&sql, &[]).await?.into_iter().map(name).collect()
    }

    /// What the name of a content's blob is in a store that may be of an older program.
    async fn blob(&self) -> Result<&'static str, Error> {
        let has_names = self.side.columns("contents").await?.iter().any(|column| column == "blob");
        Ok(if has_names { "c.blob" } else { "lower(hex(c.hash))" })
    }

    /// Counters that are not the size of what they count.
    pub async fn counters(&self) -> Result<Vec<Mismatch>, Error> {
        let mut found = Vec::new();
        for (name, table, sum) in COUNTERS {
            // The size of a table may be kept in parts.
            let sql = format!(
                "SELECT tenant, kept, seen FROM (SELECT t.id AS tenant,
                     (SELECT CAST(coalesce(sum(value), 0) AS bigint) FROM counters
                         WHERE tenant_id = t.id AND name = '{name}') AS kept,
                     (SELECT {sum} FROM {table} WHERE tenant_id = t.id) AS seen FROM tenants AS t) AS c
                 WHERE kept <> seen ORDER BY tenant"
            );
            found.extend(self.mismatches(&sql, name).await?);
        }
        Ok(found)
    }

    /// Sequences whose next number has been given out already; `seen` is the greatest number in use.
    pub async fn sequences(&self) -> Result<Vec<Mismatch>, Error> {
        let mut found = Vec::new();
        for table in TABLES {
            // The numbers of schedules are no keys; every other sequence is named after its table.
            let column = if table.name == "scan_schedules" { "number" } else { "id" };
            if !self.side.columns(table.name).await?.iter().any(|name| name == column) {
                continue;
            }
            let name = table.name;
            let sql = format!("SELECT 1 FROM sequences WHERE name = '{name}' LIMIT 1");
            // Whatever else is called `id` is no number.
            if self.side.rows(&sql, &[]).await?.is_empty() {
                continue;
            }
            let sql = format!(
                "SELECT tenant, kept, seen FROM (SELECT s.tenant_id AS tenant, s.next AS kept,
                     coalesce((SELECT max({column}) FROM {name} WHERE tenant_id = s.tenant_id), 0) AS seen
                     FROM sequences AS s WHERE s.name = '{name}') AS n
                 WHERE kept <= seen ORDER BY tenant"
            );
            found.extend(self.mismatches(&sql, name).await?);
        }
        Ok(found)
    }

    async fn mismatches(&self, sql: &str, name: &str) -> Result<Vec<Mismatch>, Error> {
        let mismatch = |row: Vec<Value>| match row.as_slice() {
            [Value::Integer(tenant), Value::Integer(kept), Value::Integer(seen)] => {
                Ok(Mismatch { tenant: *tenant, name: name.to_owned(), kept: *kept, seen: *seen })
            }
            _ => Err(unexpected("a counter is no number")),
        };
        self.side.rows(sql, &[]).await?.into_iter().map(mismatch).collect()
    }

    /// The latest moment in each column that says when something was written.
    pub async fn latest(&self) -> Result<Vec<(String, Timestamp)>, Error> {
        let mut found = Vec::new();
        for table in TABLES.iter().map(|table| table.name).chain(["schema_migrations"]) {
            let mut columns = self.side.columns(table).await?;
            columns.retain(|column| MOMENTS.contains(&column.as_str()));
            if columns.is_empty() {
                continue;
            }
            let latest: Vec<_> = columns.iter().map(|column| format!("max({column})")).collect();
            let sql = format!("SELECT {} FROM {table}", latest.join(", "));
            for (column, value) in columns.iter().zip(self.side.rows(&sql, &[]).await?.into_iter().flatten()) {
                let Value::Integer(moment) = value else { continue };
                if let Ok(moment) = Timestamp::from_microsecond(moment) {
                    found.push((format!("{table}.{column}"), moment));
                }
            }
        }
        Ok(found)
    }
}

/// The names of the indexes, triggers and views that a migration makes.
fn made_by(sql: &'static str) -> impl Iterator<Item = &'static str> {
    const MAKES: [&str; 4] = ["CREATE INDEX ", "CREATE UNIQUE INDEX ", "CREATE TRIGGER ", "CREATE VIEW "];
    let made = |line: &'static str| MAKES.iter().find_map(|makes| line.strip_prefix(makes));
    sql.lines().filter_map(made).filter_map(|rest| rest.split_whitespace().next())
}

fn unexpected(what: &str) -> Error {
    Error::Damaged(what.to_owned())
}
