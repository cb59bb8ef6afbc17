//! Documents that are fetched from the network, with bounds of time and size.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The largest sum of all contents, in bytes.
const LARGEST: usize = 64 << 20;

/// The largest number of documents.
const MOST: usize = 1000;

type Contents = BTreeMap<String, Result<Vec<u8>, String>>;

/// Contents by URL. Each is fetched once in a run, so that a diagnostic shows what was read.
static FETCHED: Mutex<Contents> = Mutex::new(BTreeMap::new());

/// The document at a URL. `is_secure`: only `https` is fetched, even after redirects.
pub(super) fn fetch(url: &str, is_secure: bool) -> io::Result<Vec<u8>> {
    let mut fetched = fetched();
    if !fetched.contains_key(url) {
        let size: usize = fetched.values().flatten().map(Vec::len).sum();
        let content = if fetched.len() < MOST {
            get(url, is_secure, LARGEST - size)
        } else {
            Err(format!("more than {MOST} documents are not fetched"))
        };
        fetched.insert(url.to_owned(), content);
    }
    fetched[url].clone().map_err(io::Error::other)
}

/// What `fetch` has returned for a URL.
pub(super) fn content(url: &str) -> Option<Vec<u8>> {
    fetched().get(url)?.clone().ok()
}

fn fetched() -> MutexGuard<'static, Contents> {
    FETCHED.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(not(feature = "exchange"))]
fn get(_url: &str, _is_secure: bool, _largest: usize) -> Result<Vec<u8>, String> {
    Err("this build has no HTTP client; the feature `exchange` has one".to_owned())
}

#[cfg(feature = "exchange")]
fn get(url: &str, is_secure: bool, largest: usize) -> Result<Vec<u8>, String> {
    use std::time::Duration;

    use reqwest::Url;
    use reqwest::redirect::Policy;

    use super::exchange;

    /// How long a document may take.
    const PATIENCE: Duration = Duration::from_secs(30);
    /// The largest number of redirects.
    const REDIRECTS: usize = 5;

    let url: Url = url.parse().map_err(|error| format!("it is not a URL: {error}"))?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err("a URL with credentials is not fetched, because files name it".to_owned());
    }
    let builder = reqwest::Client::builder().timeout(PATIENCE).https_only(is_secure);
    let client = exchange::client(builder.redirect(Policy::limited(REDIRECTS)))?;
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|error| error.to_string())?;
    runtime.block_on(async {
        let failed = |error: reqwest::Error| exchange::reason(&error, PATIENCE);
        let mut response = client.get(url).send().await.map_err(failed)?;
        if !response.status().is_success() {
            return Err(format!("the answer is {}", response.status()));
        }
        let mut content = Vec::new();
        while let Some(piece) = response.chunk().await.map_err(failed)? {
            content.extend_from_slice(&piece);
            if content.len() > largest {
                return Err(format!("all documents have more than {} MiB", LARGEST >> 20));
            }
        }
        Ok(content)
    })
}
