//! The crates generated from `fixtures/everything.yaml` talk to each other.

mod callbacks;
mod constraints;
mod contents;
mod echo;
mod formats;
mod models;
mod own_types;
mod pages;
mod parameters;
mod renamed;
mod responses;
mod routes;
mod same_schemas;
mod security;
mod servers;
mod streams;
mod traits;
