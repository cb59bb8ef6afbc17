//! The business-management service.

pub mod api;
pub mod backup;
pub mod blob;
mod causes;
pub mod cli;
pub mod command;
pub mod config;
pub mod disk;
mod docs;
pub mod doctor;
pub mod domain;
pub mod export;
pub mod folder;
pub mod health;
pub mod http;
pub mod import;
pub mod log;
pub mod metrics;
pub mod open_files;
pub mod place;
pub mod private;
pub mod sample;
pub mod scheduler;
pub mod shares;
pub mod start;
pub mod store;
pub mod sweep;
