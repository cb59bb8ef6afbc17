//! The client side, tested with a small crate in the style of generated code, against a server on a socket.
#![expect(unreachable_pub, reason = "the files of a generated crate are read as they are")]

mod accounts;
mod files;
mod models;
mod pages;
mod security;

mod calls;
mod credentials;
mod errors;
mod lists;
mod retries;
mod script;
mod streams;
mod transport;

use codegen_runtime as runtime;
