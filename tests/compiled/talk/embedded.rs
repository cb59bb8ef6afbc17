//! Generated modules with copies of the runtime talk to each other as the crates do that depend on it.
#![allow(clippy::useless_conversion, reason = "types of other crates are wrapped where the runtime is a crate")]

mod moments;
mod own_forms;
mod own_types;
mod serve;
mod spans;
mod streams;

use compiled_embedded::{client as client_side, server as server_side};
