//! The server side, driven through a small crate that looks as if it had been generated.
#![expect(unreachable_pub, reason = "the files of a generated crate are read as they are")]

mod accounts;
mod models;
mod router;
mod security;

mod bodies;
mod credentials;
mod failures;
mod layers;
mod multipart;
mod negotiation;
mod queries;
mod routing;
mod service;
mod violations;

use codegen_runtime as runtime;
