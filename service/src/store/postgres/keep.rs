//! Protects contents while a process needs them, from the sweeps of all processes.

use std::time::Duration;

use deadpool_postgres::Pool;
use tokio::task::JoinHandle;

use super::{
    connection,
    session::{Limits, Session},
};
use crate::store::{Error, Location, Options, direct::Direct, migration, statement::Statement, value::values};

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
            Some(lease) if !renew(&lease.pool).await? => Err(Error::NotKept),
            _ => Ok(()),
        }
    }
}

/// How long a renewal protects them: longer than the server needs to restart.
const TERM: Duration = Duration::from_mins(2);
/// The interval of renewals.
const PAUSE: Duration = Duration::from_secs(20);

/// The current time, as it is stored.
pub(in crate::store) const NOW: &str = "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint";

/// Protects contents until it is dropped, and for one term longer. The protection expires if the process
/// dies.
#[derive(Debug)]
struct Lease {
    pool: Pool,
    saying: JoinHandle<()>,
}

impl Lease {
    async fn take(url: &str, options: &Options) -> Result<Self, Error> {
        let pool = connection::pool(options.owner.as_deref().unwrap_or(url), 1, options.bounds.write)?;
        let direct = Direct::reading(&Location::Postgres(url.to_owned()), options)?;
        migration::ensure_current(&direct, &direct.look().await?).await?;
        if !say(&pool, "").await? {
            return Err(Error::Damaged("the table `kept_contents` has no row".into()));
        }
        let own = pool.clone();
        let saying = tokio::spawn(async move {
            loop {
                tokio::time::sleep(PAUSE).await;
                // The end of the lease checks whether all renewals were in time.
                if let Err(error) = renew(&own).await {
                    tracing::warn!(error = &error as &dyn std::error::Error, "contents are not kept for longer yet");
                }
            }
        });
        Ok(Self { pool, saying })
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.saying.abort();
        self.pool.close();
    }
}

/// Returns false once the protection has expired.
async fn renew(pool: &Pool) -> Result<bool, Error> {
    say(pool, &format!("AND until > {NOW}")).await
}

async fn say(pool: &Pool, condition: &str) -> Result<bool, Error> {
    // Do not wait for a standby: the end of the lease detects a renewal that was lost with the primary.
    let begin = "BEGIN; SET LOCAL synchronous_commit = local".to_owned();
    let session = Session::open(pool, begin, Limits::NONE).await?;
    let sql =
        format!("UPDATE kept_contents SET until = greatest(until, {NOW} + $1) WHERE id = 1 {condition} RETURNING 1");
    let term = i64::try_from(TERM.as_micros()).unwrap_or(i64::MAX);
    let said = session.all(&[Statement::new(sql, values![term])]).await?;
    session.finish(&[]).await?;
    Ok(said.iter().any(|rows| !rows.is_empty()))
}
