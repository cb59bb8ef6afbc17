//! Standbys that serve reads, each once it has replayed everything written before the read.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::{Duration, Instant},
};

use deadpool_postgres::Pool;
use parking_lot::Mutex;

use super::connection;
use crate::{
    causes::root_cause,
    store::{Error, Location},
};

/// How long a read waits for a standby to catch up; then the primary serves it.
const BEHIND: Duration = Duration::from_millis(20);
/// Polling interval of a standby's position.
const LOOK: Duration = Duration::from_millis(1);
/// Time limit for asking a standby, including the connection.
const ANSWER: Duration = Duration::from_millis(250);
/// How long a lagging standby is not used.
const CATCHES_UP: Duration = Duration::from_millis(100);
/// How long a failing standby is not used.
const FAILED: Duration = Duration::from_secs(1);

/// The primary's write position, which includes every acknowledged write, and the identity of its database
/// and cluster.
const WRITTEN: &str = "SELECT (CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn()
                                   ELSE pg_current_wal_flush_lsn() END)::text,
                              (SELECT system_identifier FROM pg_control_system()) || '/' || current_database()";

/// Whether a standby of that database has replayed up to a position. A server that is not in recovery may
/// have diverged.
const HAS: &str = "SELECT pg_is_in_recovery() AND pg_last_wal_replay_lsn() >= $1::text::pg_lsn
                       AND EXISTS (SELECT FROM pg_stat_wal_receiver)
                       AND (SELECT system_identifier FROM pg_control_system()) || '/' || current_database() = $2";

/// The position of a primary.
struct Written {
    position: String,
    database: String,
}

/// The standbys of a primary.
pub(super) struct Replicas {
    all: Vec<Replica>,
    /// The next standby to try.
    turn: AtomicUsize,
}

/// A standby.
pub(super) struct Replica {
    name: String,
    pub(super) pool: Pool,
    /// It is not used until then.
    rests: Mutex<Option<Instant>>,
}

impl Replicas {
    /// The standbys at these URLs, with a limit of connections to each. Connects lazily.
    pub(super) fn new(urls: &[String], connections: usize) -> Result<Self, Error> {
        let replica = |url: &String| {
            let pool = connection::pool(url, connections, ANSWER)?;
            Ok(Replica { name: Location::Postgres(url.clone()).to_string(), pool, rests: Mutex::default() })
        };
        Ok(Self { all: urls.iter().map(replica).collect::<Result<_, Error>>()?, turn: AtomicUsize::new(0) })
    }

    /// Whether there are no standbys.
    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// A standby that has caught up; `None` to read from the primary.
    pub(super) async fn caught_up(&self, primary: &Pool) -> Option<&Replica> {
        let first = self.turn.fetch_add(1, Ordering::Relaxed);
        let mut written = None;
        for further in 0..self.all.len() {
            let replica = &self.all[first.wrapping_add(further) % self.all.len()];
            if !replica.is_awake() {
                continue;
            }
            let written = match &written {
                Some(written) => written,
                // If the primary cannot be asked, the read itself reports it.
                None => written.insert(self::written(primary).await.ok()?),
            };
            match tokio::time::timeout(ANSWER, replica.has(written)).await {
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

    /// A description of each standby for operators, and whether it is used.
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
    /// Records a failed read: other standbys are used for a while.
    pub(super) fn fail(&self, error: &Error) {
        tracing::warn!(replica = self.name, error = error as &dyn std::error::Error, "a replica cannot be read");
        self.rest(Some(FAILED));
    }

    fn rest(&self, pause: Option<Duration>) {
        *self.rests.lock() = pause.map(|pause| Instant::now() + pause);
    }

    /// Whether it may be used. After a pause, one read tries it first.
    fn is_awake(&self) -> bool {
        let mut rests = self.rests.lock();
        match *rests {
            Some(until) if Instant::now() < until => false,
            Some(_) => {
                *rests = Some(Instant::now() + ANSWER);
                true
            }
            None => true,
        }
    }

    /// Whether it reaches that position soon.
    async fn has(&self, written: &Written) -> Result<bool, Error> {
        let connection = self.pool.get().await.map_err(Error::database)?;
        let statement = connection.prepare_cached(HAS).await?;
        let begin = Instant::now();
        loop {
            let row = connection.query_one(&statement, &[&written.position, &written.database]).await?;
            if row.try_get::<_, Option<bool>>(0)? == Some(true) {
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
