//! The settings of a client.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::{self, Debug, Display, Formatter};
use std::sync::Arc;
use std::time::Duration;

use http::header::USER_AGENT;
use http::{HeaderMap, HeaderName, HeaderValue};
use reqwest::Url;

use super::pool::Pool;
use super::provider::{CredentialProvider, Provider};
use super::security::secret_header;
use super::{Client, Credential, IntoTransport, Retry, Scheme, SchemeKind, Shared, Transport};

/// The default limit of responses in memory.
const RESPONSE_LIMIT: u64 = 256 * 1024 * 1024;

/// The default `User-Agent`.
const AGENT: &str = concat!(env!("CARGO_PKG_NAME"), "/", env!("CARGO_PKG_VERSION"));

/// Configures the client of [`Client::builder`].
#[derive(Debug)]
#[must_use = "a client is made by `build`"]
pub struct ClientBuilder {
    transport: Option<Transport>,
    wraps: Vec<Wrap>,
    http: Option<reqwest::Client>,
    agent: &'static str,
    base: String,
    described_servers: bool,
    headers: HeaderMap,
    timeout: Option<Duration>,
    retry: Retry,
    response_limit: u64,
    credentials: Vec<(&'static Scheme, Credential)>,
    provider: Option<Provider>,
    problem: Option<BuildError>,
}

/// Why a client cannot be built.
#[derive(Debug)]
#[non_exhaustive]
pub enum BuildError {
    /// The base URL is invalid.
    BaseUrl {
        /// The URL.
        url: String,
        /// The reason.
        reason: String,
    },
    /// A header is invalid.
    Header {
        /// The name.
        name: String,
    },
    /// A credential cannot be sent for its scheme.
    Credential {
        /// The scheme.
        scheme: &'static str,
    },
    /// The connection pool cannot be built.
    Http(reqwest::Error),
}

impl ClientBuilder {
    pub(super) fn new(base_url: &str) -> Result<Self, BuildError> {
        let refuse = |reason: String| BuildError::BaseUrl { url: base_url.to_owned(), reason };
        let url = Url::parse(base_url).map_err(|error| refuse(error.to_string()))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(refuse(format!("its scheme is `{}`, not `http` or `https`", url.scheme())));
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(refuse("it has a query or a fragment".to_owned()));
        }
        Ok(Self::of(url.as_str().trim_end_matches('/').to_owned()))
    }

    /// `base` has no trailing slash.
    pub(super) fn of(base: String) -> Self {
        Self {
            transport: None,
            wraps: Vec::new(),
            http: None,
            agent: AGENT,
            base,
            described_servers: false,
            headers: HeaderMap::new(),
            timeout: None,
            retry: Retry::default(),
            response_limit: RESPONSE_LIMIT,
            credentials: Vec::new(),
            provider: None,
            problem: None,
        }
    }

    /// Sets the credential of a scheme.
    pub fn credential(mut self, scheme: &'static Scheme, credential: Credential) -> Self {
        if credential.text(&scheme.kind).and_then(|text| secret_header(&text)).is_none() {
            self.refuse(BuildError::Credential { scheme: scheme.name });
        }
        self.credentials.push((scheme, credential));
        self
    }

    /// Sets the provider of credentials for all schemes without their own credential.
    pub fn credential_provider(mut self, provider: impl CredentialProvider) -> Self {
        self.provider = Some(Provider::new(provider));
        self
    }

    /// Sends operations that declare another server to that server, with their credentials. By default all
    /// operations are sent to the base URL.
    pub fn described_servers(mut self) -> Self {
        self.described_servers = true;
        self
    }

    /// Sets the timeout of calls, including retries. A call can override it. By default there is none.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Sets the retry policy of calls. A call can override it.
    pub fn retry(mut self, retry: Retry) -> Self {
        self.retry = retry;
        self
    }

    /// Adds a header to every request. A call can override it.
    pub fn header(mut self, name: &str, value: &str) -> Self {
        match (HeaderName::from_bytes(name.as_bytes()), HeaderValue::from_str(value)) {
            (Ok(name), Ok(value)) => {
                self.headers.insert(name, value);
            }
            _ => self.refuse(BuildError::Header { name: name.to_owned() }),
        }
        self
    }

