//! Settings.

use std::{collections::BTreeMap, sync::Arc};

use generated_server::runtime::json::Value;
use jiff::Timestamp;

use crate::{
    domain::retention::Kept,
    store::{
        Condition, Error, Scope,
        postgres::{Database, retention, setting},
    },
};

impl Database {
    pub(in crate::store) async fn settings(
        &self,
        scope: &Scope,
        key: Option<String>,
    ) -> Result<BTreeMap<String, Value>, Error> {
        self.view(scope, |view| setting::settings(view, key.clone())).await
    }

    pub(in crate::store) async fn put_settings(
        &self,
        scope: &Scope,
        module: i32,
        settings: BTreeMap<String, Value>,
        condition: Condition<BTreeMap<String, Value>>,
    ) -> Result<(), Error> {
        let condition = Arc::new(condition);
        self.change(scope, move |change| {
            let (condition, settings) = (Arc::clone(&condition), settings.clone());
            async move { setting::put(change, module, settings, &condition).await }
        })
        .await
    }

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
