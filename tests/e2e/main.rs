//! The service, end to end: through the generated client, over a socket, on a real store.

mod access;
mod accounts;
mod agents;
mod app;
mod attachments;
mod changes;
mod chart_of_accounts;
mod conditions;
mod connections;
mod contacts;
mod downloads;
mod idempotency;
mod injection;
mod limits;
mod lists;
mod operations;
mod properties;
mod records;
mod reference_data;
mod scan_runs;
mod scans;
mod scene;
mod scopes;
mod settings;
mod temporary_uploads;
mod visibility;
