//! What `mock` and `prove` share: the description, its operations, and the units of the command line.

pub(super) mod curl;

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use specwright::{DocumentFolder, Files};
use specwright_exchange::{Document, Operation};
use tokio::runtime::{Builder, Runtime};

use super::Failure;

/// The stack of a thread: schemas refer to each other, and their values are nested.
const STACK: usize = 16 << 20;

/// The description in a file, and its operations, which are used until the program ends.
pub(super) fn read(path: &Path) -> Result<(Arc<Document>, &'static [Operation]), Failure> {
    let (folder, entry) = DocumentFolder::of(path);
    let document = Document::read(&entry, |file| folder.read(file)).map_err(|error| {
        let message = format!("{}: {error}", path.display());
        match error.kind() {
            io::ErrorKind::InvalidData => {
                eprintln!("error: {message}");
                Failure::Document
            }
            _ => Failure::usage(message),
        }
    })?;
    let operations = document.operations();
    if operations.is_empty() {
        eprintln!("error: {}: the description has no operations", path.display());
        return Err(Failure::Document);
    }
    Ok((Arc::new(document), Vec::leak(operations)))
}

/// What runs asynchronous code.
pub(super) fn runtime() -> Result<Runtime, Failure> {
    let built = Builder::new_multi_thread().worker_threads(2).thread_stack_size(STACK).enable_all().build();
    built.map_err(|error| Failure::usage(format!("threads cannot be started: {error}")))
}

/// A time such as `200ms`, `20s` or `2m`.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(|character: char| character.is_ascii_alphabetic());
    let count: u32 = digits.parse().map_err(|_| "expected a time such as `200ms` or `20s`".to_owned())?;
    let count = u64::from(count);
    match &text[digits.len()..] {
        "ms" => Ok(Duration::from_millis(count)),
        "s" => Ok(Duration::from_secs(count)),
        "m" => Ok(Duration::from_mins(count)),
        _ => Err("expected a number with the unit `ms`, `s` or `m`".to_owned()),
    }
}

/// The seed for one of several purposes; the same in every run.
pub(super) fn seed(seed: u64, purpose: &str) -> u64 {
    let start = 0xcbf2_9ce4_8422_2325 ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    purpose.bytes().fold(start, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)) >> 16
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::duration;

    #[test]
    fn times_have_a_unit() {
        assert_eq!(duration("200ms"), Ok(Duration::from_millis(200)));
        assert_eq!(duration("2m"), Ok(Duration::from_mins(2)));
        for wrong in ["", "20", "s", "-1s", "1h"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
    }
}
