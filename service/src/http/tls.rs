//! TLS with a certificate and a key from files, reloaded when they change.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use anyhow::{Context as _, Result};
use parking_lot::RwLock;
use rustls::{
    ServerConfig,
    crypto::ring,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject as _},
};
use tokio::{signal::unix::Signal, time::timeout};
use tokio_rustls::TlsAcceptor;

/// Interval of checking the files.
const LOOK: Duration = Duration::from_secs(10);

/// What the files have: the certificate chain and the key.
type Texts = [Vec<u8>; 2];

/// Accepts TLS connections; clones share the certificate.
#[derive(Clone)]
pub struct Tls {
    files: [PathBuf; 2],
    last: Arc<RwLock<(Texts, TlsAcceptor)>>,
}

impl Tls {
    /// Reads the files.
    pub fn open(certificate: &Path, key: &Path) -> Result<Self> {
        let files = [certificate.to_owned(), key.to_owned()];
        let texts = read(&files)?;
        let acceptor = acceptor(&files, &texts)?;
        Ok(Self { files, last: Arc::new(RwLock::new((texts, acceptor))) })
    }

    /// Uses the files as they are now, if they have changed and are valid; returns whether they had changed.
    pub fn reload(&self) -> Result<bool> {
        let texts = read(&self.files)?;
        if self.last.read().0 == texts {
            return Ok(false);
        }
        let acceptor = acceptor(&self.files, &texts)?;
        *self.last.write() = (texts, acceptor);
        Ok(true)
    }

    /// Reloads the files whenever they change, and at a signal.
    pub async fn follow(self, mut signal: Signal) {
        let mut last = String::new();
        loop {
            let _ = timeout(LOOK, signal.recv()).await;
            match self.reload() {
                Ok(true) => tracing::info!("the certificate has been read again"),
                Ok(false) => last.clear(),
                Err(error) => {
                    let text = format!("{error:#}");
                    // Once for each reason.
                    if last != text {
                        tracing::error!("the certificate stays as it was: {text}");
                        last = text;
                    }
                }
            }
        }
    }

    /// What does the handshake.
    pub(super) fn acceptor(&self) -> TlsAcceptor {
        self.last.read().1.clone()
    }
}

fn read([certificate, key]: &[PathBuf; 2]) -> Result<Texts> {
    let read = |path: &PathBuf| std::fs::read(path).with_context(|| format!("{} cannot be read", path.display()));
    Ok([read(certificate)?, read(key)?])
}

fn acceptor([certificate, key]: &[PathBuf; 2], texts: &Texts) -> Result<TlsAcceptor> {
    let pem = |path: &PathBuf| format!("{} has no usable PEM", path.display());
    let chain = CertificateDer::pem_slice_iter(&texts[0]).collect::<Result<Vec<_>, _>>();
    let chain = chain.with_context(|| pem(certificate))?;
    let private = PrivateKeyDer::from_pem_slice(&texts[1]).with_context(|| pem(key))?;
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let config = config.with_safe_default_protocol_versions()?.with_no_client_auth();
    let mut config = config.with_single_cert(chain, private).with_context(|| {
        format!("the certificate {} and the key {} cannot be used together", certificate.display(), key.display())
    })?;
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    Ok(TlsAcceptor::from(Arc::new(config)))
}
