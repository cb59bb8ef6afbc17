//! What every generated crate is built on.

pub mod client;
pub mod client_stream;
pub mod decimal;
pub mod decimal_rule;
pub mod foreign;
pub mod foreign_json;
pub mod json;
pub mod parameter;
pub mod rule;
pub mod serde;
pub mod server;
pub mod server_stream;
pub mod stream;
pub mod text;
pub mod unknown;
pub mod uuid;
pub mod uuid_rule;
pub mod violation;
