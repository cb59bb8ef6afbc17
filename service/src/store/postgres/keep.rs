//! Protects contents while a process needs them, from the sweeps of all processes.

use super::session::{Limits, Session};
use crate::store::{Error, Location, Options, direct::Direct, migration, statement::Statement, value::values};

/// The advisory lock that those who need contents share, and that a sweep takes alone: "bms1".
pub(in crate::store) const KEPT: i64 = 0x626d_7331;

/// Protects the contents of a store until it is dropped or the process ends. An embedded store uses its
/// folder's lock instead.
pub struct KeptContents(Option<Session>);

impl KeptContents {
    /// Starts the protection.
    pub async fn keep(location: &Location, options: &Options) -> Result<Self, Error> {
        let direct = Direct::reading(location, options)?;
        let Direct::Postgres { pool, .. } = &direct else { return Ok(Self(None)) };
        migration::ensure_current(&direct, &direct.look().await?).await?;
        // The transaction has no snapshot, so that the server can remove old rows meanwhile.
        let begin = "BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0".to_owned();
        let session = Session::open(pool, begin, Limits::NONE, None).await?;
        session.all(&[Statement::new("SELECT pg_advisory_xact_lock_shared($1)", values![KEPT])]).await?;
        Ok(Self(Some(session)))
    }

    /// Ends the protection; fails if it has ended before, because the connection to the database was lost.
    pub async fn end(self) -> Result<(), Error> {
        match self.0 {
            Some(session) => session.finish(&[]).await.map_err(|_| Error::NotKept),
            None => Ok(()),
        }
    }
}
