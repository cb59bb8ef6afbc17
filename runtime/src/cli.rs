//! Operations as commands of a program, on top of a client.
//!
//! A generated crate has a table of [`Command`]s and the schemas of their arguments; [`run`] does the rest.

mod call;
mod curl;
mod failure;
mod flag;
mod input;
mod output;
mod parser;
mod profile;
mod program;
mod run;
mod schema;
mod table;
mod text;

pub use program::{Command, Credential, Group, Page, Program};
pub use run::run;
