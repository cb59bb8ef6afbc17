//! Protects contents of attachments while a process needs them.

use super::{Error, Location, Options, postgres::keep::Lease};

/// Protects the contents of a store until it is dropped or the process ends. An embedded store uses its
/// folder's lock instead.
#[derive(Debug)]
pub struct KeptContents(Option<Lease>);

impl KeptContents {
    /// Starts the protection.
    pub async fn keep(location: &Location, options: &Options) -> Result<Self, Error> {
        Ok(Self(match location {
            Location::Sqlite(_) => None,
            Location::Postgres(url) => Some(Lease::take(url, options).await?),
        }))
    }

    /// Ends the protection; fails if it was interrupted, for example because the database was unreachable for
    /// minutes.
    pub async fn end(self) -> Result<(), Error> {
        match self.0 {
            Some(lease) => lease.end().await,
            None => Ok(()),
        }
    }
}
