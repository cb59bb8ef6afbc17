//! Builds a running service from the settings.

use std::{future::Future, sync::Arc};

use anyhow::{Context as _, Error, Result, anyhow};
use axum::{
    Router,
    extract::{Request, State},
    http::StatusCode,
    middleware::{self, Next},
    response::{IntoResponse as _, Response},
    routing::get,
};
use futures_util::FutureExt as _;
use tokio::{net::TcpListener, task::JoinSet};
use tokio_util::sync::CancellationToken;

use crate::{
    api::{self, Service},
    blob::Blobs,
    config::Config,
    docs,
    domain::{
        caller::Actor,
        tenant::TenantId,
        time_zone::NamedZone,
        token::{Grants, NewToken, Secret},
    },
    http::{self, Tls},
    sample, scheduler,
    shares::Shares,
    store::{self, Location, Store},
    sweep,
};

/// A service with an open store, and the first token if the store is new.
pub struct Opened {
    /// The service.
    pub service: Service,
    /// A token with every right; only at the first start.
    pub token: Option<Secret>,
}

/// Opens the store, and fills a new one with sample data.
pub async fn open(config: Arc<Config>) -> Result<Opened> {
    let zone = zone(&config)?;
    let store = open_store(&config, true, true)?;
    // A bucket is not asked whether it is there.
    let blobs = Blobs::open(&config.attachments()?, &config.aws.0).context("the attachments cannot be kept")?;

    let mut token = None;
    if store.is_new() && config.sample {
        let records = store.tenant(TenantId::FIRST).acting_for(Actor::internal("init"));
        sample::load(&records).context("the sample data cannot be loaded")?;
        let new = NewToken { name: "first".into(), grants: Grants::all(api::functions()), ..NewToken::default() };
        token = Some(records.create_token(new).await.context("no token can be made")?.1);
    }
    Ok(Opened { service: Service::new(store, blobs, config, zone), token })
}

/// The store options of the settings.
pub(crate) fn store_options(config: &Config) -> store::Options {
    store::Options {
        tenant_name: config.tenant_name.clone(),
        owner: Some(config.store_owner.clone()).filter(|owner| !owner.is_empty()),
        replicas: config.store_read_replicas.clone(),
        connections: config.store_connections,
        bounds: config.bounds.clone(),
        ..store::Options::default()
    }
}

/// The zone that the settings name.
pub fn zone(config: &Config) -> Result<NamedZone> {
    let zone = match config.time_zone.as_str() {
        "" => NamedZone::system(),
        name => NamedZone::get(name),
    };
    zone.context("the setting `time_zone` does not name the zone of the service")
}

/// Opens the store. Creates a missing one and migrates an older one only if asked to.
pub fn open_store(config: &Config, creates: bool, migrates: bool) -> Result<Store> {
    if creates {
        std::fs::create_dir_all(&config.data)
            .with_context(|| format!("the folder {} cannot be made", config.data.display()))?;
    }
    let options = store::Options { creates, migrates, ..store_options(config) };
    let location = config.location()?;
    let store = Store::open(location.clone(), &options).map_err(|source| unopened(&location, source))?;
    if let Some(store::Migrated { from, to, copy }) = store.migrated() {
        tracing::warn!("the store was migrated from {from} to {to}; a copy of the old one is in {}", copy.display());
    }
    Ok(store)
}

/// Opens an existing store, without changing anything.
pub fn open_store_to_read(config: &Config) -> Result<Store> {
    let location = config.location()?;
    Store::open_read_only(location.clone(), &store_options(config)).map_err(|source| unopened(&location, source))
}

fn unopened(location: &Location, source: store::Error) -> Error {
    let text = match (location, &source) {
        // An unmounted volume is an empty folder.
        (_, store::Error::NoStore) => {
            return anyhow!(
                "the store {location} does not exist: is its volume mounted? `service init` creates a new store"
            );
        }
        (Location::Postgres(_), store::Error::Busy) => {
            format!("PostgreSQL cannot be reached at {location}, or has no connection left")
        }
        _ => format!("the store {location} cannot be read"),
    };
    Error::new(source).context(text)
}

