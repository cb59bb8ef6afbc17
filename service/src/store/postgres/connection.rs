//! Connections to PostgreSQL: creation and number.

use std::{
    str::FromStr,
    sync::{Arc, OnceLock},
    time::Duration,
};

use deadpool_postgres::{Connect, Manager, ManagerConfig, Pool, RecyclingMethod, Runtime};
use futures_util::future::BoxFuture;
use rustls::{ClientConfig, RootCertStore, crypto::ring};
use tokio::{
    runtime::{Handle, RuntimeFlavor},
    sync::Semaphore,
    task::JoinHandle,
};
use tokio_postgres::{Client, Config};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::store::Error;

/// Connect timeout.
const CONNECT: Duration = Duration::from_secs(5);

/// TCP user timeout and keepalive interval: a machine that is switched off does not respond, and the system's
/// defaults are minutes.
const SIGN_OF_LIFE: Duration = Duration::from_secs(10);

/// A prepared statement keeps its plan while a new table grows: one without an index would get slower until the server analyzes
/// the table. All statements of callers have an index that fits. Otherwise the server would compile the others, for their cost.
const PLANS: &str = "SET enable_seqscan = off; SET jit = off";

/// A pool of at most `size` connections; operations wait up to `patience` for one. Connects lazily.
pub(super) fn pool(url: &str, size: usize, patience: Duration) -> Result<Pool, Error> {
    let manager_config = ManagerConfig { recycling_method: RecyclingMethod::Fast };
    let manager = Manager::from_connect(config(url)?, Connector::new(size, tls()?), manager_config);
    let pool = Pool::builder(manager)
        .max_size(size)
        .wait_timeout(Some(patience))
        .create_timeout(Some(2 * CONNECT))
        .recycle_timeout(Some(patience))
        .runtime(Runtime::Tokio1);
    pool.build().map_err(Error::database)
}

/// The configuration of a URL, with better defaults.
fn config(url: &str) -> Result<Config, Error> {
    let mut config = Config::from_str(url).map_err(Error::database)?;
    if config.get_application_name().is_none() {
        config.application_name("service");
    }
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(CONNECT);
    }
    if config.get_tcp_user_timeout().is_none() {
        config.tcp_user_timeout(SIGN_OF_LIFE);
    }
    if config.get_keepalives_idle() == Config::new().get_keepalives_idle() {
        config.keepalives_idle(SIGN_OF_LIFE);
    }
    Ok(config)
}

/// Creates connections in tasks of the pool's runtime, so that an abandoned attempt keeps its slot until it
/// ends.
struct Connector {
    /// `None` if that runtime's only thread is blocked.
    runtime: Option<Handle>,
    /// A permit for each open connection or pending attempt.
    permits: Arc<Semaphore>,
    tls: MakeRustlsConnect,
}

impl Connector {
    fn new(size: usize, tls: MakeRustlsConnect) -> Self {
        let has_threads = |runtime: &Handle| runtime.runtime_flavor() == RuntimeFlavor::MultiThread;
        let runtime = Handle::try_current().ok().filter(has_threads);
        Self { runtime, permits: Arc::new(Semaphore::new(size)), tls }
    }
}

impl Connect for Connector {
    fn connect(&self, config: &Config) -> BoxFuture<'_, Result<(Client, JoinHandle<()>), tokio_postgres::Error>> {
        let connected = connect(config.clone(), self.tls.clone(), Arc::clone(&self.permits));
        let Some(runtime) = &self.runtime else { return Box::pin(connected) };
        let connected = runtime.spawn(connected);
        Box::pin(async {
            match connected.await {
                Ok(connected) => connected,
                // That runtime has been stopped, so there is no caller left.
                Err(_) => std::future::pending().await,
            }
        })
    }
}

async fn connect(
    config: Config,
    tls: MakeRustlsConnect,
    permits: Arc<Semaphore>,
) -> Result<(Client, JoinHandle<()>), tokio_postgres::Error> {
    // The semaphore is never closed.
    let permit = permits.acquire_owned().await.ok();
    let (client, connection) = config.connect(tls).await?;
    let driven = tokio::spawn(async move {
        if let Err(error) = connection.await {
            tracing::warn!(error = &error as &dyn std::error::Error, "a connection to the database has failed");
        }
        drop(permit);
    });
    client.batch_execute(PLANS).await?;
    Ok((client, driven))
}

/// TLS with the system's trusted certificates, or those in `SSL_CERT_FILE`.
pub(super) fn tls() -> Result<MakeRustlsConnect, Error> {
    static TLS: OnceLock<MakeRustlsConnect> = OnceLock::new();
    if let Some(tls) = TLS.get() {
        return Ok(tls.clone());
    }
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let provider = Arc::new(ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let config = builder.map_err(Error::database)?.with_root_certificates(roots).with_no_client_auth();
    Ok(TLS.get_or_init(|| MakeRustlsConnect::new(config)).clone())
}

#[cfg(test)]
mod tests {
    tests_postgres::with_postgres! {
        use super::*;

        #[test]
        fn a_machine_that_gives_no_sign_of_life_is_given_up() {
            let times = |url| {
                let config = config(url).unwrap();
                (config.get_tcp_user_timeout().copied(), config.get_keepalives_idle())
            };
            assert_eq!(times("postgres://db/x"), (Some(SIGN_OF_LIFE), SIGN_OF_LIFE));
            let own = "postgres://db/x?tcp_user_timeout=3&keepalives_idle=4";
            assert_eq!(times(own), (Some(Duration::from_secs(3)), Duration::from_secs(4)));
        }
    }
}
