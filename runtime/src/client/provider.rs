//! Credentials that are fetched when they are needed, and again when a server refuses them.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::{self, Debug, Formatter};
use std::pin::Pin;

use tokio::sync::Mutex;

use super::security::{Credential, Scheme};

/// A source of credentials, such as a token endpoint, a file, or a keychain.
///
/// A credential is used for all calls until it expires ([`Credential::expires_in`]) or a server answers 401. Concurrent
/// calls that need a new one wait for a single fetch.
pub trait CredentialProvider: Send + Sync + 'static {
    /// Whether it has credentials for this scheme. By default, it has them for all schemes.
    fn provides(&self, scheme: &'static Scheme) -> bool {
        let _ = scheme;
        true
    }

    /// Returns a credential for the scheme. `refused` is the one that a server has just answered with 401; the call fails
    /// if it is returned again.
    fn credential(
        &self,
        scheme: &'static Scheme,
        refused: Option<&Credential>,
    ) -> impl Future<Output = Result<Credential, Box<dyn Error + Send + Sync>>> + Send;
}

/// A provider and its credentials in use.
pub(super) struct Provider {
    provider: Box<dyn Boxed>,
    given: Mutex<BTreeMap<&'static str, Credential>>,
}

impl Provider {
    pub(super) fn new(provider: impl CredentialProvider) -> Self {
        Self { provider: Box::new(provider), given: Mutex::default() }
    }

    pub(super) fn provides(&self, scheme: &'static Scheme) -> bool {
        self.provider.provides(scheme)
    }

    /// The credential in use, or a new one if there is none, if it has expired, or if it is the refused one.
    pub(super) async fn credential(
        &self,
        scheme: &'static Scheme,
        refused: Option<&Credential>,
    ) -> Result<Credential, Box<dyn Error + Send + Sync>> {
        // Locked during the fetch, so that concurrent calls find its result.
        let mut given = self.given.lock().await;
        let usable = given
            .get(scheme.name)
            .filter(|given| !given.has_expired() && !refused.is_some_and(|refused| refused.proves_the_same_as(given)));
        if let Some(usable) = usable {
            return Ok(usable.clone());
        }
        let credential = self.provider.boxed(scheme, refused).await?;
        given.insert(scheme.name, credential.clone());
        Ok(credential)
    }
}

impl Debug for Provider {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Provider").finish_non_exhaustive()
    }
}

type Fetch<'p> = Pin<Box<dyn Future<Output = Result<Credential, Box<dyn Error + Send + Sync>>> + Send + 'p>>;

/// [`CredentialProvider`] for `dyn`.
trait Boxed: Send + Sync {
    fn provides(&self, scheme: &'static Scheme) -> bool;
    fn boxed<'p>(&'p self, scheme: &'static Scheme, refused: Option<&'p Credential>) -> Fetch<'p>;
}

impl<P: CredentialProvider> Boxed for P {
    fn provides(&self, scheme: &'static Scheme) -> bool {
        CredentialProvider::provides(self, scheme)
    }

    fn boxed<'p>(&'p self, scheme: &'static Scheme, refused: Option<&'p Credential>) -> Fetch<'p> {
        Box::pin(self.credential(scheme, refused))
    }
}
