//! Both sides of a part of the description with every feature, each with a copy of the runtime.

/// The strict side.
pub mod server {
    include!(concat!(env!("OUT_DIR"), "/server/lib.rs"));
}

/// The tolerant side.
pub mod client {
    include!(concat!(env!("OUT_DIR"), "/client/lib.rs"));
}
