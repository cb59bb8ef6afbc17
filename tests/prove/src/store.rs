//! Kinds of stores.

use std::sync::OnceLock;

use clap::ValueEnum;
use tests_postgres::{Durability, Server};

use crate::service::Start;

/// A kind of store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Store {
    /// The one that comes with the program.
    Sqlite,
    /// PostgreSQL, on a temporary server with durable commits.
    Postgres,
}

impl Store {
    /// Why it is unavailable on this machine.
    pub fn missing(self) -> Option<&'static str> {
        let is_missing = self == Self::Postgres && !tests_postgres::is_installed();
        is_missing.then_some("PostgreSQL is not installed: `apt-get install postgresql`")
    }

    /// Goal for the 99th percentile of well-behaved callers during an attack, in milliseconds.
    pub fn percentile(self) -> f64 {
        match self {
            Self::Sqlite => 50.0,
            Self::Postgres => 250.0,
        }
    }

    /// A service with sample data in a new store, without a rate limit: most proofs exceed it.
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
