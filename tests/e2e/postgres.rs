//! The service, end to end, on PostgreSQL: the tests of `main.rs` that involve the store.

tests_postgres::with_postgres! {
    mod access;
    mod accounts;
    mod agents;
    mod app;
    mod attachments;
    mod bucket;
    mod changes;
    mod chart_of_accounts;
    mod conditions;
    mod copies;
    mod contacts;
    mod downloads;
    mod every_operation;
    mod failover;
    mod failures;
    mod idempotency;
    mod injection;
    mod limits;
    mod lists;
    mod operations;
    mod pool;
    mod processes;
    mod properties;
    mod records;
    mod reference_data;
    mod replicas;
    mod retention;
    mod retries;
    mod roles;
    mod scan_runs;
    mod scans;
    mod scene;
    mod scopes;
    mod settings;
    mod shards;
    mod temporary_uploads;
    mod trips;
    mod visibility;
    mod waiting;

    /// The setting `store` for a fresh store with the sample data.
    fn store() -> String {
        tests_postgres::for_service(&tests_postgres::filled_database(app::fill))
    }
}
