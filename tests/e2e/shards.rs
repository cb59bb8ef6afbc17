//! Requirements of engines that shard by tenant: every key starts with the tenant, and every statement names
//! it.

use std::collections::BTreeSet;

use generated_client::accounts::*;
use jiff::{SignedDuration, Timestamp};
use service::{
    domain::{caller::Visibility, tenant::TenantId, token::{Grants, NewToken}},
    export, scheduler,
};
use tests_postgres::{database, for_service, log_statements, statements};

use crate::{app::App, attachments::sweep_later, operations::operations};

/// Tables without tenants, and the one index of a tenant's table that cannot start with the tenant: a secret
/// identifies the token.
const OF_ALL: &str = "schema_migrations_pkey tenants_pkey tokens_by_secret";

/// Statements without a tenant: token lookups by secret, functions that only list tenants, tables without
/// tenants, the server's own checks of imported tables, and statements without a table.
const WITHOUT: [&str; 13] = [
    "FROM tokens WHERE secret_hash = $1",
    "service.secret",
    "SELECT tenants_with_",
    "SELECT next_scan()",
    "FROM tenants ",
    "INTO tenants ",
    "pg_try_advisory_xact_lock",
    "schema_migrations",
    "information_schema.",
    "SELECT analyze_table(",
    "FETCH ",
    "CLOSE ",
    "SAVEPOINT ",
];

#[tokio::test]
async fn every_key_index_and_reference_begins_with_the_tenant() {
    let app = App::start().await;
    let begins = |table: &str, column: &str| {
        format!(
            "(SELECT attname FROM pg_attribute WHERE attrelid = {table} AND attnum = {column}) IS NOT DISTINCT FROM 'tenant_id'"
        )
    };
    let indexes = app.execute(&format!(
        "SELECT string_agg(name, ' ' ORDER BY name) FROM (
             SELECT i.indexrelid::regclass::text AS name FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indrelid
             WHERE c.relnamespace = current_schema()::regnamespace AND NOT {}) AS n",
        begins("i.indrelid", "i.indkey[0]")
    ))
    .await;
    assert_eq!(indexes, OF_ALL);
    let references = app.execute(&format!(
        "SELECT count(*) || ' ' || count(*) FILTER (WHERE {} AND {}) FROM pg_constraint AS o
         WHERE o.contype = 'f' AND o.connamespace = current_schema()::regnamespace",
        begins("o.conrelid", "o.conkey[1]"),
        begins("o.confrelid", "o.confkey[1]")
    ))
    .await;
    let (all, with) = references.split_once(' ').expect("two numbers");
    assert!(all == with && all.parse::<u32>().expect("a number") > 30, "{references}");
    let tables = app.execute(
        "SELECT string_agg(relname::text, ' ' ORDER BY relname) FROM pg_class AS c
         WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace
             AND NOT EXISTS (SELECT FROM pg_attribute WHERE attrelid = c.oid AND attname = 'tenant_id' AND attnotnull)",
    )
    .await;
    assert_eq!(tables, "schema_migrations tenants");
}

#[tokio::test]
async fn every_statement_names_the_tenant() {
    // Start empty, so that the statements that load the sample are logged.
    let store = for_service(&database());
    log_statements(&store);
    let app = App::start_on(store.clone(), |config| config.limits.calls_per_hour = 0).await;
    let records = app.service.records_of(TenantId::FIRST);
    let tokens = [Visibility::All, Visibility::Accounts([101].into())].map(|visible| NewToken {
        name: "test".into(),
        grants: Grants::all(service::api::functions()),
        visible,
        ..NewToken::default()
    });
    for new in tokens {
        let token = records.create_token(new).await.expect("a token").1;
        for operation in operations() {
            operation.request().send(&app, &token).await;
            let all = operation.parameters.iter().filter(|parameter| parameter.location == "query");
            let request = all.fold(operation.request(), |request, parameter| {
                if parameter.example.is_null() { request } else { request.with(&parameter.name, &parameter.example) }
            });
            request.send(&app, &token).await;
        }
    }
    let list = GetAccounts { filter_name: Some("a".into()), ..GetAccounts::default() };
    app.client().accounts().get_accounts(list).await.expect("a list");
    records.audit_log(0, 1000).await.expect("the log");
    scheduler::scan(&app.service, Timestamp::now() + SignedDuration::from_hours(1000)).await.expect("scanned");
    sweep_later(&app, 24 * 400).await;
    export::run(&records, &mut Vec::new()).expect("exported");
    app.stop().await;

    let seen: BTreeSet<_> = statements(&store).into_iter().collect();
    let names = |sql: &str| sql.contains("tenant_id = $") || sql.contains("INSERT INTO") && sql.contains("tenant_id");
    let without: Vec<_> = seen
        .iter()
        .filter(|sql| !names(sql) && !WITHOUT.iter().any(|known| sql.contains(known)))
        .collect();
    assert_eq!(without, Vec::<&String>::new());
    assert!(seen.len() > 150, "{} statements", seen.len());
    // Session state that PgBouncer and sharding engines do not support; migrations may lock a table.
    let kept = ["advisory", "listen ", "notify", "temporary table", "temp table", "set session"];
    let keeps = |sql: &&String| kept.iter().any(|word| sql.to_lowercase().contains(word));
    assert_eq!(seen.iter().filter(keeps).collect::<Vec<_>>(), Vec::<&String>::new());
}
