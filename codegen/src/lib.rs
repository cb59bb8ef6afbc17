//! Turns an OpenAPI description into a server crate and a client crate, all in memory.

pub mod ir;
