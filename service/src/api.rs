//! The operations, one file for each tag, and their shared state.

mod access;
mod account_codes;
mod account_types;
mod accounts;
mod agent_notes;
mod agent_procedure;
mod approval_routes;
mod assignees;
mod attachments;
mod batch_action_log;
mod changes;
mod chart_of_account;
mod colors_lookup;
mod company_settings;
mod contacts;
mod envelope;
mod etag;
mod failed_authentications;
mod failure;
mod idempotency;
mod list;
mod operations;
mod patch;
mod prelude;
mod rate;

use std::sync::Arc;

use axum::{Router, middleware};
use generated_server::runtime::server::{Call, Limits, Options};
use governor::Quota;
use tokio::sync::Notify;

use crate::{
    blob::Blobs,
    config::Config,
    disk::Reserve,
    domain::{tenant::TenantId, time_zone::NamedZone, token::Token},
    health::Health,
    metrics::Metrics,
    place::missing_contents,
    shares::Shares,
    store::{Store, TenantStore},
};

pub use access::CONDITIONAL;
use attachments::Thumbnails;
pub use failed_authentications::FailedAuthentications;
use failure::{of_blob, of_store};
pub use failure::{refuse, respond};
pub use operations::{any_of_path, functions, matched};
use rate::Rate;

/// Calls by tenant, token and operation.
pub(crate) type Calls = Rate<(TenantId, i32, &'static str)>;

/// The state of operations; cheap to clone.
#[derive(Clone)]
pub struct Service {
    pub(crate) store: Store,
    pub(crate) blobs: Blobs,
    pub(crate) config: Arc<Config>,
    /// The disk space to keep free.
    reserve: Reserve,
    /// The zone of schedules with `ServerTimeZone`.
    pub(crate) zone: NamedZone,
    /// Wakes the scheduler after a schedule changed.
    pub(crate) schedules: Arc<Notify>,
    /// Whether the service is ready.
    pub(crate) health: Health,
    /// Refuses calls above the limit of a token and an operation.
    pub(crate) calls: Arc<Calls>,
    /// Refuses addresses that guess tokens.
    pub(crate) failed_authentications: Arc<FailedAuthentications>,
    /// Bounds how many files are received at once, each of which takes a few MiB.
    pub(crate) uploads: Shares,
    /// The metrics for Prometheus.
    pub metrics: Metrics,
    /// Makes and caches thumbnails.
    pub(crate) thumbnails: Thumbnails,
}

impl Service {
    /// A service on an open store.
    pub fn new(store: Store, blobs: Blobs, config: Arc<Config>, zone: NamedZone) -> Self {
        let metrics = Metrics::new(store.clone());
        let reserve = Reserve::new(config.data.clone(), config.reserve());
        let calls = Rate::new(Quota::per_hour, config.limits.calls_per_hour);
        let uploads = Shares::new(config.bounds.uploads);
        let failed = FailedAuthentications::new(config.limits.failed_authentications_per_minute);
        let thumbnails = Thumbnails::default();
        Self {
            store,
            blobs,
            config,
            reserve,
            zone,
            schedules: Arc::default(),
            health: Health::default(),
            calls: Arc::new(calls),
            failed_authentications: Arc::new(failed),
            uploads,
            metrics,
            thumbnails,
        }
    }

    /// Every operation of the interface.
    pub fn router(&self) -> Router {
        let upload = self.config.limits.upload_bytes;
        // The boundaries and headers of the parts come on top of the file.
        let limits = Limits { body: self.config.limits.body_bytes as u64, upload: upload + (64 << 10), parts: 16 };
        let options = Options::default().limits(limits).refuse_unknown_query().ignore_empty_query_values();
        let options = options.map_error(of_store).map_error(of_blob);
        let options = options.render(|failure, context| {
            if let Some(source) = failure.source() {
                let operation = context.operation().map(|operation| operation.id);
                tracing::error!(operation, error = source as &dyn std::error::Error, "a request failed");
            }
            // For an unknown method, another operation of the path decides the format of failures.
            let operation = context.operation().or_else(|| any_of_path(context.extensions()));
            respond(failure, operation, context.headers())
        });
        #[cfg(feature = "check-responses")]
        let options = if self.config.bounds.check_responses {
            options.check_responses(generated_server::OPENAPI)
        } else {
            options
        };
        generated_server::router(self.clone(), self.clone(), &options).layer(middleware::from_fn(etag::tagged))
    }

    /// The names of blobs that records refer to but that the object store lacks.
    pub async fn missing_blobs(&self) -> anyhow::Result<Vec<String>> {
        missing_contents(&self.store, Some(&self.blobs)).await
    }

    /// The records of a tenant, for what the interface cannot do.
    pub fn records_of(&self, tenant: TenantId) -> TenantStore {
        self.store.tenant(tenant)
    }

    /// The records that the caller may see, changed in the caller's name.
    fn records(&self, call: &Call<Token>) -> TenantStore {
        let token = call.principal();
        let records = self.store.tenant(token.tenant).acting_for(token.actor(call.operation().id));
        let records = records.seeing(token.visible.clone());
        if call.operation().method == "GET" { records.reading_replicas() } else { records }
    }
}
