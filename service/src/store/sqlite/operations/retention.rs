//! What is removed when it is old.

use jiff::Timestamp;

use crate::{
    domain::retention::Kept,
    store::{
        Error, Scope,
        sqlite::{Database, retention},
    },
};

impl Database {
    pub(in crate::store) async fn remove_older(
        &self,
        scope: &Scope,
        kept: Kept,
        before: Timestamp,
        limit: u32,
    ) -> Result<usize, Error> {
        self.change(scope, move |change| retention::remove(change, kept, before.as_microsecond(), limit)).await
    }
}
