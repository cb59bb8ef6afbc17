//! Standbys that answer reads, each as soon as it has everything that was written before the read.

use std::{
    fmt,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use deadpool_postgres::Pool;

use super::{connection, error::root_cause};
use crate::store::{Error, Location};

/// A read waits so long for a standby to have what was written; then the primary answers it.
const BEHIND: Duration = Duration::from_millis(20);
/// The pause between two looks at how far a standby is.
const LOOK: Duration = Duration::from_millis(1);
/// A standby has so long to say how far it is, a connection included.
const ANSWER: Duration = Duration::from_millis(250);
/// One that is behind is left alone for so long.
const CATCHES_UP: Duration = Duration::from_millis(100);
/// One that fails is left alone for so long.
const FAILED: Duration = Duration::from_secs(1);

/// How far the primary has written: whatever was acknowledged by now is before it. And which database it is, of which cluster.
const WRITTEN: &str = "SELECT (CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn()
                                   ELSE pg_current_wal_flush_lsn() END)::text,
                              (SELECT system_identifier FROM pg_control_system()) || '/' || current_database()";

/// Whether a standby of that database has everything up to there. One that follows no primary may have a past of its own.
const HAS: &str = "SELECT pg_is_in_recovery() AND pg_last_wal_replay_lsn() >= $1::text::pg_lsn
                       AND EXISTS (SELECT FROM pg_stat_wal_receiver)
                       AND (SELECT system_identifier FROM pg_control_system()) || '/' || current_database() = $2";

/// How far a primary is.
struct Written {
    position: String,
    database: String,
}

/// The standbys of a primary.
#[derive(Debug, Default)]
pub(super) struct Replicas {
    all: Vec<Replica>,
    /// Whose turn it is.
    turn: AtomicUsize,
}

/// A standby.
pub(super) struct Replica {
    name: String,
    pub(super) pool: Pool,
    /// It is left alone until then.
    rests: Mutex<Option<Instant>>,
}

impl fmt::Debug for Replica {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.name)
    }
}

impl Replicas {
    /// Those at these URLs, with at most so many connections to each. None is made yet.
    pub(super) fn new(urls: &[String], connections: usize) -> Result<Self, Error> {
        let replica = |url: &String| {
            let pool = connection::pool(url, connections, ANSWER)?;
            Ok(Replica { name: Location::Postgres(url.clone()).to_string(), pool, rests: Mutex::default() })
        };
        Ok(Self { all: urls.iter().map(replica).collect::<Result<_, Error>>()?, turn: AtomicUsize::new(0) })
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// One that has all that was written before now; none when the primary is to be read.
    pub(super) async fn caught_up(&self, primary: &Pool) -> Option<&Replica> {
        let first = self.turn.fetch_add(1, Ordering::Relaxed);
        let mut known = None;
        for further in 0..self.all.len() {
            let replica = &self.all[first.wrapping_add(further) % self.all.len()];
            if !replica.is_awake() {
                continue;
            }
            let written = match known.take() {
                Some(written) => written,
                // A primary that cannot be asked says so to who reads it.
                None => written(primary).await.ok()?,
            };
            let has = tokio::time::timeout(ANSWER, replica.has(&written)).await;
            known = Some(written);
            match has {
                Ok(Ok(true)) => {
                    replica.rest(None);
                    return Some(replica);
                }
                Ok(Ok(false)) => replica.rest(Some(CATCHES_UP)),
                Ok(Err(error)) => replica.fail(&error),
                Err(_) => replica.fail(&Error::Busy),
            }
        }
        None
    }

    pub(super) fn close(&self) {
        for replica in &self.all {
            replica.pool.close();
        }
    }

    /// What each one is, for those who operate it, and whether it is read.
    pub(super) async fn about(&self, primary: &Pool) -> Vec<(String, bool)> {
        let mut about = Vec::with_capacity(self.all.len());
        for replica in &self.all {
            let described = match written(primary).await {
                Ok(written) => {
                    tokio::time::timeout(ANSWER * 20, replica.about(&written)).await.unwrap_or(Err(Error::Busy))
                }
                Err(error) => Err(error),
            };
            let name = &replica.name;
            about.push(match described {
                Ok((described, is_read)) => (format!("{name}: {described}"), is_read),
                Err(error) => (format!("{name} cannot be read: {}", root_cause(&error)), false),
            });
        }
        about
    }
}

impl Replica {
    /// Notes that a read of it failed: others are read for a moment.
    pub(super) fn fail(&self, error: &Error) {
        tracing::warn!(replica = self.name, error = error as &dyn std::error::Error, "a replica cannot be read");
        self.rest(Some(FAILED));
    }

    fn rest(&self, pause: Option<Duration>) {
        *self.rests.lock().unwrap_or_else(PoisonError::into_inner) = pause.map(|pause| Instant::now() + pause);
    }

    /// Whether it may be read. Of those that come after its rest, one tries it.
    fn is_awake(&self) -> bool {
        let mut rests = self.rests.lock().unwrap_or_else(PoisonError::into_inner);
        match *rests {
            Some(until) if Instant::now() < until => false,
            Some(_) => {
                *rests = Some(Instant::now() + ANSWER);
                true
            }
            None => true,
        }
    }

    /// Whether it has everything up to there, soon at least.
    async fn has(&self, written: &Written) -> Result<bool, Error> {
        let connection = self.pool.get().await.map_err(Error::database)?;
        let statement = connection.prepare_cached(HAS).await?;
        let begin = Instant::now();
        loop {
            if connection
                .query_one(&statement, &[&written.position, &written.database])
                .await?
                .try_get::<_, Option<bool>>(0)?
                == Some(true)
            {
                return Ok(true);
            }
            if begin.elapsed() >= BEHIND {
                return Ok(false);
            }
            tokio::time::sleep(LOOK).await;
        }
    }

    async fn about(&self, written: &Written) -> Result<(String, bool), Error> {
        let sql =
            "SELECT current_setting('server_version'), pg_is_in_recovery(), EXISTS (SELECT FROM pg_stat_wal_receiver),
                          (SELECT system_identifier FROM pg_control_system()) || '/' || current_database() = $2,
                          greatest($1::text::pg_lsn - pg_last_wal_replay_lsn(), 0)::bigint";
        let connection = self.pool.get().await.map_err(Error::database)?;
        let row = connection.query_one(sql, &[&written.position, &written.database]).await?;
        let (version, is_standby, follows): (String, bool, bool) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
        let (is_same, behind): (bool, Option<i64>) = (row.try_get(3)?, row.try_get(4)?);
        let is_read = is_same && is_standby && follows && behind.is_some();
        let described = match behind {
            _ if !is_same => format!("PostgreSQL {version} with another database: it is never read"),
            _ if !is_standby => format!("PostgreSQL {version}, which is no standby: it is never read"),
            _ if !follows => format!("PostgreSQL {version}, which follows no primary: it is not read until it does"),
            Some(0) => format!("PostgreSQL {version}, a standby that has everything"),
            Some(behind) => format!("PostgreSQL {version}, a standby, {behind} bytes of changes behind"),
            None => format!("PostgreSQL {version}, a standby that has nothing yet"),
        };
        Ok((described, is_read))
    }
}

async fn written(primary: &Pool) -> Result<Written, Error> {
    let connection = primary.get().await?;
    let statement = connection.prepare_cached(WRITTEN).await?;
    let row = connection.query_one(&statement, &[]).await?;
    Ok(Written { position: row.try_get(0)?, database: row.try_get(1)? })
}
