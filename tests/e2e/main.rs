//! The service, end to end: through the generated client, over a socket, on a real store.

mod accounts;
mod app;
mod lists;
mod records;
