//! The commands.

mod audit;
mod backup;
mod copy;
mod init;
mod progress;
mod replace;
mod token;

use std::{
    io::{self, Write as _},
    path::Path,
    sync::Arc,
};

use anyhow::{Context as _, Result, bail};
use tokio::{
    net::TcpListener,
    signal::unix::{SignalKind, signal},
};

use crate::{
    cli,
    config::Config,
    doctor,
    domain::{caller::Actor, tenant::TenantId},
    export,
    folder::{self, Lock},
    import, metrics,
    open_files::OpenFiles,
    place::{Place, missing_contents},
    start::{self, Opened},
    store::{self, Migrated},
};

pub use audit::audit;
pub use backup::{backup, restore};
pub use copy::copy;
pub use init::init;
pub use token::token;

/// Serves requests until the process is stopped.
pub async fn serve(config: Arc<Config>) -> Result<()> {
    if !config.sample {
        ensure_store(&config)?;
    }
    // Several processes may serve a store that is not in the folder, with the same attachments.
    let mut lock = config.is_embedded().then(|| Lock::take(&config.data)).transpose()?;
    let files = OpenFiles::raise(config.limits.connections);
    if let Some(shortage) = files.shortage() {
        tracing::warn!("{shortage}");
    }
    let mut config = Arc::unwrap_or_clone(config);
    config.limits.connections = files.connections;
    let config = Arc::new(config);
    let tls = start::tls(&config)?;
    // Before the store is created: otherwise its first token would be lost if the address is in use.
    let listener = TcpListener::bind(config.listen).await.with_context(|| {
        format!("{} cannot be listened on; another address: `--listen 127.0.0.1:8081`", config.listen)
    })?;
    let address = listener.local_addr()?;
    let metrics = match config.metrics_listen {
        None => None,
        Some(address) => {
            let unusable = || format!("{address}, of `metrics_listen`, cannot be listened on");
            Some(TcpListener::bind(address).await.with_context(unusable)?)
        }
    };
    if let Some(lock) = &mut lock {
        lock.announce(address)?;
    }
    for path in folder::mend(&config.data) {
        tracing::warn!("{} could be used by others than its owner, and cannot any more", path.display());
    }
    let Opened { service, token } = start::open(Arc::clone(&config)).await?;
    if token.is_none() && service.records_of(TenantId::FIRST).tokens().await?.is_empty() {
        tracing::warn!("there is no token yet: `service token create` makes one");
    }
    // Registered without TLS as well: SIGHUP would otherwise end the process.
    let hangup = signal(SignalKind::hangup())?;
    let stop = stop()?;
    let scheme = if tls.is_some() { "https" } else { "http" };
    let root = format!("{scheme}://{address}{}", config.base_path);
    tracing::info!("listening on {root}");
    if let Some(listener) = metrics {
        tracing::info!("metrics on http://{}/metrics", listener.local_addr()?);
        tokio::spawn(metrics::serve(service.metrics.clone(), listener));
    }
    if let Some(tls) = tls.clone() {
        tokio::spawn(tls.follow(hangup));
    }
    if let Some(token) = token {
        let token = token.reveal();
        println!(
            "The store is new and has sample data. This token is shown once; `service token create` makes others.\n\n  \
             {token}\n\nTry:\n\n  curl -H 'Authorization: Bearer {token}' '{root}/v2/crm/accounts/summary?PageSize=2'\n\nOr call \
             it from the page {root}/docs.\n"
        );
        io::stdout().flush()?;
    }
    start::serve(service, listener, tls, stop).await?;
    tracing::info!("stopped");
    Ok(())
}

/// Resolves when the process is asked to stop. Signals are registered at the call, not at the first poll.
fn stop() -> io::Result<impl Future<Output = ()>> {
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

/// Fails without a store, before anything is created in its place.
fn ensure_store(config: &Config) -> Result<()> {
    match start::open_store_to_read(config).map(|store| store.close()) {
        // It is migrated, or refused, when it is opened for writing.
        Err(error) if matches!(error.downcast_ref(), Some(store::Error::Older { .. })) => Ok(()),
        result => result,
    }
}

/// Imports files into the store.
pub fn import(config: &Config, arguments: &cli::Import) -> Result<()> {
    let store = start::open_store(config, false, false)?;
    let progress = progress::Bar::new(arguments.quiet);
    let report = import::run(
        &store.tenant(TenantId::FIRST).acting_for(Actor::internal("import")),
        &arguments.files,
        arguments.kind.as_deref(),
        &progress,
    );
    progress.finish();
    let report = report?;
    println!("{report}");
    store.close();
    Ok(())
}

/// Exports the store in the format of `import`.
pub fn export(config: &Config, output: Option<&Path>) -> Result<()> {
    let store = start::open_store_to_read(config)?;
    let records = store.tenant(TenantId::FIRST);
    match output {
        None => export::run(&records, &mut io::stdout())?,
        Some(path) => replace::replace(path, |file| export::run(&records, file))?,
    }
    store.close();
    Ok(())
}

/// Checks settings, store and attachments; changes nothing.
pub async fn check(config: &Config) -> Result<()> {
    println!("{}", config.shown);
    start::zone(config)?;
    start::tls(config)?;
    let store = start::open_store_to_read(config)?;
    let tenants = store.tenants().await?;
    let names: Vec<_> = tenants.iter().map(|tenant| format!("\"{}\"", tenant.name)).collect();
    println!("store        {} can be read; {}", config.location()?, names.join(", "));
    println!("runs on      {}", store.about().await?);
    for replica in store.about_replicas().await {
        println!("replica      {replica}");
    }
    if matches!(config.location(), Ok(store::Location::Postgres(_))) {
        println!("connections  at most {} of this process", config.store_connections);
    }
    let files = OpenFiles::raise(config.limits.connections);
    println!(
        "open files   {}",
        files.shortage().unwrap_or_else(|| format!("enough for {} connections", files.connections))
    );
    let place = Place::of(config)?;
    let location = &place.attachments;
    let there = place.blobs_that_are_there()?;
    let missing = missing_contents(&store, there.as_ref()).await?;
    store.close();
    if let Some(first) = missing.first() {
        bail!("attachments  {} contents are missing, such as {first}; `service doctor` says more", missing.len());
    }
    println!("attachments  every content is there, in {location}");
    Ok(())
}

/// Migrates the store while it is not served.
pub fn migrate(config: &Config) -> Result<()> {
    if config.is_embedded() {
        ensure_store(config)?;
    }
    let _lock = config.is_embedded().then(|| Lock::take(&config.data)).transpose()?;
    let store = start::open_store(config, false, true)?;
    if let Some(Migrated { from, to, copy }) = store.migrated() {
        let copy = copy.display();
        println!("the store was migrated from {from} to {to}; a copy of the old one is in {copy}");
    } else {
        println!("the store has the newest migration that this program knows");
    }
    store.close();
    Ok(())
}

/// Reports problems of the store and its attachments; fails if there are any.
pub async fn doctor(config: &Config, full: bool) -> Result<()> {
    let place = Place::of(config)?;
    let findings = doctor::examine(&place, full).await.map_err(anyhow::Error::from_boxed)?;
    for finding in &findings {
        println!("{}\n    → {}", finding.what, finding.remedy);
    }
    match findings.len() {
        0 => {
            println!("nothing is wrong with {}, and its attachments in {}", place.store, place.attachments);
            Ok(())
        }
        1 => bail!("1 finding"),
        count => bail!("{count} findings"),
    }
}
