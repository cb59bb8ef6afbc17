//! The data of the first start; being written.

use crate::{import, store::TenantStore};

/// Loads the data.
pub fn load(_: &TenantStore) -> Result<import::Report, import::Error> {
    Ok(import::Report)
}
