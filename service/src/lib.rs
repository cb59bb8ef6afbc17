//! The business-management service: the interface's logic on a real store.

pub mod blob;
pub mod config;
pub mod domain;
pub mod http;
