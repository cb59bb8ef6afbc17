//! The store of each earlier version is migrated; that of a later version is left alone.

use std::{
    collections::BTreeMap,
    fs,
    hash::{DefaultHasher, Hash as _, Hasher as _},
    path::Path,
    time::Instant,
};

use anyhow::{Context as _, Result, ensure};
use rusqlite::{Connection, types::Value};
use sha2::{Digest as _, Sha256};

use super::Form;
use crate::{
    figure::{Figure, Outcome},
    service::Start,
};

/// The migrations, by name.
const MIGRATIONS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../service/migrations/sqlite");
/// The application id in the header of a store.
const APPLICATION: i64 = 0x626d_7331;

/// Runs it.
pub(super) fn run(form: Form) -> Result<Outcome> {
    let rows = form.pick(2_000, 100_000);
    let folder = tempfile::tempdir()?;
    let start = Start::new();
    let fresh = folder.path().join("fresh");
    command(&start, &fresh, &["init", "--no-token"])?;
    let expected = schema(&open(&fresh)?)?;
    let migrations = migrations()?;
    let (mut differences, mut lost, mut added, mut copies, mut problems, mut filled) = (0, 0, 0, 0, 0, u64::MAX);
    let mut slowest = 0.0_f64;
    for last in 1..migrations.len() {
        let data = folder.path().join(format!("migration-{last}"));
        fs::create_dir(&data)?;
        let before = {
            let connection = open(&data)?;
            make(&connection, &migrations[..last])?;
            fill(&connection, rows)?;
            tables(&connection, &connection)?
        };
        filled = filled.min(before.values().map(|rows| rows.values().sum::<u64>()).sum());
        let begin = Instant::now();
        command(&start, &data, &["migrate"])?;
        slowest = slowest.max(begin.elapsed().as_secs_f64());
        let (connection, copy) = (open(&data)?, Connection::open(copy_in(&data, last)?)?);
        differences += schema(&connection)?.symmetric_difference(&expected).count() as u64;
        let (after, kept) = (tables(&connection, &copy)?, tables(&copy, &copy)?);
        for (table, rows) in &before {
            let nothing = Rows::new();
            let now = after.get(table).unwrap_or(&nothing);
            lost += missing(rows, now);
            // A migration may add counters for existing rows.
            added += if table == "counters" { 0 } else { missing(now, rows) };
            copies += u64::from(kept.get(table) != Some(rows));
        }
        problems += health(&connection)?;
        fs::remove_dir_all(&data)?;
    }
    let served = served(&start, &folder.path().join("served"), &migrations)?;

    let (refused, touched) = downgrade(&start, &fresh, migrations.len())?;
    Ok(Outcome::Measured(vec![
        Figure::plain("earlier states of the store", migrations.len() - 1),
        Figure::at_least("rows in the smallest of them", f64::from(rows), as_float(filled), ""),
        Figure::exactly("differences to the schema of a new store", 0, differences),
        Figure::exactly("rows lost or with other values", 0, lost),
        Figure::exactly("rows that were not there before", 0, added),
        Figure::exactly("tables that the copies lack or have otherwise", 0, copies),
        Figure::exactly("problems that SQLite finds afterwards", 0, problems),
        Figure::exactly("copies kept by a service that starts on an older store", 1, served),
        Figure::plain("slowest upgrade", format!("{slowest:.2} s")),
        Figure::exactly("commands that refuse the store of a later program", COMMANDS.len() as u64, refused),
        Figure::exactly("bytes of it that they change", 0, touched),
    ]))
}

/// The number of copies kept by a service that starts on the previous version's store.
fn served(start: &Start, data: &Path, migrations: &[(String, String)]) -> Result<u64> {
    fs::create_dir(data)?;
    let last = migrations.len() - 1;
    let connection = open(data)?;
    make(&connection, &migrations[..last])?;
    drop(connection);
    let (has_stopped, _) = start.run(data)?.stop()?;
    ensure!(has_stopped, "the service did not stop");
    let copy = Connection::open(copy_in(data, last)?)?;
    Ok(copy
        .query_row("SELECT count(*) FROM tenants WHERE name = 'Upgraded'", (), |row| row.get(0))
        .map(i64::cast_unsigned)?)
}

/// The number of problems that SQLite finds.
fn health(connection: &Connection) -> Result<u64> {
    let sql = "SELECT (SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok')
        + (SELECT count(*) FROM pragma_foreign_key_check)";
    Ok(connection.query_row(sql, (), |row| row.get(0)).map(i64::cast_unsigned)?)
}

