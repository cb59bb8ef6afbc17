//! The list of proofs.

mod attacks;
mod backups;
mod by_tests;
mod conflicts;
mod contract;
mod database_calls;
mod database_disk;
mod database_gone;
mod disk_full;
mod file_names;
mod graceful_stop;
mod idempotency;
mod idle_connections;
mod image_bombs;
mod io_errors;
mod json_bombs;
mod kills;
mod mixed_load;
mod oversized;
mod paging;
mod patch_abuse;
mod power_loss;
mod s3_calls;
mod secrets;
mod slow_bodies;
mod slow_heads;
mod smuggling;
mod sniffing;
mod soak;
mod store_locked;
mod target;
mod timing;
mod token_guessing;
mod upgrades;
mod visibility;

use anyhow::Result;

use crate::{figure::Outcome, store::Store};

/// How thorough a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A few seconds, for every change.
    Short,
    /// Complete, possibly minutes or hours.
    Long,
}

/// A promise, and its test.
pub struct Proof {
    /// The name on the command line.
    pub name: &'static str,
    /// The promise, in a line.
    pub about: &'static str,
    /// The test.
    pub run: Run,
}

/// The test of a promise.
#[derive(Clone, Copy)]
pub enum Run {
    /// For every kind of store.
    Any(fn(Form, Store) -> Result<Outcome>),
    /// For one kind of store only.
    Only(Store, fn(Form) -> Result<Outcome>),
}

impl Proof {
    /// Runs it with this kind of store; `None` if it does not apply.
    pub fn run(&self, form: Form, store: Store) -> Option<Result<Outcome>> {
        match self.run {
            Run::Any(run) => Some(run(form, store)),
            Run::Only(only, run) => (only == store).then(|| run(form)),
        }
    }
}

