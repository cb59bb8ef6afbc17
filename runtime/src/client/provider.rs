//! Credentials that are fetched when they are needed, and fetched anew when a server refuses them.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::{self, Debug, Formatter};
use std::pin::Pin;

use tokio::sync::Mutex;

use super::security::{Credential, Scheme};

/// Gives out credentials: from a token endpoint, a file that somebody rotates, a keychain.
///
/// What it gives is used for all calls until it expires ([`Credential::expires_in`]) or a server answers 401; calls
/// that need a new one at the same time wait for one fetch.
pub trait CredentialProvider: Send + Sync + 'static {
    /// It has credentials for this scheme. All schemes, unless it says otherwise.
    fn provides(&self, scheme: &'static Scheme) -> bool {
        let _ = scheme;
        true
    }

    /// A credential for the scheme. `refused` is the one that a server has just answered 401 to; to give it once more
    /// is to say that there is no other.
    fn credential(
        &self,
        scheme: &'static Scheme,
        refused: Option<&Credential>,
    ) -> impl Future<Output = Result<Credential, Box<dyn Error + Send + Sync>>> + Send;
}

/// A provider and what it has given out.
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

    /// The credential in use, or a new one when there is none, it has expired, or it is the one that was refused.
    pub(super) async fn credential(
        &self,
        scheme: &'static Scheme,
        refused: Option<&Credential>,
    ) -> Result<Credential, Box<dyn Error + Send + Sync>> {
        // Held over the fetch, so that the calls behind this one find its result.
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
