//! The service, end to end: through the generated client, over a socket, on a SQLite file.

mod access;
mod accounts;
mod agents;
mod app;
mod attachments;
mod browser;
mod bucket;
mod changes;
mod chart_of_accounts;
mod conditions;
mod connections;
mod contacts;
mod docs;
mod downloads;
mod every_operation;
mod idempotency;
mod injection;
mod layers;
mod limits;
mod lists;
mod metrics;
mod operations;
mod properties;
mod records;
mod reference_data;
mod requests;
mod retention;
mod scan_runs;
mod scans;
mod scene;
mod scopes;
mod settings;
mod statements;
mod temporary_uploads;
mod tls;
mod visibility;
mod waiting;

/// The setting `store` for a fresh store.
fn store() -> String {
    String::new()
}
