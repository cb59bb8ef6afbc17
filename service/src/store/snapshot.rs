//! A store at one moment, opened for reading, on either database. Other processes may be serving it.

use std::collections::HashSet;

use jiff::Timestamp;

use super::{
    Error, Location, Options,
    direct::Direct,
    migration, postgres,
    record::{Kind, Resource},
    resource::RESOURCES,
    session::Session,
    statement::Dialect,
    table::{TABLES, columns},
    value::{FromValue, Row},
};
use crate::domain::attachment::ContentHash;

/// The maximum number of reported problems with pages and indexes.
const MOST: u32 = 20;

/// A problem of a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The problem.
    pub what: String,
    /// The remedy.
    pub remedy: String,
}

impl Finding {
    /// What was found, and what to do about it.
    pub fn new(what: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { what: what.into(), remedy: remedy.into() }
    }
}

/// A blob that a store lists.
#[derive(Clone, Debug)]
pub struct KnownBlob {
    /// Its name.
    pub name: String,
    /// The hash of its bytes.
    pub hash: ContentHash,
    /// The size in bytes.
    pub size: u64,
    /// Whether a record refers to it.
    pub is_used: bool,
}

/// A stored number that differs from the data.
#[derive(Clone, Debug)]
pub struct Mismatch {
    /// The tenant.
    pub tenant: i64,
    /// The name of the number.
    pub name: String,
    /// The stored number.
    pub kept: i64,
    /// The number computed from the data.
    pub seen: i64,
}

/// A store, open for reading.
pub struct Snapshot {
    direct: Direct,
    session: Session,
}

impl Snapshot {
    /// Opens a database. [`Snapshot::migration`] checks whether it is a store.
    pub async fn open(location: &Location, options: &Options) -> Result<Self, Error> {
        let direct = Direct::reading(location, options)?;
        Ok(Self { session: direct.look().await?, direct })
    }

    /// The last migration of the store, and the last one of this program. Fails if it is not a store of this
    /// program, or newer.
    pub async fn migration(&self) -> Result<(i64, i64), Error> {
        let state = migration::state(&self.direct, &self.session).await?;
        ensure_whole(&self.session).await?;
        Ok(state)
    }

    /// Problems with pages and indexes. PostgreSQL checks indexes only if `full` is set and the extension
    /// amcheck is installed.
    pub async fn integrity(&self, full: bool) -> Result<Vec<String>, Error> {
        match self.session.dialect() {
            Dialect::Sqlite => {
                let lines = self.session.texts(format!("PRAGMA integrity_check({MOST})")).await?;
                Ok(if lines == ["ok"] { Vec::new() } else { lines })
            }
            Dialect::Postgres if full => postgres::inspect::integrity(&self.direct, &self.session).await,
            Dialect::Postgres => Ok(Vec::new()),
        }
    }

    /// References to missing records: the two tables and the number of references.
    pub async fn foreign_keys(&self) -> Result<Vec<(String, String, u64)>, Error> {
        if self.session.dialect() == Dialect::Postgres {
            return postgres::inspect::foreign_keys(&self.session).await;
        }
        let sql = "SELECT \"table\", parent, count(*) FROM pragma_foreign_key_check GROUP BY 1, 2 ORDER BY 1, 2";
        self.session.rows(sql).await?.iter().map(|row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).collect()
    }

    /// Missing indexes, triggers and views, each with the migration that creates it.
    pub async fn missing(&self) -> Result<Vec<(&'static str, &'static str)>, Error> {
        let sql = match self.session.dialect() {
            Dialect::Sqlite => "SELECT name FROM sqlite_schema WHERE type IN ('index', 'trigger', 'view')",
            Dialect::Postgres => postgres::inspect::OBJECTS,
        };
        let there: HashSet<String> = self.session.texts(sql).await?.into_iter().collect();
        let migrations = migration::of(self.session.dialect()).iter();
        let made = migrations.flat_map(|(migration, sql)| made_by(sql).map(move |name| (*migration, name)));
        Ok(made.filter(|(_, name)| !there.contains(*name)).collect())
    }

    /// Problems with the server, with rights on the tables and with standbys; always empty for an embedded store.
    pub async fn server(&self, options: &Options) -> Result<Vec<Finding>, Error> {
        match &self.direct {
            Direct::Sqlite { .. } => Ok(Vec::new()),
            Direct::Postgres { pool, role } => {
                postgres::inspect::server(pool, &self.session, role.as_deref(), options).await
            }
        }
    }

    /// All blobs whose contents are referred to by records of any tenant, by name, without duplicates.
    pub async fn used_blobs(&self) -> Result<Vec<KnownBlob>, Error> {
        let mut blobs = blobs(&self.session).await?;
        blobs.retain(|blob| blob.is_used);
        Ok(blobs)
    }

    /// The names of all blobs of the store, used or not.
    pub async fn known_blobs(&self) -> Result<HashSet<String>, Error> {
        let sql = "SELECT blob FROM contents UNION SELECT blob FROM unused_blobs";
        Ok(self.session.texts(sql).await?.into_iter().collect())
    }

