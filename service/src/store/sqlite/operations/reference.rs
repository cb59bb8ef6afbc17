//! Settings.

use std::collections::BTreeMap;

use generated_server::runtime::json::Value;

use crate::store::{
    Condition, Error, Scope,
    sqlite::{Database, setting},
};

impl Database {
    pub(in crate::store) async fn settings(
        &self,
        scope: &Scope,
        key: Option<String>,
    ) -> Result<BTreeMap<String, Value>, Error> {
        self.view(scope, move |view| setting::settings(view, key.as_deref())).await
    }

    pub(in crate::store) async fn put_settings(
        &self,
        scope: &Scope,
        module: i32,
        settings: BTreeMap<String, Value>,
        condition: Condition<BTreeMap<String, Value>>,
    ) -> Result<(), Error> {
        self.change(scope, move |change| setting::put(change, module, &settings, &condition)).await
    }
}
