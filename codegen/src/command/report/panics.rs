//! Panics: what a user is told, and what a report keeps of them.

use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::path::Path;
use std::sync::{Mutex, Once, PoisonError};

use super::problem::Problem;

/// Makes every panic name the command that reports it.
pub(in crate::command) fn name_report(document: &Path) {
    static ONCE: Once = Once::new();
    let document = document.display().to_string();
    ONCE.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            usual(panic);
            eprintln!(
                "note: this is a fault of specwright; `specwright report {document}` makes a small description of it, \
                 without your names, for an issue"
            );
        }));
    });
}

/// The first panic since the last call of `caught`. A panic may be in another thread.
static FIRST: Mutex<Option<Problem>> = Mutex::new(None);

/// Keeps panics for `caught` instead of printing them.
pub(super) fn keep_quiet() {
    panic::set_hook(Box::new(|panic| {
        first().get_or_insert_with(|| problem(panic));
    }));
}

/// Calls the function, and returns its panic as a problem.
pub(super) fn caught<T>(call: impl FnOnce() -> T) -> Result<T, Problem> {
    *first() = None;
    panic::catch_unwind(AssertUnwindSafe(call)).map_err(|_| {
        let unknown = || Problem::Panic { place: String::new(), message: String::new() };
        first().take().unwrap_or_else(unknown)
    })
}

fn first() -> std::sync::MutexGuard<'static, Option<Problem>> {
    FIRST.lock().unwrap_or_else(PoisonError::into_inner)
}

fn problem(panic: &PanicHookInfo<'_>) -> Problem {
    let place = panic.location().map(ToString::to_string).unwrap_or_default();
    Problem::Panic { place, message: panic.payload_as_str().unwrap_or_default().to_owned() }
}
