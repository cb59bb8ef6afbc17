//! The base of generated clients: calls, retries, pages and errors.

mod answer;
mod body;
mod builder;
mod call;
mod credentials;
mod download;
mod error;
mod exchange;
mod json_text;
#[cfg(feature = "pages")]
mod link;
mod media_type;
#[cfg(feature = "multipart-read")]
mod multipart_reader;
#[cfg(feature = "multipart-write")]
mod multipart_writer;
mod operation;
#[cfg(feature = "arguments")]
mod outline;
#[cfg(feature = "pages")]
mod page;
#[cfg(feature = "pages")]
mod pages;
mod parts;
mod pool;
mod provider;
mod request;
mod request_error;
mod response;
mod retry;
mod security;
#[cfg(feature = "tracing")]
mod trace;
mod transport;
#[cfg(feature = "xml")]
mod xml;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use http::HeaderMap;

pub use answer::{Answer, FromAnswer, Unreadable};
pub use body::Body;
pub use builder::{BuildError, ClientBuilder};
pub use call::{Answering, Call, Valued};
pub use download::{Download, DownloadError};
pub use error::{ApiError, Error, TransportError, Undocumented, Unexpected};
pub use json_text::{JsonItems, JsonText};
#[cfg(feature = "mcp")]
pub(crate) use link::next as next_link;
#[cfg(feature = "multipart-read")]
pub use multipart_reader::{FilePart, MultipartReader};
pub use operation::{Content, Declared, Operation, PageSize, Pagination, Status};
#[cfg(feature = "arguments")]
pub(crate) use outline::Outline;
#[cfg(feature = "cli")]
pub(crate) use page::Facts;
#[cfg(feature = "pages")]
pub use page::Page;
#[cfg(feature = "pages")]
pub use pages::{Items, Pages};
pub use provider::CredentialProvider;
pub use request::{Parameter, Request};
pub use request_error::{RequestError, RequestProblem};
pub use response::{RawResponse, Response};
pub use retry::Retry;
pub use security::{Credential, Scheme, SchemeKind, Security};
pub use transport::{IntoTransport, Transport};

use provider::Provider;

/// A connection pool with the settings of one server. Cloning is cheap, and all clones share the pool.
#[derive(Clone, Debug)]
pub struct Client {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    transport: Transport,
    /// The base URL without a trailing slash.
    base: String,
    /// Whether operations with a server of their own are sent there.
    described_servers: bool,
    headers: HeaderMap,
    timeout: Option<Duration>,
    retry: Retry,
    response_limit: u64,
    credentials: BTreeMap<&'static str, Credential>,
    provider: Option<Provider>,
}

impl Client {
    /// Starts a client of the server at `base_url`, whose path precedes the paths of operations. If the description
    /// names a relative server for an operation, such as `/v2`, that path of the same host is used instead. An absolute
    /// server is used only with [`described_servers`](ClientBuilder::described_servers).
    pub fn builder(base_url: &str) -> Result<ClientBuilder, BuildError> {
        ClientBuilder::new(base_url)
    }

    /// Starts a client without a server: each call has its own URL.
    pub fn sender() -> ClientBuilder {
        ClientBuilder::of(String::new())
    }
}
