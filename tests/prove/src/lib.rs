//! Proofs that the running service keeps its promises: attacks, faults and load against the real program.

pub mod attachment_script;
pub mod attack;
pub mod caller;
pub mod callers;
pub mod changes;
pub mod connection;
pub mod data;
pub mod faults;
pub mod figure;
pub mod files;
pub mod inside;
pub mod proof;
pub mod proxy;
pub mod script;
pub mod service;
pub mod store;
pub mod written;
