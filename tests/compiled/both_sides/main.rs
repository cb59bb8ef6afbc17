//! The crates generated from `fixtures/everything.yaml` talk to each other.

mod albums;
mod arbitrary;
mod as_sent;
mod blocking;
mod callbacks;
mod checked_responses;
mod constraints;
mod contents;
mod echo;
mod formats;
mod forms;
mod mocked;
mod models;
mod moments;
mod own_forms;
mod own_types;
mod pages;
mod parameters;
mod parts;
mod renamed;
mod responses;
mod routes;
mod same_schemas;
mod security;
mod serve;
mod server_choice;
mod servers;
mod spans;
mod streams;
mod traits;
mod xml;

use {compiled_client as client_side, compiled_server as server_side};
