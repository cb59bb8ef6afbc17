//! The command line, through the real binary.

mod bench;
mod diff;
mod explain;
mod generate;
mod lint;
mod list;
mod overlay;
mod policies;
