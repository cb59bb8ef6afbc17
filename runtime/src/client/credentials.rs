//! Selects the credentials of a request.

use http::header::{AUTHORIZATION, HeaderName};
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

use super::request_error::RequestProblem;
use super::security::secret_header;
use super::{Client, Credential, Scheme, SchemeKind, Security};

/// Characters that a cookie must not contain (RFC 6265, section 4.1.1), and the escape character.
const NO_COOKIE: &AsciiSet = &CONTROLS.add(b' ').add(b'"').add(b'%').add(b',').add(b';').add(b'\\');

/// A credential to send.
#[derive(Debug)]
pub(super) struct Presented {
    scheme: &'static Scheme,
    credential: Credential,
    /// Whether it comes from the provider, which may return another one.
    provided: bool,
}

/// The credentials of the first alternative that is complete, without the `refused` ones.
pub(super) async fn choose(
    client: &Client,
    security: Security,
    refused: &[Presented],
) -> Result<Vec<Presented>, RequestProblem> {
    let shared = &client.shared;
    let provider = |scheme: &'static Scheme| shared.provider.as_ref().filter(|provider| provider.provides(scheme));
    let is_there = |scheme: &&'static Scheme| {
        scheme.kind == SchemeKind::Other || shared.credentials.contains_key(scheme.name) || provider(scheme).is_some()
    };
    let Some(alternative) = security.alternatives.iter().find(|schemes| schemes.iter().all(is_there)) else {
        if security.optional {
            return Ok(Vec::new());
        }
        let accepted = security.alternatives.iter().map(|schemes| joined(schemes)).collect();
        return Err(RequestProblem::NoCredentials { accepted });
    };

    let mut presented = Vec::with_capacity(alternative.len());
    for &scheme in *alternative {
        if let Some(credential) = shared.credentials.get(scheme.name) {
            presented.push(Presented { scheme, credential: credential.clone(), provided: false });
        } else if let Some(provider) = provider(scheme) {
            let refused = refused.iter().find(|refused| refused.scheme == scheme).map(|refused| &refused.credential);
            let credential = provider.credential(scheme, refused).await;
            let credential = credential.map_err(|source| RequestProblem::Provider { scheme: scheme.name, source })?;
            presented.push(Presented { scheme, credential, provided: true });
        }
    }
    Ok(presented)
}

/// Other credentials in place of refused ones; `None` if there are none.
pub(super) async fn renew(
    client: &Client,
    security: Security,
    refused: &[Presented],
) -> Result<Option<Vec<Presented>>, RequestProblem> {
    if !refused.iter().any(|refused| refused.provided) {
        return Ok(None);
    }
    let renewed = choose(client, security, refused).await?;
    let unchanged = renewed.len() == refused.len()
        && renewed.iter().zip(refused).all(|(new, old)| new.credential.proves_the_same_as(&old.credential));
    Ok((!unchanged).then_some(renewed))
}

impl Presented {
    /// Adds the credential to the request, unless the call has set the parameter or header itself.
    pub(super) fn write(&self, http: &mut reqwest::Request, cookies: &mut String) -> Result<(), RequestProblem> {
        self.try_write(http, cookies).ok_or(RequestProblem::WrongCredential { scheme: self.scheme.name })
    }

    fn try_write(&self, http: &mut reqwest::Request, cookies: &mut String) -> Option<()> {
        let text = self.credential.text(&self.scheme.kind)?;
        match self.scheme.kind {
            SchemeKind::Basic | SchemeKind::Bearer => {
                http.headers_mut().entry(AUTHORIZATION).or_insert(secret_header(&text)?);
            }
            SchemeKind::ApiKeyHeader(name) => {
                let name = HeaderName::from_bytes(name.as_bytes()).ok()?;
                http.headers_mut().entry(name).or_insert(secret_header(&text)?);
            }
            SchemeKind::ApiKeyQuery(name) => {
                if !http.url().query_pairs().any(|(known, _)| known == name) {
                    http.url_mut().query_pairs_mut().append_pair(name, &text);
                }
            }
            SchemeKind::ApiKeyCookie(name) => {
                if !cookies.split("; ").any(|cookie| cookie.split('=').next() == Some(name)) {
                    let separator = if cookies.is_empty() { "" } else { "; " };
                    let text = utf8_percent_encode(&text, NO_COOKIE).to_string();
                    cookies.extend([separator, name, "=", &text]);
                }
            }
            SchemeKind::Other => {}
        }
        Some(())
    }
}

fn joined(schemes: &[&Scheme]) -> String {
    let names: Vec<_> = schemes.iter().map(|scheme| format!("`{}`", scheme.name)).collect();
    names.join(" and ")
}