    /// Sets the default `User-Agent`: the name and the version of the generated crate.
    pub fn agent(mut self, agent: &'static str) -> Self {
        self.agent = agent;
        self
    }

    /// Sets the `User-Agent`.
    pub fn user_agent(self, user_agent: &str) -> Self {
        self.header(USER_AGENT.as_str(), user_agent)
    }

    /// Sets the maximum size of a response in memory, in bytes. A [`Download`](super::Download) that is read
    /// chunk by chunk has no limit.
    pub fn response_limit(mut self, bytes: u64) -> Self {
        self.response_limit = bytes;
        self
    }

    /// Replaces the connection pool, for example by one with a proxy, certificates, timeouts or another policy of
    /// redirections. The default pool follows redirections that the description does not declare. It follows none to
    /// another server if a header may contain a key: with an API key, a provider, or a [`header`](Self::header).
    pub fn http_client(mut self, http: reqwest::Client) -> Self {
        self.http = Some(http);
        self
    }

    /// Sends all requests, including retries, through a tower service instead of the connection pool: the
    /// router of a server in memory, or a fake in a test. It does not follow redirections and adds no
    /// `User-Agent`.
    pub fn transport(mut self, transport: impl IntoTransport) -> Self {
        self.transport = Some(transport.into_transport());
        self
    }

    /// Wraps the connection pool, or the [`transport`](Self::transport), in a tower service. The last one is
    /// the outermost.
    pub fn wrap_transport<T, F>(mut self, wrap: F) -> Self
    where
        T: IntoTransport,
        F: FnOnce(Transport) -> T + Send + Sync + 'static,
    {
        self.wraps.push(Wrap(Box::new(|transport| wrap(transport).into_transport())));
        self
    }

    /// Builds the client.
    pub fn build(self) -> Result<Client, BuildError> {
        if let Some(problem) = self.problem {
            return Err(problem);
        }
        let keys = self.may_send_keys_in_headers();
        let transport = match (self.transport, self.http) {
            (Some(transport), _) => transport,
            (None, Some(http)) => Transport::pool(Pool::given(http, self.agent)),
            (None, None) => Transport::pool(Pool::new(self.agent, keys).map_err(BuildError::Http)?),
        };
        let transport = self.wraps.into_iter().fold(transport, |transport, Wrap(wrap)| wrap(transport));
        let credentials: BTreeMap<_, _> =
            self.credentials.into_iter().map(|(scheme, credential)| (scheme.name, credential)).collect();
        Ok(Client {
            shared: Arc::new(Shared {
                transport,
                base: self.base,
                described_servers: self.described_servers,
                headers: self.headers,
                timeout: self.timeout,
                retry: self.retry,
                response_limit: self.response_limit,
                credentials,
                provider: self.provider,
            }),
        })
    }

    /// Whether a header may contain a key: credentials of a provider are unknown, and every header of the
    /// user may be a key.
    fn may_send_keys_in_headers(&self) -> bool {
        let in_header = |(scheme, _): &(&Scheme, _)| matches!(scheme.kind, SchemeKind::ApiKeyHeader(_));
        self.provider.is_some()
            || self.credentials.iter().any(in_header)
            || self.headers.keys().any(|name| *name != USER_AGENT)
    }

    /// Keeps the first problem.
    fn refuse(&mut self, problem: BuildError) {
        self.problem.get_or_insert(problem);
    }
}

/// A layer around a transport.
struct Wrap(Box<dyn FnOnce(Transport) -> Transport + Send + Sync>);

impl Debug for Wrap {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str("a service around it")
    }
}

impl Display for BuildError {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::BaseUrl { url, reason } => write!(formatter, "`{url}` cannot be a base URL: {reason}"),
            Self::Header { name } => write!(formatter, "the header `{name}` is not a valid one"),
            Self::Credential { scheme } => write!(formatter, "this credential cannot be sent for `{scheme}`"),
            Self::Http(_) => formatter.write_str("the connection pool cannot be made"),
        }
    }
}

impl Error for BuildError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Http(source) => Some(source),
            Self::BaseUrl { .. } | Self::Header { .. } | Self::Credential { .. } => None,
        }
    }
}
