//! Sends random valid values through a generated client into a generated server and back, and breaks their rules.
//!
//! `wire-program` writes a program for a description; it says how the client is called and how the server answers, and
//! everything else is here. Values are made by `specwright-exchange`, which reads the description on its own: a mistake of
//! the generator would not be found by its own reading.

mod breaking;
mod capture;
mod operation;
mod report;
mod run;
mod scene;
mod stage;

pub use operation::{Calling, Operation};
pub use run::{http, run};
pub use stage::{Failed, Stage};

/// The place of a value in a request or an answer; programs name theirs in their source.
pub type Place = specwright_exchange::Place<'static>;
