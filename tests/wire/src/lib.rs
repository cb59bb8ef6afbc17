//! Sends random valid values through a generated client into a generated server and back, and breaks their rules.
//!
//! `wire-program` writes a program for a description; it says how the client is called and how the server answers, and
//! everything else is here. Values are made from the description itself, which this crate reads on its own: a mistake of
//! the generator would not be found by its own reading.

mod breaking;
mod capture;
mod document;
mod frames;
mod impossible;
mod make;
mod operation;
mod place;
mod query;
mod report;
mod route;
mod run;
mod scene;
mod schema;
mod stage;

pub use operation::{Calling, Operation};
pub use place::Place;
pub use run::{http, run};
pub use stage::{Failed, Stage};
