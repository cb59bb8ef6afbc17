//! The sample data.

use crate::{
    import::{self, Source},
    store::TenantStore,
};

/// The data in the format of `service import`.
const SAMPLE: &str = include_str!("../sample/sample.json");

/// Loads the data.
pub fn load(store: &TenantStore) -> Result<import::Report, import::Error> {
    let source = Source { file: "sample.json".into(), bytes: SAMPLE.into() };
    import::load(store, &[source], None, &())
}