/// Every route of the service: the interface, and those for operators.
pub fn router(service: &Service) -> Router {
    let config = Arc::clone(&service.config);
    let bodies = Shares::new(config.bounds.held_bytes);
    let metrics = service.metrics.clone();
    let watch = move |request: Request, next: Next| {
        let (config, bodies, metrics) = (Arc::clone(&config), bodies.clone(), metrics.clone());
        async move {
            let headers = request.headers().clone();
            let operation = api::matched(request.method(), request.extensions());
            let form = operation.or_else(|| api::any_of_path(request.extensions()));
            let refuse = |status: StatusCode| api::refuse(status, form, &headers);
            http::observe(&config, &bodies, &metrics, operation, refuse, request, next).await
        }
    };
    let router = Router::new()
        .route("/healthz", get(alive))
        .route("/readyz", get(ready))
        .with_state(service.clone())
        .merge(docs::router())
        .merge(service.router())
        .layer(middleware::from_fn(watch));
    http::layered(router, &service.config)
}

async fn alive(State(service): State<Service>) -> Response {
    if service.store.death().now_or_never().is_none() {
        "alive\n".into_response()
    } else {
        (StatusCode::SERVICE_UNAVAILABLE, "the thread that writes has died\n").into_response()
    }
}

async fn ready(State(service): State<Service>) -> Response {
    match service.health.ready(&service.store, &service.blobs).await {
        Ok(()) => "ready\n".into_response(),
        // The reason is only logged: this endpoint is public.
        Err(_) => (StatusCode::SERVICE_UNAVAILABLE, "not ready\n").into_response(),
    }
}

/// TLS by the files that the settings name, if they do.
pub fn tls(config: &Config) -> Result<Option<Tls>> {
    let files = config.tls_certificate.as_ref().zip(config.tls_key.as_ref());
    files.map(|(certificate, key)| Tls::open(certificate, key)).transpose().context("TLS cannot be used")
}

/// Answers connections and runs scheduled work until `stop` is ready, then closes the store. Fails when the store can no longer
/// be written to, or scheduled work panics.
pub async fn serve<F>(service: Service, listener: TcpListener, tls: Option<Tls>, stop: F) -> Result<()>
where
    F: Future<Output = ()>,
{
    let stopped = CancellationToken::new();
    let mut work = JoinSet::new();
    work.spawn(scheduler::run(service.clone(), stopped.clone().cancelled_owned()));
    work.spawn(sweep::run(service.clone(), stopped.clone().cancelled_owned()));
    let store = service.store.clone();
    tokio::spawn(async move {
        for replica in store.about_replicas().await {
            tracing::info!(replica, "a replica is to answer reads");
        }
    });
    let config = Arc::clone(&service.config);
    let mut death = None;
    let end = async {
        tokio::select! {
            () = stop => {}
            reason = service.store.death() => {
                death = Some(anyhow!("the thread that writes to the store has died: {reason}"));
            }
            Some(Err(panic)) = work.join_next() => death = Some(anyhow!(panic).context("scheduled work has ended")),
        }
        // Stop scheduled work at once, not after the running requests.
        stopped.cancel();
    };
    http::serve(listener, router(&service), &config, tls, &service.metrics, end).await;
    while work.join_next().await.is_some() {}
    let store = service.store.clone();
    drop(service);
    let _ = tokio::task::spawn_blocking(move || store.close()).await;
    death.map_or(Ok(()), Err)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[tokio::test]
    async fn the_service_ends_with_a_reason_when_it_can_write_no_more() {
        let data = tempfile::tempdir().unwrap();
        let config = Config { data: data.path().to_path_buf(), sample: false, ..Config::default() };
        let service = open(Arc::new(config)).await.unwrap().service;
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let serving = tokio::spawn(serve(service.clone(), listener, None, std::future::pending()));
        let status = async |path: &str| {
            let request = Request::get(path).header("host", "test").body(axum::body::Body::empty()).unwrap();
            tower::ServiceExt::oneshot(router(&service), request).await.unwrap().status()
        };
        assert_eq!((status("/healthz").await, status("/readyz").await), (StatusCode::OK, StatusCode::OK));
        assert!(!serving.is_finished());

        service.store.kill_writer();
        let ended = serving.await.unwrap();
        assert!(ended.unwrap_err().to_string().ends_with("has died: it panicked"));
        assert_eq!(status("/healthz").await, StatusCode::SERVICE_UNAVAILABLE);
        // A recent result is reused.
        while status("/readyz").await == StatusCode::OK {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}
