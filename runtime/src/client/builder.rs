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

/// More than any sensible answer that is not streamed.
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

/// Why a client cannot be made.
#[derive(Debug)]
#[non_exhaustive]
pub enum BuildError {
    /// The base URL is none that requests can be sent to.
    BaseUrl {
        /// As it was given.
        url: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A header that HTTP does not allow.
    Header {
        /// Its name.
        name: String,
    },
    /// A credential that cannot be sent for its scheme.
    Credential {
        /// The scheme.
        scheme: &'static str,
    },
    /// The connection pool cannot be made.
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

    /// `base` has no slash at its end.
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

    /// The credential of a scheme.
    pub fn credential(mut self, scheme: &'static Scheme, credential: Credential) -> Self {
        if credential.text(&scheme.kind).and_then(|text| secret_header(&text)).is_none() {
            self.refuse(BuildError::Credential { scheme: scheme.name });
        }
        self.credentials.push((scheme, credential));
        self
    }

    /// Where the credentials of all schemes come from that have none of their own.
    pub fn credential_provider(mut self, provider: impl CredentialProvider) -> Self {
        self.provider = Some(Provider::new(provider));
        self
    }

    /// Sends operations for which the description names another server there, and their credentials with them. Without
    /// it, the base URL is the server of all.
    pub fn described_servers(mut self) -> Self {
        self.described_servers = true;
        self
    }

    /// How long a call may take, repetitions included; a call may say otherwise. Without it, it takes as long as the
    /// connection is alive.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// When calls are sent again; a call may say otherwise.
    pub fn retry(mut self, retry: Retry) -> Self {
        self.retry = retry;
        self
    }

    /// A header of every request; a call may say otherwise.
    pub fn header(mut self, name: &str, value: &str) -> Self {
        match (HeaderName::from_bytes(name.as_bytes()), HeaderValue::from_str(value)) {
            (Ok(name), Ok(value)) => {
                self.headers.insert(name, value);
            }
            _ => self.refuse(BuildError::Header { name: name.to_owned() }),
        }
        self
    }

    /// What a client without a `User-Agent` or a connection pool of its own calls itself: the name and version of the
    /// crate that has it.
    pub fn agent(mut self, agent: &'static str) -> Self {
        self.agent = agent;
        self
    }

    /// What the client calls itself, instead of its crate's name and version.
    pub fn user_agent(self, user_agent: &str) -> Self {
        self.header(USER_AGENT.as_str(), user_agent)
    }

    /// The longest body of an answer that is read into memory, in bytes. A [`Download`](super::Download) has no limit
    /// as long as it is read chunk by chunk.
    pub fn response_limit(mut self, bytes: u64) -> Self {
        self.response_limit = bytes;
        self
    }

    /// A connection pool of one's own: with a proxy, certificates, other timeouts, or other redirections. The pool of
    /// a client without one follows redirections that are no answer by the description, but not to another server when a
    /// key may stand in a header, which is so with an API key, a provider, or a [`header`](Self::header): only
    /// `Authorization` and cookies are known to be secrets on the way.
    pub fn http_client(mut self, http: reqwest::Client) -> Self {
        self.http = Some(http);
        self
    }

    /// A service of tower that all requests are sent by, repetitions too, in the place of the connection pool: the router
    /// of a server in memory, or what a test answers. It follows no redirections, and knows no `User-Agent` of its own.
    pub fn transport(mut self, transport: impl IntoTransport) -> Self {
        self.transport = Some(transport.into_transport());
        self
    }

    /// A service of tower around what the requests are sent by: around the connection pool, unless there is a
    /// [`transport`](Self::transport). The last one that was asked for is the outermost.
    pub fn wrap_transport<T, F>(mut self, wrap: F) -> Self
    where
        T: IntoTransport,
        F: FnOnce(Transport) -> T + Send + Sync + 'static,
    {
        self.wraps.push(Wrap(Box::new(|transport| wrap(transport).into_transport())));
        self
    }

    /// Makes the client.
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

    /// What a provider gives is not known before it is asked, and any header of one's own may be a key.
    fn may_send_keys_in_headers(&self) -> bool {
        let in_header = |(scheme, _): &(&Scheme, _)| matches!(scheme.kind, SchemeKind::ApiKeyHeader(_));
        self.provider.is_some()
            || self.credentials.iter().any(in_header)
            || self.headers.keys().any(|name| *name != USER_AGENT)
    }

    /// The first problem is the one to mend first.
    fn refuse(&mut self, problem: BuildError) {
        self.problem.get_or_insert(problem);
    }
}

/// What is put around a transport.
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
