//! What every generated crate is built on.

