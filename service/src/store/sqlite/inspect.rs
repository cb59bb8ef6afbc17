//! What a database says of its own health.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension as _, Row};

use crate::{
    domain::attachment::ContentHash,
    store::{Error, Mismatch, UsedBlob},
};

/// So many problems of a kind are told.
const MOST: u32 = 20;

/// What is wrong with pages and indexes; nothing when all is well.
pub(in crate::store) fn integrity(connection: &Connection) -> Result<Vec<String>, Error> {
    let lines: Vec<String> = collect(connection, &format!("PRAGMA integrity_check({MOST})"), |row| row.get(0))?;
    Ok(if lines == ["ok"] { Vec::new() } else { lines })
}

/// Records that refer to records which are not there: of which table to which, and how many.
pub(in crate::store) fn foreign_keys(connection: &Connection) -> Result<Vec<(String, String, u64)>, Error> {
    let sql = "SELECT \"table\", parent, count(*) FROM pragma_foreign_key_check GROUP BY 1, 2 ORDER BY 1, 2";
    collect(connection, sql, |row| Ok((row.get(0)?, row.get(1)?, row.get::<_, i64>(2)?.cast_unsigned())))
}

/// Every blob that holds a content which a record of any tenant refers to, once.
pub(in crate::store) fn used_blobs(connection: &Connection) -> Result<Vec<UsedBlob>, Error> {
    if !has_table(connection, "contents")? {
        return Ok(Vec::new());
    }
    let blob = blob_column(connection)?;
    let sql = format!(
        "SELECT {blob}, c.hash, max(c.size) FROM contents AS c WHERE
             EXISTS (SELECT 1 FROM attachments AS a WHERE a.tenant_id = c.tenant_id AND a.hash = c.hash)
             OR EXISTS (SELECT 1 FROM temporary_uploads AS t WHERE t.tenant_id = c.tenant_id AND t.hash = c.hash)
         GROUP BY 1 ORDER BY 1"
    );
    collect(connection, &sql, |row| {
        let size: i64 = row.get(2)?;
        Ok(UsedBlob { name: row.get(0)?, hash: ContentHash(row.get(1)?), size: size.cast_unsigned() })
    })
}

/// The name of every blob that the tables know, used or not.
pub(in crate::store) fn known_blobs(connection: &Connection) -> Result<Vec<String>, Error> {
    let mut sql = format!("SELECT {} FROM contents AS c", blob_column(connection)?);
    if has_table(connection, "unused_blobs")? {
        sql.push_str(" UNION SELECT blob FROM unused_blobs");
    }
    collect(connection, &sql, |row| row.get(0))
}

/// What the name of a content's blob is in a store that may be of an older program.
fn blob_column(connection: &Connection) -> Result<&'static str, Error> {
    Ok(if has_table(connection, "unused_blobs")? { "c.blob" } else { "lower(hex(c.hash))" })
}

/// Counters that are not the size of what they count.
pub(in crate::store) fn counters(connection: &Connection) -> Result<Vec<Mismatch>, Error> {
    let mut found = Vec::new();
    for table in ["accounts", "contacts"] {
        for (suffix, sum) in [("", "count(*)"), (".active", "coalesce(sum(is_active), 0)")] {
            let sql = format!(
                "SELECT t.id, coalesce((SELECT value FROM counters WHERE tenant_id = t.id AND name = '{table}{suffix}'), 0),
                     (SELECT {sum} FROM {table} WHERE tenant_id = t.id)
                 FROM tenants AS t"
            );
            let all = collect(connection, &sql, |row| mismatch(row, format!("{table}{suffix}")))?;
            found.extend(all.into_iter().filter(|counter| counter.kept != counter.seen));
        }
    }
    Ok(found)
}

/// Sequences whose next number has been given out already; `seen` is the greatest number in use.
pub(in crate::store) fn sequences(connection: &Connection) -> Result<Vec<Mismatch>, Error> {
    let names: Vec<String> =
        collect(connection, "SELECT DISTINCT name FROM sequences ORDER BY name", |row| row.get(0))?;
    let mut found = Vec::new();
    for name in names {
        // The numbers of schedules are no keys; every other sequence is named after its table.
        let column = if name == "scan_schedules" { "number" } else { "id" };
        if !has_column(connection, &name, column)? {
            continue;
        }
        let sql = format!(
            "SELECT s.tenant_id, s.next, coalesce((SELECT max(\"{column}\") FROM \"{name}\" WHERE tenant_id = s.tenant_id), 0)
             FROM sequences AS s WHERE s.name = '{name}'"
        );
        let all = collect(connection, &sql, |row| mismatch(row, name.clone()))?;
        found.extend(all.into_iter().filter(|sequence| sequence.kept <= sequence.seen));
    }
    Ok(found)
}

/// The latest moment that each column of moments holds, of those that say when something was written.
pub(in crate::store) fn latest(connection: &Connection) -> Result<Vec<(String, Timestamp)>, Error> {
    let sql = "SELECT t.name, c.name FROM pragma_table_list AS t, pragma_table_info(t.name) AS c
        WHERE t.schema = 'main' AND t.type = 'table'
            AND c.name IN ('created_on', 'modified_on', 'claimed_on', 'recorded_on', 'applied_on', 'started_on',
                'finished_on', 'last_used_on', 'revoked_on', 'written_on')
        ORDER BY 1, 2";
    let columns: Vec<(String, String)> = collect(connection, sql, |row| Ok((row.get(0)?, row.get(1)?)))?;
    let mut found = Vec::new();
    for (table, column) in columns {
        let sql = format!("SELECT max(\"{column}\") FROM \"{table}\"");
        let latest: Option<i64> = connection.query_row(&sql, (), |row| row.get(0)).optional()?.flatten();
        if let Some(moment) = latest.and_then(|latest| Timestamp::from_microsecond(latest).ok()) {
            found.push((format!("{table}.{column}"), moment));
        }
    }
    Ok(found)
}

fn mismatch(row: &Row<'_>, name: String) -> rusqlite::Result<Mismatch> {
    Ok(Mismatch { tenant: row.get(0)?, name, kept: row.get(1)?, seen: row.get(2)? })
}

fn has_table(connection: &Connection, table: &str) -> Result<bool, Error> {
    Ok(connection.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?1")?.exists([table])?)
}

fn has_column(connection: &Connection, table: &str, column: &str) -> Result<bool, Error> {
    Ok(connection.prepare("SELECT 1 FROM pragma_table_info(?1) WHERE name = ?2")?.exists([table, column])?)
}

fn collect<T>(
    connection: &Connection,
    sql: &str,
    read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Vec<T>, Error> {
    let mut statement = connection.prepare(sql)?;
    Ok(statement.query_map((), read)?.collect::<Result<_, _>>()?)
}
