//! The client side, tested with the crate that is generated from `client.yaml`, against a server on a socket.

mod calls;
mod credentials;
mod errors;
mod lists;
mod retries;
mod script;
mod streams;
mod transport;

use runtime_client::{Client, ClientBuilder, accounts, files, models, runtime, security};
