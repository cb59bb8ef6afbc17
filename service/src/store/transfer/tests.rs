//! Checks that a copy covers every table and every column.

use super::*;
use crate::store::{Store, table::KEPT_BY_THE_STORE};

/// Opens a store whose tables and keys are those of its catalogue.
async fn examine(location: &Location, tables: &str, keys: &str) -> Session {
    Store::open(location.clone(), &Options::default()).unwrap().close();
    let session = Direct::reading(location, &Options::default()).unwrap().look().await.unwrap();
    let mut found = texts(&session, tables).await;
    found.retain(|name| !KEPT_BY_THE_STORE.contains(&name.as_str()));
    let mut known: Vec<_> = TABLES.iter().map(|table| table.name.to_owned()).collect();
    known.push("tenants".into());
    known.sort();
    assert_eq!(found, known, "a table that is not in `TABLES` is not copied");
    for table in TABLES.iter().filter(|table| table.name != "audit_log") {
        let key = texts(&session, &keys.replace("{table}", table.name)).await;
        assert_eq!(key, [&["tenant_id"], &*table.key].concat(), "{}", table.name);
    }
    session
}

async fn texts(session: &Session, sql: &str) -> Vec<String> {
    session.texts(Statement::new(sql.to_owned(), Vec::new())).await.unwrap()
}

async fn sqlite(file: std::path::PathBuf) -> Session {
    let tables = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name";
    let keys = "SELECT name FROM pragma_table_info('{table}') WHERE pk > 0 ORDER BY pk";
    examine(&Location::Sqlite(file), tables, keys).await
}

#[tokio::test]
async fn every_table_of_sqlite_is_copied() {
    let folder = tempfile::tempdir().unwrap();
    sqlite(folder.path().join("store.sqlite")).await;
}

tests_postgres::with_postgres! {
    #[tokio::test]
    async fn every_table_and_column_of_both_databases_is_copied() {
        let folder = tempfile::tempdir().unwrap();
        let sqlite = sqlite(folder.path().join("store.sqlite")).await;
        let tables = "SELECT table_name::text FROM information_schema.tables
            WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' ORDER BY table_name COLLATE \"C\"";
        let keys = "SELECT a.attname::text FROM pg_index AS i
            CROSS JOIN LATERAL unnest(i.indkey::int2[]) WITH ORDINALITY AS k (number, position)
            JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = k.number
            WHERE i.indrelid = '{table}'::regclass AND i.indisprimary ORDER BY k.position";
        let postgres = examine(&Location::Postgres(tests_postgres::database()), tables, keys).await;
        for table in &*TABLES {
            let both = [columns(&sqlite, table.name).await.unwrap(), columns(&postgres, table.name).await.unwrap()];
            for (here, there) in [(&both[0], &both[1]), (&both[1], &both[0])] {
                Plan::new(table, here, there).unwrap();
            }
        }
    }
}

#[test]
fn a_column_that_nothing_is_known_of_is_refused() {
    let table = TABLES.iter().find(|table| table.name == "roles").unwrap();
    let columns = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let plan =
        |here: &[&str], there: &[&str]| Plan::new(table, &columns(here), &columns(there)).map(|plan| plan.written);
    let few = ["tenant_id", "id", "name"];
    plan(&few, &[&few[..], &["name_folded"]].concat()).unwrap();
    plan(&[&few[..], &["name_folded"]].concat(), &few).unwrap();
    assert!(plan(&few, &[&few[..], &["color"]].concat()).unwrap_err().to_string().contains("roles.color"));
    assert!(plan(&[&few[..], &["color"]].concat(), &few).unwrap_err().to_string().contains("roles.color"));
}
