//! TLS with a certificate and a key from files, reloaded when they change.

use std::{
    io,
    path::{Path, PathBuf},
    sync::{Arc, PoisonError, RwLock},
    time::Duration,
};

use rustls::{
    ServerConfig,
    crypto::{CryptoProvider, ring},
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject as _},
    server::{ClientHello, ResolvesServerCert},
    sign::CertifiedKey,
};
use tokio::net::TcpStream;
use tokio_rustls::{TlsAcceptor, server::TlsStream};

/// Interval of checking the files.
const LOOK: Duration = Duration::from_secs(10);

/// Why a certificate cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file cannot be read.
    #[error("{0} cannot be read")]
    Io(String, #[source] io::Error),
    /// A file has invalid content.
    #[error("{0} has no usable PEM")]
    Pem(String, #[source] rustls::pki_types::pem::Error),
    /// The key has an unknown type, or does not match the certificate.
    #[error("the certificate {0} and the key {1} cannot be used together")]
    Key(String, String, #[source] rustls::Error),
}

/// Accepts TLS connections; clones share the certificate.
#[derive(Clone)]
pub struct Tls {
    acceptor: TlsAcceptor,
    kept: Arc<Kept>,
}

/// The files, and their last content.
#[derive(Debug)]
struct Kept {
    certificate: PathBuf,
    key: PathBuf,
    last: RwLock<([Vec<u8>; 2], Arc<CertifiedKey>)>,
}

impl ResolvesServerCert for Kept {
    fn resolve(&self, _: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        Some(Arc::clone(&self.last.read().unwrap_or_else(PoisonError::into_inner).1))
    }
}

impl Tls {
    /// Reads the files.
    pub fn open(certificate: &Path, key: &Path) -> Result<Self, Error> {
        let texts = [read(certificate)?, read(key)?];
        let certified = certified(certificate, key, &texts)?;
        let kept = Arc::new(Kept {
            certificate: certificate.to_owned(),
            key: key.to_owned(),
            last: RwLock::new((texts, Arc::new(certified))),
        });
        let versions = ServerConfig::builder_with_provider(Arc::new(provider())).with_safe_default_protocol_versions();
        let resolver = Arc::clone(&kept);
        let mut config = versions
            .map_err(|error| Error::Key(certificate.display().to_string(), key.display().to_string(), error))?
            .with_no_client_auth()
            .with_cert_resolver(resolver);
        config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        Ok(Self { acceptor: TlsAcceptor::from(Arc::new(config)), kept })
    }

    /// Loads changed files if they are valid; `true` if they were loaded.
    pub fn reload(&self) -> Result<bool, Error> {
        let Kept { certificate, key, last } = &*self.kept;
        let texts = [read(certificate)?, read(key)?];
        if last.read().unwrap_or_else(PoisonError::into_inner).0 == texts {
            return Ok(false);
        }
        let certified = certified(certificate, key, &texts)?;
        *last.write().unwrap_or_else(PoisonError::into_inner) = (texts, Arc::new(certified));
        Ok(true)
    }

    /// Reloads the files whenever they change.
    pub async fn follow(self) {
        let mut last = None;
        loop {
            tokio::time::sleep(LOOK).await;
            match self.reload() {
                Ok(true) => tracing::info!("the certificate has been read again"),
                Ok(false) => last = None,
                Err(error) => {
                    let text = error.to_string();
                    // Log each reason once.
                    if last.as_ref() != Some(&text) {
                        tracing::error!(error = &error as &dyn std::error::Error, "the certificate stays as it was");
                        last = Some(text);
                    }
                }
            }
        }
    }

    /// Performs the handshake.
    pub(super) async fn accept(&self, stream: TcpStream) -> io::Result<TlsStream<TcpStream>> {
        self.acceptor.accept(stream).await
    }
}

fn provider() -> CryptoProvider {
    ring::default_provider()
}

fn read(path: &Path) -> Result<Vec<u8>, Error> {
    std::fs::read(path).map_err(|error| Error::Io(path.display().to_string(), error))
}

fn certified(certificate: &Path, key: &Path, texts: &[Vec<u8>; 2]) -> Result<CertifiedKey, Error> {
    let [of_certificate, of_key] = [certificate, key].map(|path| path.display().to_string());
    let chain = CertificateDer::pem_slice_iter(&texts[0]).collect::<Result<Vec<_>, _>>();
    let chain = chain.map_err(|error| Error::Pem(of_certificate.clone(), error))?;
    let private = PrivateKeyDer::from_pem_slice(&texts[1]).map_err(|error| Error::Pem(of_key.clone(), error))?;
    CertifiedKey::from_der(chain, private, &provider()).map_err(|error| Error::Key(of_certificate, of_key, error))
}
