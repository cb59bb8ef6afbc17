#![doc = include_str!("../README.md")]
//! # Features
//!
//! Each concern is an additive cargo feature. [`version::check`] is what generated code checks at compile time.
//!
//! | feature | modules |
//! |---|---|
//! | | [`json`], [`parameter`], [`text`], [`violation`], [`foreign`], [`unknown`], [`with`], [`wrapped`], [`version`] |
//! | `client` | [`client`], over reqwest |
//! | `blocking` | `blocking`: calls in code that is not async |
//! | `server` | [`server`], over axum; brings `rule` |
//! | `check-responses` | in [`server`], `Options::check_responses`: responses checked by the description, for development and tests |
//! | `rule` | [`rule`]: constraints of a description beyond types |
//! | `schema` | in [`rule`], keywords that are checked by the crate `jsonschema`, such as `if` and `contains` |
//! | `stream` | with a side, [`stream`] and the module of that side: [`client_stream`], [`server_stream`] |
//! | `multipart-read`, `multipart-write` | with a side, [`multipart`]: bodies of parts that are read, and that are written |
//! | `object-parameter` | in [`parameter`] and [`rule`], objects with named members as parameters and forms |
//! | `pages` | in [`client`], paginated lists |
//! | `tracing` | with a side, spans: of each call in [`client`], of each request in [`server`] |
//! | `arbitrary` | `arbitrary`: valid values of models, and broken ones, for fuzzing and property tests |
//! | `arguments` | [`arguments`]: requests of a client from JSON values by name; `cli` and `mcp` bring it |
//! | `cli` | [`cli`]: operations of a client as commands of a program |
//! | `mcp` | [`mcp`]: operations of a client as tools of the Model Context Protocol |
//! | `tuple`, `union` | in [`json`] and [`rule`], arrays with a type per position, and values of several
//! types |
//! | `chrono`, `decimal`, `time`, `uuid` | [`mod@chrono`], [`decimal`], [`mod@time`] and [`mod@uuid`]: types of those crates; with `rule`, their rules |
//! | `serde` | [`serde`]: the traits of serde for models |
//! | `xml` | [`xml`]: bodies in XML, in the modules of both sides too |
//! | `foreign-json` | [`foreign_json`]: types of other crates that serde reads and writes |
#![cfg_attr(
    not(feature = "default"),
    allow(rustdoc::broken_intra_doc_links, reason = "modules of features that are off")
)]

#[cfg(feature = "arbitrary")]
pub mod arbitrary;
#[cfg(feature = "arguments")]
pub mod arguments;
#[cfg(feature = "blocking")]
pub mod blocking;
#[cfg(any(feature = "client", all(feature = "server", any(feature = "multipart-read", feature = "multipart-write"))))]
mod byte_stream;
#[cfg(any(feature = "client", feature = "server"))]
mod charset;
#[cfg(feature = "chrono")]
pub mod chrono;
#[cfg(all(feature = "chrono", feature = "rule"))]
pub mod chrono_rule;
#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "client")]
pub mod client;
#[cfg(all(feature = "client", feature = "stream"))]
pub mod client_stream;
#[cfg(feature = "decimal")]
pub mod decimal;
#[cfg(all(feature = "decimal", feature = "rule"))]
pub mod decimal_rule;
pub mod foreign;
#[cfg(feature = "foreign-json")]
pub mod foreign_json;
pub mod json;
#[cfg(feature = "mcp")]
pub mod mcp;
#[cfg(any(feature = "client", feature = "server"))]
mod media_type;
#[cfg(all(any(feature = "multipart-read", feature = "multipart-write"), any(feature = "client", feature = "server")))]
pub mod multipart;
pub mod parameter;
#[cfg(any(feature = "client", all(feature = "server", feature = "multipart-write")))]
mod piece;
#[cfg(feature = "rule")]
pub mod rule;
#[cfg(any(feature = "client", feature = "server"))]
mod scheme;
#[cfg(feature = "serde")]
pub mod serde;
#[cfg(feature = "server")]
pub mod server;
#[cfg(all(feature = "server", feature = "stream"))]
pub mod server_stream;
#[cfg(all(feature = "stream", any(feature = "client", feature = "server")))]
pub mod stream;
#[cfg(any(feature = "chrono", feature = "time"))]
mod strict_time;
pub mod text;
#[cfg(feature = "time")]
pub mod time;
#[cfg(all(feature = "time", feature = "rule"))]
pub mod time_rule;
pub mod unknown;
#[cfg(feature = "uuid")]
pub mod uuid;
#[cfg(all(feature = "uuid", feature = "rule"))]
pub mod uuid_rule;
pub mod version;
pub mod violation;
pub mod with;
#[cfg(feature = "rule")]
pub mod with_rule;
pub mod wrapped;
#[cfg(feature = "xml")]
pub mod xml;
