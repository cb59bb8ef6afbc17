//! The database role of the service sees the rows of one tenant at a time, and cannot change tables.

use std::panic::catch_unwind;

use generated_client::accounts::*;

use crate::app::App;

/// Whether the server refuses the statement to the role of the service.
fn is_refused(app: &App, sql: &str) -> bool {
    let (store, sql) = (app.store().to_owned(), sql.to_owned());
    catch_unwind(move || tests_postgres::execute(&store, &sql)).is_err()
}

#[tokio::test]
async fn rows_of_other_tenants_are_hidden_by_the_server() {
    let app = App::start().await;
    let seen = app.client().accounts().get_accounts(GetAccounts::default()).await.expect("a list").body;
    assert!(seen.result.value().is_some_and(|accounts| !accounts.is_empty()));

    let count = |tenant: &str, table: &str| {
        let sql = format!("BEGIN; {tenant}; SELECT count(*) FROM {table}; ROLLBACK");
        tests_postgres::execute(app.store(), &sql).trim().parse::<i64>().expect("a count")
    };
    let tables = app.execute(
        "SELECT string_agg(table_name, ' ') FROM information_schema.columns
         WHERE table_schema = current_schema() AND column_name = 'tenant_id'",
    )
    .await;
    let mut filled = 0;
    for table in tables.split_whitespace() {
        assert_eq!(count("SELECT WHERE false", table), 0, "{table} without a tenant");
        assert_eq!(count("SET LOCAL service.tenant = 2", table), 0, "{table} of another tenant");
        filled += i32::from(count("SET LOCAL service.tenant = 1", table) > 0);
    }
    assert!(filled > 20, "{filled} tables have rows");

    let add = "INSERT INTO sequences (tenant_id, name, next) VALUES (1, 'mine', 1)";
    assert!(is_refused(&app, &format!("BEGIN; SET LOCAL service.tenant = 2; {add}; COMMIT")));
    assert!(!is_refused(&app, &format!("BEGIN; SET LOCAL service.tenant = 1; {add}; COMMIT")));
    for sql in ["DROP TABLE accounts", "ALTER TABLE accounts DISABLE ROW LEVEL SECURITY", "DELETE FROM schema_migrations"] {
        assert!(is_refused(&app, sql), "{sql}");
    }
}
