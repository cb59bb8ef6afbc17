//! What `mock`, `proxy` and `prove` share: the description and its operations, and seeds.

pub(super) mod curl;
pub(super) mod markup;
pub(super) mod route;

use std::sync::Arc;
use std::time::Duration;

use reqwest::redirect::Policy;
use reqwest::{ClientBuilder, Url};
use serde_json::Value;
use specwright::Files;
use specwright_exchange::{Document, Operation};
use tokio::runtime::{Builder, Runtime};

use super::description::Description;
use super::{Described, Failure, Input, config, diagnostics};

/// The stack of a thread: schemas refer to each other, and their values are nested.
const STACK: usize = 16 << 20;

/// The largest body that is read, in bytes.
pub(super) const LARGEST_BODY: usize = 16 << 20;

/// The description, and its operations, which are used until the program ends. The diagnostics of the generator are printed
/// only for a description without operations.
pub(super) fn read(described: &Described) -> Result<(Arc<Document>, &'static [Operation]), Failure> {
    let path = &described.document;
    let config = config::read(described.config.as_deref())?;
    let files = Description::new(&Input { described: described.clone(), ..Input::default() }, &config)?;
    let entry = if files.overlays.is_empty() { None } else { Some(overlaid(&files)?) };
    let read = |file: &str| match &entry {
        Some(tree) if file == files.entry => Ok(tree.to_string().into_bytes()),
        _ => Files::read(&files, file),
    };
    let why = match Document::read(&files.entry, read) {
        Ok(document) => {
            let operations = document.operations();
            if !operations.is_empty() {
                return Ok((Arc::new(document), Vec::leak(operations)));
            }
            "the description has no operations".to_owned()
        }
        Err(error) => error.to_string(),
    };
    let Err(diagnostics) = files.read() else {
        eprintln!("error: {}: {why}", path.display());
        return Err(Failure::Document);
    };
    diagnostics::print(&files, &diagnostics, false);
    Err(files.failure(&diagnostics))
}

/// The entry file with the overlays applied; warnings about them are printed.
fn overlaid(description: &Description) -> Result<Value, Failure> {
    match description.generator.overlaid(&description.source()) {
        Ok((tree, warnings)) => {
            diagnostics::print(description, &warnings, false);
            Ok(tree)
        }
        Err(diagnostics) => {
            diagnostics::print(description, &diagnostics, false);
            Err(description.failure(&diagnostics))
        }
    }
}

/// An HTTP client that follows no redirects, and the URL without its last slash.
pub(super) fn http(base: &Url, builder: ClientBuilder) -> Result<(reqwest::Client, String), Failure> {
    if !matches!(base.scheme(), "http" | "https") || base.cannot_be_a_base() {
        return Err(Failure::usage(format!("`{base}` does not start with `http://` or `https://`")));
    }
    if base.query().is_some() || base.fragment().is_some() {
        return Err(Failure::usage(format!("`{base}` has a query or a fragment, but paths follow it")));
    }
    let http = client(builder.redirect(Policy::none())).map_err(Failure::Usage)?;
    Ok((http, base.as_str().trim_end_matches('/').to_owned()))
}

/// An HTTP client.
pub(super) fn client(builder: ClientBuilder) -> Result<reqwest::Client, String> {
    // Fails if there is a provider already, which is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    builder.build().map_err(|error| format!("no HTTP client: {error}"))
}

/// The innermost reason of an error. `patience`: how long an answer may take.
pub(super) fn reason(error: &reqwest::Error, patience: Duration) -> String {
    if error.is_timeout() {
        return format!("no answer within {} seconds", patience.as_secs());
    }
    let mut reason: &dyn std::error::Error = error;
    while let Some(source) = reason.source() {
        reason = source;
    }
    reason.to_string()
}

/// What runs asynchronous code.
pub(super) fn runtime() -> Result<Runtime, Failure> {
    let built = Builder::new_multi_thread().worker_threads(2).thread_stack_size(STACK).enable_all().build();
    built.map_err(|error| Failure::usage(format!("threads cannot be started: {error}")))
}

/// The seed for one of several purposes: a hash (FNV-1a) that is the same in every version and on every machine.
pub(super) fn seed(seed: u64, purpose: &str) -> u64 {
    let start = 0xcbf2_9ce4_8422_2325 ^ seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    purpose.bytes().fold(start, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)) >> 16
}
