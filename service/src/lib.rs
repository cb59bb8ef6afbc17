//! The business-management service: the interface's logic on a real store.

pub mod blob;
pub mod cli;
pub mod config;
pub mod domain;
pub mod http;
pub mod log;
pub mod store;
