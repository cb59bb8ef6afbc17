//! Errors and their causes.

use std::{error::Error, io, iter::successors};

/// An error and its causes, the innermost last.
fn chain<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    successors(Some(error), |&error| error.source())
}

/// The innermost cause of an error, for problems whose place is named already.
pub(crate) fn root_cause(error: &(dyn Error + 'static)) -> String {
    chain(error).last().unwrap_or(error).to_string()
}

/// The messages of an error and its causes.
pub(crate) fn with_causes(error: &(dyn Error + 'static)) -> String {
    chain(error).map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

/// Whether an error or one of its causes is an I/O error of one of these kinds.
pub(crate) fn is_io(error: &(dyn Error + 'static), kinds: &[io::ErrorKind]) -> bool {
    chain(error).filter_map(|error| error.downcast_ref::<io::Error>()).any(|error| kinds.contains(&error.kind()))
}
