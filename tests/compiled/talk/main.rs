//! The crates generated from `fixtures/everything.yaml` talk to each other.

mod echo;
mod models;
mod parameters;
