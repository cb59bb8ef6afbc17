//! The list of proofs.

mod attacks;
mod backups;
mod by_tests;
mod conflicts;
mod contract;
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
mod patch_abuse;
mod power_loss;
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

use crate::figure::Outcome;

/// How much is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A few seconds, for every change.
    Short,
    /// Everything, which may take minutes or hours.
    Long,
}

/// A promise, and how it is tried.
pub struct Proof {
    /// What the command line calls it.
    pub name: &'static str,
    /// The promise, in a line.
    pub about: &'static str,
    /// Tries it.
    pub run: fn(Form) -> Result<Outcome>,
}

/// Every proof.
pub const PROOFS: &[Proof] = &[
    Proof { name: "attacks", about: "whatever one caller does, the others are answered as before", run: attacks::run },
    Proof {
        name: "backups",
        about: "backups made under load are whole, private and restored as they were",
        run: backups::run,
    },
    Proof { name: "conflicts", about: "no change through `If-Match` is lost among many clients", run: conflicts::run },
    Proof { name: "contract", about: "every answer is one that the description allows", run: contract::run },
    Proof {
        name: "disk-full",
        about: "a full disk refuses writes, loses nothing, and is recovered from",
        run: disk_full::run,
    },
    Proof { name: "file-names", about: "no name of a file does harm", run: file_names::run },
    Proof {
        name: "graceful-stop",
        about: "a service that stops answers all that was sent to it",
        run: graceful_stop::run,
    },
    Proof { name: "idempotency", about: "a request with a key is done once, whatever happens", run: idempotency::run },
    Proof {
        name: "idle-connections",
        about: "thousands of connections are kept, one too many is told",
        run: idle_connections::run,
    },
    Proof { name: "image-bombs", about: "no picture fills the memory or takes for ever", run: image_bombs::run },
    Proof { name: "injection", about: "no text is taken for more than a value", run: by_tests::injection },
    Proof { name: "io-errors", about: "whatever call to the disk fails, no answer lies", run: io_errors::run },
    Proof { name: "json-bombs", about: "JSON that is made to hurt is refused quickly", run: json_bombs::run },
    Proof { name: "kills", about: "a kill loses nothing that was acknowledged", run: kills::run },
    Proof {
        name: "mixed-load",
        about: "every answer is declared, and quick reads stay quick beside slow ones",
        run: mixed_load::run,
    },
    Proof { name: "oversized", about: "what is too large is refused, and its sender reads why", run: oversized::run },
    Proof { name: "patch-abuse", about: "no patch grows, leads or tells too far", run: patch_abuse::run },
    Proof { name: "power-loss", about: "what is acknowledged outlives a loss of power", run: power_loss::run },
    Proof {
        name: "properties",
        about: "what callers may not write is refused, not ignored",
        run: by_tests::properties,
    },
    Proof {
        name: "scopes",
        about: "every operation is refused without each scope that it asks for",
        run: by_tests::scopes,
    },
    Proof { name: "secrets", about: "no secret is logged, and no answer shows insides", run: secrets::run },
    Proof {
        name: "slow-bodies",
        about: "stalled bodies and callers who do not read lose their connection",
        run: slow_bodies::run,
    },
    Proof { name: "slow-heads", about: "heads that come byte by byte are not waited for", run: slow_heads::run },
    Proof {
        name: "smuggling",
        about: "no request hides in another, and floods of frames are ended",
        run: smuggling::run,
    },
    Proof { name: "sniffing", about: "no uploaded file runs in a browser", run: sniffing::run },
    Proof { name: "soak", about: "memory, open files and times stay flat under a mixed load", run: soak::run },
    Proof {
        name: "store-locked",
        about: "another process holds the store: reads go on, writes are refused and not done",
        run: store_locked::run,
    },
    Proof {
        name: "timing",
        about: "the time of a refusal does not tell how much of a token was right",
        run: timing::run,
    },
    Proof {
        name: "token-guessing",
        about: "guessing of tokens is limited, and keeps nobody out",
        run: token_guessing::run,
    },
    Proof {
        name: "upgrades",
        about: "stores of earlier programs lose nothing, those of later ones are left alone",
        run: upgrades::run,
    },
    Proof {
        name: "visibility",
        about: "what may not be seen is answered as what is not there, in the same time",
        run: visibility::run,
    },
];

impl Form {
    /// `short` in the short form, else `long`.
    pub fn pick<T>(self, short: T, long: T) -> T {
        if self == Self::Short { short } else { long }
    }
}

/// The threads of a process; 0 where there is no /proc.
fn threads(process: u32) -> usize {
    std::fs::read_dir(format!("/proc/{process}/task")).map_or(0, Iterator::count)
}
