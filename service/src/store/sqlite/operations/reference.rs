//! Settings, and the logs of batch actions.

use std::collections::BTreeMap;

use generated_server::{models::JobLog, runtime::json::Value};

use crate::{
    domain::list::{ListQuery, Listed},
    store::{
        Condition, Error, Scope,
        sqlite::{Database, job, setting},
    },
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

    pub(in crate::store) async fn job_logs(
        &self,
        scope: &Scope,
        job: i64,
        query: ListQuery,
    ) -> Result<Option<Listed<JobLog>>, Error> {
        self.view(scope, move |view| job::logs(view, job, &query)).await
    }
}
