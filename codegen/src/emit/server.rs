//! What only the server crate has.

use super::SourceFile;
use crate::ir::Api;

/// The files of the server crate besides models and runtime.
pub(crate) fn files(_api: &Api) -> Vec<SourceFile<'_>> {
    Vec::new()
}