    /// Counters that differ from the number of rows.
    pub async fn counters(&self) -> Result<Vec<Mismatch>, Error> {
        let bytes = ("contents.bytes".to_owned(), "contents", "CAST(coalesce(sum(size), 0) AS bigint)");
        let counters =
            RESOURCES.iter().filter(|resource| resource.is_counted).flat_map(|Resource { table, .. }| {
                let active = "coalesce(sum(CASE WHEN is_active THEN 1 ELSE 0 END), 0)";
                [((*table).to_owned(), *table, "count(*)"), (format!("{table}.active"), *table, active)]
            });
        let mut found = Vec::new();
        for (name, table, sum) in counters.chain([bytes]) {
            // The size of a table may be split into several rows.
            let sql = format!(
                "SELECT tenant, kept, seen FROM (SELECT t.id AS tenant,
                     (SELECT CAST(coalesce(sum(value), 0) AS bigint) FROM counters
                         WHERE tenant_id = t.id AND name = '{name}') AS kept,
                     (SELECT {sum} FROM {table} WHERE tenant_id = t.id) AS seen FROM tenants AS t) AS c
                 WHERE kept <> seen ORDER BY tenant"
            );
            found.extend(self.mismatches(sql, &name).await?);
        }
        Ok(found)
    }

    /// Sequences whose next number is in use; `seen` is the largest number in use.
    pub async fn sequences(&self) -> Result<Vec<Mismatch>, Error> {
        let mut found = Vec::new();
        let has_id = |resource: &&&Resource| resource.members.iter().any(|member| matches!(member.kind, Kind::Id));
        let resources = RESOURCES.iter().filter(has_id).map(|resource| resource.table);
        // A sequence is named after its table.
        for name in resources.chain(["tokens", "attachments", "jobs"]) {
            let sql = format!(
                "SELECT tenant, kept, seen FROM (SELECT s.tenant_id AS tenant, s.next AS kept,
                     coalesce((SELECT max(id) FROM {name} WHERE tenant_id = s.tenant_id), 0) AS seen
                     FROM sequences AS s WHERE s.name = '{name}') AS n
                 WHERE kept <= seen ORDER BY tenant"
            );
            found.extend(self.mismatches(sql, name).await?);
        }
        Ok(found)
    }

    async fn mismatches(&self, sql: String, name: &str) -> Result<Vec<Mismatch>, Error> {
        let mismatch = |row: &Row| {
            Ok(Mismatch { tenant: row.get(0)?, name: name.to_owned(), kept: row.get(1)?, seen: row.get(2)? })
        };
        self.session.rows(sql).await?.iter().map(mismatch).collect()
    }

    /// The latest time in each column with the time of a write.
    pub async fn latest(&self) -> Result<Vec<(String, Timestamp)>, Error> {
        let mut found = Vec::new();
        for table in TABLES.iter().map(|table| table.name).chain(["schema_migrations"]) {
            let mut columns = columns(&self.session, table).await?;
            // Uploads and tokens end in the future.
            columns.retain(|column| column.ends_with("_on") && column != "expires_on");
            if columns.is_empty() {
                continue;
            }
            let latest: Vec<_> = columns.iter().map(|column| format!("max({column})")).collect();
            let sql = format!("SELECT {} FROM {table}", latest.join(", "));
            let values = self.session.rows(sql).await?.into_iter().flat_map(|row| row.0);
            for (column, value) in columns.iter().zip(values) {
                if let Ok(moment) = Timestamp::from_value(value) {
                    found.push((format!("{table}.{column}"), moment));
                }
            }
        }
        Ok(found)
    }
}

/// The names of the indexes, triggers and views that a migration creates.
fn made_by(sql: &'static str) -> impl Iterator<Item = &'static str> {
    const MAKES: [&str; 4] = ["CREATE INDEX ", "CREATE UNIQUE INDEX ", "CREATE TRIGGER ", "CREATE VIEW "];
    let made = |line: &'static str| MAKES.iter().find_map(|makes| line.strip_prefix(makes));
    sql.lines().filter_map(made).filter_map(|rest| rest.split_whitespace().next())
}

/// All blobs with a content, by name, without duplicates.
pub(super) async fn blobs(session: &Session) -> Result<Vec<KnownBlob>, Error> {
    let sql = "SELECT c.blob, c.hash, max(c.size), max(CASE WHEN
                   EXISTS (SELECT 1 FROM attachments AS a WHERE a.tenant_id = c.tenant_id AND a.hash = c.hash)
                   OR EXISTS (SELECT 1 FROM temporary_uploads AS t WHERE t.tenant_id = c.tenant_id AND t.hash = c.hash)
                   THEN 1 ELSE 0 END)
               FROM contents AS c GROUP BY 1, 2 ORDER BY 1";
    let blob = |row: &Row| {
        let hash = ContentHash(row.get(1)?);
        Ok(KnownBlob { name: row.get(0)?, hash, size: row.get(2)?, is_used: row.get(3)? })
    };
    session.rows(sql).await?.iter().map(blob).collect()
}

/// Fails if row-level security limits the role to the rows of one tenant.
pub(super) async fn ensure_whole(session: &Session) -> Result<(), Error> {
    if session.dialect() == Dialect::Sqlite {
        return Ok(());
    }
    // If tables are missing, the check of migrations reports it.
    let sql =
        "SELECT coalesce(bool_or(row_security_active(oid)), false) FROM pg_class WHERE oid = to_regclass('accounts')";
    if session.first(sql).await? == Some(false) { Ok(()) } else { Err(Error::Fenced) }
}