/// Commands tried on the store of a later version.
const COMMANDS: [&[&str]; 8] = [
    &["serve"],
    &["check"],
    &["export"],
    &["token", "list"],
    &["token", "create", "x", "--all"],
    &["migrate"],
    &["backup"],
    &["doctor"],
];

/// The number of commands that refuse a store with an unknown migration and say so, and the number of bytes
/// that they change.
fn downgrade(start: &Start, data: &Path, known: usize) -> Result<(u64, u64)> {
    let connection = open(data)?;
    connection.execute("INSERT INTO schema_migrations VALUES (?1, 'later', x'00', 0)", [i64::try_from(known)? + 1])?;
    connection.close().map_err(|(_, error)| error)?;
    let file = data.join("store.sqlite");
    let before = fs::read(&file)?;
    let (mut refused, mut touched) = (0, 0);
    for arguments in COMMANDS {
        let output = start.command(data, arguments)?.args(["--listen", "127.0.0.1:0"]).output()?;
        let text = [output.stdout, output.stderr].concat();
        let says = String::from_utf8_lossy(&text).contains("use the program that wrote it");
        refused += u64::from(!output.status.success() && says);
        let now = fs::read(&file)?;
        touched += before.iter().zip(&now).filter(|(before, now)| before != now).count() as u64;
        touched += before.len().abs_diff(now.len()) as u64;
    }
    Ok((refused, touched))
}

fn open(data: &Path) -> Result<Connection> {
    Ok(Connection::open(data.join("store.sqlite"))?)
}

fn command(start: &Start, data: &Path, arguments: &[&str]) -> Result<()> {
    let output = start.command(data, arguments)?.output()?;
    ensure!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    Ok(())
}

/// The names and texts of all migrations, in order.
fn migrations() -> Result<Vec<(String, String)>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(MIGRATIONS).context("the folder of migrations")? {
        let path = entry?.path();
        let name = path.file_stem().context("a name")?.to_string_lossy().into_owned();
        found.push((name, fs::read_to_string(&path)?));
    }
    found.sort_unstable();
    Ok(found)
}

/// Creates a store with these migrations, as their version did.
fn make(connection: &Connection, migrations: &[(String, String)]) -> Result<()> {
    connection.execute_batch(&format!(
        "PRAGMA journal_mode = WAL; PRAGMA foreign_keys = ON; PRAGMA application_id = {APPLICATION};
         CREATE TABLE schema_migrations (
             number     INTEGER PRIMARY KEY,
             name       TEXT NOT NULL,
             checksum   BLOB NOT NULL,
             applied_on INTEGER NOT NULL
         ) STRICT;"
    ))?;
    for (number, (name, sql)) in (1..).zip(migrations) {
        connection.execute_batch(sql)?;
        let checksum = Sha256::digest(sql.as_bytes()).to_vec();
        connection.execute("INSERT INTO schema_migrations VALUES (?1, ?2, ?3, 0)", (number, name, checksum))?;
    }
    connection.execute("INSERT INTO tenants (id, name) VALUES (1, 'Upgraded')", ())?;
    Ok(())
}

/// Fills every table, with this many rows in total. Row 7 of a table refers to rows 7 of others.
fn fill(connection: &Connection, rows: u32) -> Result<()> {
    // Tables that the service maintains, by triggers and with every record.
    const OWN: [&str; 4] = ["schema_migrations", "tenants", "counters", "sequences"];
    let sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid";
    let names: Vec<String> = connection.prepare(sql)?.query_map((), |row| row.get(0))?.collect::<Result<_, _>>()?;
    let names: Vec<_> = names.into_iter().filter(|name| !OWN.contains(&&**name)).collect();
    let each = rows.div_ceil(u32::try_from(names.len())?);
    connection.execute_batch("BEGIN; PRAGMA defer_foreign_keys = ON;")?;
    let all: BTreeMap<String, Vec<Column>> =
        names.iter().map(|name| Ok((name.clone(), columns(connection, name)?))).collect::<Result<_>>()?;
    for table in &names {
        let columns: &Vec<Column> = &all[table];
        let places = vec!["?"; columns.len()].join(", ");
        let mut insert = connection.prepare(&format!("INSERT INTO \"{table}\" VALUES ({places})"))?;
        for row in 1..=each {
            let values = columns.iter().map(|column| value(&all, table, column, row));
            insert.execute(rusqlite::params_from_iter(values.collect::<Result<Vec<_>>>()?))?;
        }
    }
    Ok(connection.execute_batch("COMMIT")?)
}

