//! The tools of the description that has every feature, called through the protocol.

mod caller;
mod over_http;
mod requests;
mod results;

const PROGRAM: &str = env!("CARGO_BIN_EXE_compiled-mcp");
