//! The server side, tested with a small crate in the style of generated code.
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
