//! Which parts of the runtime a crate needs.

use super::SourceFile;
use super::profile::Side;
use crate::ir::Api;

/// `runtime.rs` and the files below it.
pub(crate) fn files(_api: &Api, _side: Side) -> Vec<SourceFile<'_>> {
    Vec::new()
}