/// Every proof.
pub const PROOFS: &[Proof] = &[
    Proof {
        name: "attacks",
        about: "callers get timely responses while another caller attacks",
        run: Run::Any(attacks::run),
    },
    Proof {
        name: "backups",
        about: "backups made under load are complete, private and restorable",
        run: Run::Any(backups::run),
    },
    Proof {
        name: "conflicts",
        about: "no change is lost when many clients write with `If-Match`",
        run: Run::Any(conflicts::run),
    },
    Proof { name: "contract", about: "every response conforms to the description", run: Run::Any(contract::run) },
    Proof {
        name: "database-calls",
        about: "a lost call to the database, or a lost reply, causes no wrong response",
        run: Run::Only(Store::Postgres, database_calls::run),
    },
    Proof {
        name: "database-disk",
        about: "a full or failing disk of the database server loses no acknowledged write",
        run: Run::Only(Store::Postgres, database_disk::run),
    },
    Proof {
        name: "database-kills",
        about: "killing the database server loses nothing; the service needs no restart",
        run: Run::Only(Store::Postgres, database_gone::kills),
    },
    Proof {
        name: "database-stopped",
        about: "without its database the service responds with 503, and recovers with it",
        run: Run::Only(Store::Postgres, database_gone::stopped),
    },
    Proof {
        name: "disk-full",
        about: "a full disk refuses writes and loses nothing; writes resume once there is space",
        run: Run::Only(Store::Sqlite, disk_full::run),
    },
    Proof {
        name: "due-scans",
        about: "two processes together run each scan of a month exactly once",
        run: Run::Only(Store::Postgres, by_tests::due_scans),
    },
    Proof {
        name: "failover",
        about: "a standby replaces the database server, and no acknowledged write is lost",
        run: Run::Only(Store::Postgres, database_gone::failover),
    },
    Proof {
        name: "file-names",
        about: "hostile file names are never used on disk, and responses encode them safely",
        run: Run::Any(file_names::run),
    },
    Proof {
        name: "graceful-stop",
        about: "a service that stops responds to every request it has received",
        run: Run::Any(graceful_stop::run),
    },
    Proof {
        name: "idempotency",
        about: "requests with the same key take effect once",
        run: Run::Any(idempotency::run),
    },
    Proof {
        name: "idle-connections",
        about: "thousands of idle connections are kept; connections above the maximum are refused",
        run: Run::Any(idle_connections::run),
    },
    Proof { name: "image-bombs", about: "no image exhausts memory or processor time", run: Run::Any(image_bombs::run) },
    Proof {
        name: "injection",
        about: "text in requests is never executed as SQL",
        run: Run::Only(Store::Sqlite, by_tests::injection),
    },
    Proof {
        name: "io-errors",
        about: "a failing call to the disk causes no wrong response",
        run: Run::Only(Store::Sqlite, io_errors::run),
    },
    Proof { name: "json-bombs", about: "hostile JSON is refused quickly", run: Run::Any(json_bombs::run) },
    Proof { name: "kills", about: "`kill -9` loses no acknowledged write", run: Run::Any(kills::run) },
    Proof {
        name: "mixed-load",
        about: "every response is declared, and short reads stay fast next to long ones",
        run: Run::Any(mixed_load::run),
    },
    Proof {
        name: "oversized",
        about: "what exceeds a limit is refused, and the caller reads the reason",
        run: Run::Any(oversized::run),
    },
    Proof {
        name: "paging",
        about: "following the links of a list misses and repeats no record, despite concurrent writes",
        run: Run::Any(paging::run),
    },
    Proof {
        name: "patch-abuse",
        about: "no JSON Patch grows without bound or reveals a hidden member",
        run: Run::Any(patch_abuse::run),
    },
    Proof {
        name: "power-loss",
        about: "a power loss loses no acknowledged write",
        run: Run::Only(Store::Sqlite, power_loss::run),
    },
    Proof {
        name: "properties",
        about: "members that a caller may not write are refused, not ignored",
        run: Run::Only(Store::Sqlite, by_tests::properties),
    },
    Proof {
        name: "s3-calls",
        about: "a lost call to the bucket, or a lost reply, causes no wrong response",
        run: Run::Only(Store::Sqlite, s3_calls::run),
    },
    Proof {
        name: "scopes",
        about: "every operation refuses a token that lacks one of its scopes",
        run: Run::Only(Store::Sqlite, by_tests::scopes),
    },
    Proof {
        name: "secrets",
        about: "no secret is logged, and no response shows internals",
        run: Run::Any(secrets::run),
    },
    Proof {
        name: "slow-bodies",
        about: "connections with stalled bodies, or without a reader, are closed",
        run: Run::Any(slow_bodies::run),
    },
    Proof {
        name: "slow-heads",
        about: "connections whose request head arrives too slowly are closed",
        run: Run::Any(slow_heads::run),
    },
    Proof {
        name: "smuggling",
        about: "ambiguous requests are refused, and floods of HTTP/2 frames are stopped",
        run: Run::Any(smuggling::run),
    },
    Proof { name: "sniffing", about: "no uploaded file runs in a browser", run: Run::Any(sniffing::run) },
    Proof {
        name: "soak",
        about: "memory, open files and response times stay flat under a mixed load",
        run: Run::Any(soak::run),
    },
    Proof {
        name: "store-locked",
        about: "while another process locks the store, reads continue and writes are refused",
        run: Run::Only(Store::Sqlite, store_locked::run),
    },
    Proof {
        name: "timing",
        about: "the time of a refusal does not reveal how much of a token is correct",
        run: Run::Any(timing::run),
    },
    Proof {
        name: "token-guessing",
        about: "guessing tokens is limited, and valid callers are unaffected",
        run: Run::Any(token_guessing::run),
    },
    Proof {
        name: "upgrades",
        about: "stores of earlier versions are migrated without loss; later ones are left alone",
        run: Run::Only(Store::Sqlite, upgrades::run),
    },
    Proof {
        name: "visibility",
        about: "a hidden record and a missing one get the same response in the same time",
        run: Run::Any(visibility::run),
    },
];

impl Form {
    /// `short` in the short form, else `long`.
    pub fn pick<T>(self, short: T, long: T) -> T {
        if self == Self::Short { short } else { long }
    }
}

/// The number of threads of a process; 0 without /proc.
fn threads(process: u32) -> usize {
    std::fs::read_dir(format!("/proc/{process}/task")).map_or(0, Iterator::count)
}
