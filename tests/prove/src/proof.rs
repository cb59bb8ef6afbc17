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
        about: "whatever one caller does, the others are answered, and soon",
        run: Run::Any(attacks::run),
    },
    Proof {
        name: "backups",
        about: "backups made under load are whole, private and restored as they were",
        run: Run::Any(backups::run),
    },
    Proof {
        name: "conflicts",
        about: "no change through `If-Match` is lost among many clients",
        run: Run::Any(conflicts::run),
    },
    Proof { name: "contract", about: "every answer is one that the description allows", run: Run::Any(contract::run) },
    Proof {
        name: "database-calls",
        about: "whatever call to the database is lost, or its reply, no answer lies",
        run: Run::Only(Store::Postgres, database_calls::run),
    },
    Proof {
        name: "database-disk",
        about: "the disk of the database server is full or fails: nothing acknowledged is lost, and on it goes",
        run: Run::Only(Store::Postgres, database_disk::run),
    },
    Proof {
        name: "database-kills",
        about: "a kill of the database server loses nothing, and needs no restart of the service",
        run: Run::Only(Store::Postgres, database_gone::kills),
    },
    Proof {
        name: "database-stopped",
        about: "without its database the service says so, and goes on when it is back",
        run: Run::Only(Store::Postgres, database_gone::stopped),
    },
    Proof {
        name: "disk-full",
        about: "a full disk refuses writes, loses nothing, and is recovered from",
        run: Run::Only(Store::Sqlite, disk_full::run),
    },
    Proof {
        name: "due-scans",
        about: "each run of a month is done once, by one of two processes",
        run: Run::Only(Store::Postgres, by_tests::due_scans),
    },
    Proof {
        name: "failover",
        about: "a standby takes the place of the database server, and nothing acknowledged is lost",
        run: Run::Only(Store::Postgres, database_gone::failover),
    },
    Proof { name: "file-names", about: "no name of a file does harm", run: Run::Any(file_names::run) },
    Proof {
        name: "graceful-stop",
        about: "a service that stops answers all that was sent to it",
        run: Run::Any(graceful_stop::run),
    },
    Proof {
        name: "idempotency",
        about: "a request with a key is done once, whatever happens",
        run: Run::Any(idempotency::run),
    },
    Proof {
        name: "idle-connections",
        about: "thousands of connections are kept, one too many is refused",
        run: Run::Any(idle_connections::run),
    },
    Proof {
        name: "image-bombs",
        about: "no picture fills the memory or takes for ever",
        run: Run::Any(image_bombs::run),
    },
    Proof {
        name: "injection",
        about: "no text is taken for more than a value",
        run: Run::Only(Store::Sqlite, by_tests::injection),
    },
    Proof {
        name: "io-errors",
        about: "whatever call to the disk fails, no answer lies",
        run: Run::Only(Store::Sqlite, io_errors::run),
    },
    Proof { name: "json-bombs", about: "JSON that is made to hurt is refused quickly", run: Run::Any(json_bombs::run) },
    Proof { name: "kills", about: "a kill loses nothing that was acknowledged", run: Run::Any(kills::run) },
    Proof {
        name: "mixed-load",
        about: "every answer is declared, and quick reads stay quick next to slow ones",
        run: Run::Any(mixed_load::run),
    },
    Proof {
        name: "oversized",
        about: "what is too large is refused, and its sender reads why",
        run: Run::Any(oversized::run),
    },
    Proof {
        name: "paging",
        about: "who follows the links of a list misses no record and sees none twice while others write",
        run: Run::Any(paging::run),
    },
    Proof { name: "patch-abuse", about: "no patch grows, leads or tells too far", run: Run::Any(patch_abuse::run) },
    Proof {
        name: "power-loss",
        about: "what is acknowledged outlives a loss of power",
        run: Run::Only(Store::Sqlite, power_loss::run),
    },
    Proof {
        name: "properties",
        about: "what callers may not write is refused, not ignored",
        run: Run::Only(Store::Sqlite, by_tests::properties),
    },
    Proof {
        name: "s3-calls",
        about: "whatever call to the bucket of attachments is lost, or its reply, no answer lies",
        run: Run::Only(Store::Sqlite, s3_calls::run),
    },
    Proof {
        name: "scopes",
        about: "every operation is refused without each scope that it asks for",
        run: Run::Only(Store::Sqlite, by_tests::scopes),
    },
    Proof { name: "secrets", about: "no secret is logged, and no answer shows insides", run: Run::Any(secrets::run) },
    Proof {
        name: "slow-bodies",
        about: "stalled bodies and callers who do not read lose their connection",
        run: Run::Any(slow_bodies::run),
    },
    Proof {
        name: "slow-heads",
        about: "heads that come byte by byte are not waited for",
        run: Run::Any(slow_heads::run),
    },
    Proof {
        name: "smuggling",
        about: "no request hides in another, and floods of frames are ended",
        run: Run::Any(smuggling::run),
    },
    Proof { name: "sniffing", about: "no uploaded file runs in a browser", run: Run::Any(sniffing::run) },
    Proof {
        name: "soak",
        about: "memory, open files and times stay flat under a mixed load",
        run: Run::Any(soak::run),
    },
    Proof {
        name: "store-locked",
        about: "another process holds the store: reads go on, writes are refused and not done",
        run: Run::Only(Store::Sqlite, store_locked::run),
    },
    Proof {
        name: "timing",
        about: "the time of a refusal does not tell how much of a token was right",
        run: Run::Any(timing::run),
    },
    Proof {
        name: "token-guessing",
        about: "guessing of tokens is limited, and does not lock out users",
        run: Run::Any(token_guessing::run),
    },
    Proof {
        name: "upgrades",
        about: "stores of earlier programs lose nothing, those of later ones are left alone",
        run: Run::Only(Store::Sqlite, upgrades::run),
    },
    Proof {
        name: "visibility",
        about: "what may not be seen is answered as what is not there, in the same time",
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
