//! Checks that a copy covers every table and every column.

use super::*;
use crate::store::Store;

/// Opens a store whose tables and keys are those of its catalogue.
async fn examine(location: &Location, tables: &str, keys: &str) -> Session {
    Store::open(location.clone(), &Options::default()).unwrap().close();
    let session = Direct::reading(location, &Options::default()).unwrap().look().await.unwrap();
    let mut found = session.texts(tables.to_owned()).await.unwrap();
    // The store maintains these itself.
    found.retain(|name| !["counters", "schema_migrations"].contains(&name.as_str()));
    let mut known: Vec<_> = TABLES.iter().map(|table| table.name.to_owned()).collect();
    known.push("tenants".into());
    known.sort();
    assert_eq!(found, known, "a table that is not in `TABLES` is not copied");
    for table in TABLES.iter().filter(|table| table.name != "audit_log") {
        let key = session.texts(keys.replace("{table}", table.name)).await.unwrap();
        assert_eq!(key, [&["tenant_id"], &*table.key].concat(), "{}", table.name);
    }
    session
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
        let url = tests_postgres::database();
        let location = Location::Postgres(url.clone());
        let postgres = examine(&location, tables, keys).await;
        for table in &*TABLES {
            common(table, &sqlite, &postgres).await.unwrap();
        }
        postgres.undo().await;
        tests_postgres::execute(&url, "ALTER TABLE roles ADD COLUMN color text");
        let roles = TABLES.iter().find(|table| table.name == "roles").unwrap();
        let changed = Direct::reading(&location, &Options::default()).unwrap().look().await.unwrap();
        for (here, there) in [(&sqlite, &changed), (&changed, &sqlite)] {
            let refused = common(roles, here, there).await.unwrap_err();
            assert!(refused.to_string().contains("roles.color"), "a column of one store alone");
        }
    }
}
