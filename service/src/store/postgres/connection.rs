//! Connections to PostgreSQL: how they are made, and how many there are.

use std::{str::FromStr, sync::Arc, time::Duration};

use deadpool_postgres::{Manager, ManagerConfig, Pool, RecyclingMethod, Runtime};
use rustls::{ClientConfig, RootCertStore, crypto::aws_lc_rs};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::store::Error;

/// So long a connection may take to be made.
const CONNECT: Duration = Duration::from_secs(5);

/// A pool of at most `size` connections, for one of which an operation waits no longer than `patience`. None is made yet.
pub(super) fn pool(url: &str, size: usize, patience: Duration) -> Result<Pool, Error> {
    let mut config = tokio_postgres::Config::from_str(url).map_err(Error::database)?;
    if config.get_application_name().is_none() {
        config.application_name("service");
    }
    if config.get_connect_timeout().is_none() {
        config.connect_timeout(CONNECT);
    }
    let manager_config = ManagerConfig { recycling_method: RecyclingMethod::Fast };
    let manager = Manager::from_config(config, tls()?, manager_config);
    let pool = Pool::builder(manager)
        .max_size(size)
        .wait_timeout(Some(patience))
        .create_timeout(Some(2 * CONNECT))
        .recycle_timeout(Some(patience))
        .runtime(Runtime::Tokio1);
    pool.build().map_err(Error::database)
}

/// The role that a URL names.
pub(super) fn role(url: &str) -> Result<Option<String>, Error> {
    let config = tokio_postgres::Config::from_str(url).map_err(Error::database)?;
    Ok(config.get_user().map(str::to_owned))
}

/// TLS with the certificates that the system trusts, or those that `SSL_CERT_FILE` names.
fn tls() -> Result<MakeRustlsConnect, Error> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    let provider = Arc::new(aws_lc_rs::default_provider());
    let builder = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let config = builder.map_err(Error::database)?.with_root_certificates(roots).with_no_client_auth();
    Ok(MakeRustlsConnect::new(config))
}
