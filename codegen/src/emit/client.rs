//! What only the client crate has.

use super::SourceFile;
use crate::ir::Api;

/// The files of the client crate besides models and runtime.
pub(crate) fn files(_api: &Api) -> Vec<SourceFile<'_>> {
    Vec::new()
}