struct Column {
    name: String,
    kind: String,
    /// The referenced column of another table.
    refers_to: Option<(String, String)>,
}

fn columns(connection: &Connection, table: &str) -> Result<Vec<Column>> {
    let sql = "SELECT \"table\", \"from\", coalesce(\"to\", 'id') FROM pragma_foreign_key_list(?1)";
    let keys: Vec<(String, String, String)> = connection
        .prepare(sql)?
        .query_map([table], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
        .collect::<Result<_, _>>()?;
    let mut statement = connection.prepare("SELECT name, type FROM pragma_table_info(?1)")?;
    let columns = statement.query_map([table], |row| {
        let (name, kind): (String, String) = (row.get(0)?, row.get(1)?);
        let key = keys.iter().find(|(_, from, _)| *from == name);
        Ok(Column { refers_to: key.map(|(table, _, to)| (table.clone(), to.clone())), name, kind })
    })?;
    Ok(columns.collect::<Result<_, _>>()?)
}

/// The value of a column in a row.
fn value(all: &BTreeMap<String, Vec<Column>>, table: &str, column: &Column, row: u32) -> Result<Value> {
    if column.name == "tenant_id" {
        return Ok(Value::Integer(1));
    }
    if let Some((other, name)) = &column.refers_to {
        if other == table {
            return Ok(Value::Null);
        }
        let columns = all.get(other).map_or(&[][..], Vec::as_slice);
        let column = columns.iter().find(|column| column.name == *name).context("a column that is referred to")?;
        return value(all, other, column, row);
    }
    Ok(match &*column.kind {
        "INTEGER" if column.name.starts_with("is_") => Value::Integer((row % 2).into()),
        "INTEGER" => Value::Integer(row.into()),
        "REAL" => Value::Real(f64::from(row) / 8.0),
        "BLOB" => Value::Blob(Sha256::digest(row.to_le_bytes()).to_vec()),
        _ => Value::Text(format!("{} {row}", column.name)),
    })
}

/// The schema, without the tables of `PRAGMA optimize` and of the migrations.
fn schema(connection: &Connection) -> Result<std::collections::BTreeSet<(String, String, Option<String>)>> {
    let mut statement = connection.prepare(
        "SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_stat%' AND name <> 'schema_migrations'",
    )?;
    let rows = statement.query_map((), |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Number of equal rows, by the hash of their values.
type Rows = BTreeMap<u64, u64>;

/// The number of these rows that are not in `others`.
fn missing(rows: &Rows, others: &Rows) -> u64 {
    rows.iter().map(|(hash, count)| count.saturating_sub(others.get(hash).copied().unwrap_or_default())).sum()
}

/// The rows of each table of `earlier`, with its columns.
fn tables(connection: &Connection, earlier: &Connection) -> Result<BTreeMap<String, Rows>> {
    let sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'schema_migrations'";
    let names: Vec<String> = earlier.prepare(sql)?.query_map((), |row| row.get(0))?.collect::<Result<_, _>>()?;
    let mut found = BTreeMap::new();
    for table in names {
        let columns: Vec<_> =
            columns(earlier, &table)?.into_iter().map(|column| format!("\"{}\"", column.name)).collect();
        // A removed table or column counts as lost.
        let Ok(mut statement) = connection.prepare(&format!("SELECT {} FROM \"{table}\"", columns.join(", "))) else {
            continue;
        };
        let mut found_rows = Rows::new();
        let mut rows = statement.query(())?;
        while let Some(row) = rows.next()? {
            let mut hash = DefaultHasher::new();
            for column in 0..columns.len() {
                format!("{:?}", row.get_ref(column)?).hash(&mut hash);
            }
            *found_rows.entry(hash.finish()).or_default() += 1;
        }
        found.insert(table, found_rows);
    }
    Ok(found)
}

/// The only copy of a store with that migration.
fn copy_in(data: &Path, migration: usize) -> Result<std::path::PathBuf> {
    let prefix = format!("store-of-migration-{migration}-");
    let mut copies = Vec::new();
    for entry in fs::read_dir(data)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with(&prefix) {
            copies.push(entry.path());
        }
    }
    ensure!(copies.len() == 1, "{} copies of migration {migration}", copies.len());
    copies.pop().context("a copy")
}

#[expect(clippy::cast_precision_loss, reason = "for a comparison with a goal")]
fn as_float(count: u64) -> f64 {
    count as f64
}
