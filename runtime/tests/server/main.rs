//! The server side, tested with the crate that is generated from `server.yaml`.

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

use runtime_server::{accounts, models, router, runtime, security};
