//! What the service of a proof keeps its records in.

use std::sync::OnceLock;

use clap::ValueEnum;
use tests_postgres::{Durability, Server};

use crate::service::Start;

/// A kind of store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Store {
    /// The one that comes with the program.
    Sqlite,
    /// PostgreSQL, on a server of the proof's own, which writes through to the disk.
    Postgres,
}

impl Store {
    /// Why there is none on this machine.
    pub fn missing(self) -> Option<&'static str> {
        let is_missing = self == Self::Postgres && !tests_postgres::is_installed();
        is_missing.then_some("PostgreSQL is not installed: `apt-get install postgresql`")
    }

    /// What the 99th percentile of good callers has to be next to an attack, at most, in milliseconds.
    pub fn percentile(self) -> f64 {
        match self {
            Self::Sqlite => 50.0,
            Self::Postgres => 250.0,
        }
    }

    /// A service with sample data in a new store, and with the limit of calls off: most proofs call more often than callers
    /// may.
    pub fn start(self) -> Start {
        static SERVER: OnceLock<Server> = OnceLock::new();
        match self {
            Self::Sqlite => Start::new(),
            Self::Postgres => {
                let server = SERVER.get_or_init(|| Server::start(Durability::Full));
                Start::new().on(&server.database())
            }
        }
    }
}
