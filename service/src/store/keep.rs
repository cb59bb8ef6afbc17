//! Contents of attachments that stay while a process needs them.

use super::{Error, Location, Options, postgres::keep::Lease};

/// Until it is dropped, or the process is over, no process forgets contents of the store. An embedded store needs none:
/// its folder has a lock.
#[derive(Debug)]
pub struct KeptContents(Option<Lease>);

impl KeptContents {
    /// From now on they stay.
    pub async fn keep(location: &Location, options: &Options) -> Result<Self, Error> {
        Ok(Self(match location {
            Location::Sqlite(_) => None,
            Location::Postgres(url) => Some(Lease::take(url, options).await?),
        }))
    }

    /// Fails when they did not stay all the time, such as when the database was away for minutes.
    pub async fn end(self) -> Result<(), Error> {
        match self.0 {
            Some(lease) => lease.end().await,
            None => Ok(()),
        }
    }
}
