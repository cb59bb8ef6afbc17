//! Sends requests, with bounds of time and size.

use std::time::Duration;

use reqwest::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Method, RequestBuilder, Url};
use specwright_exchange::{Message, is_stream};

use crate::command::Failure;
use crate::command::exchange::{self, LARGEST_BODY, curl};

/// The variable of the environment that has the token.
pub(super) const TOKEN: &str = "SPECWRIGHT_TOKEN";

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long a stream is read, which may have no end.
const STREAMED: Duration = Duration::from_secs(1);

/// Sends requests to a service.
pub(super) struct Client {
    http: reqwest::Client,
    base: String,
    headers: HeaderMap,
    /// The headers as the report shows them.
    shown: Vec<String>,
}

/// An answer of the service.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
    /// The body has more than what was read.
    pub(crate) is_cut: bool,
}

/// Why the service did not answer.
#[derive(Clone, Debug)]
pub(super) struct NoAnswer {
    /// Whether no connection could be opened.
    pub(super) is_unreachable: bool,
    /// Whether the budget was used up before the answer.
    pub(super) is_cut: bool,
    /// Whether an open connection broke.
    is_broken: bool,
    pub(super) why: String,
}

impl NoAnswer {
    /// The budget was used up before the answer.
    pub(super) fn cut() -> Self {
        Self { is_unreachable: false, is_cut: true, is_broken: false, why: "the time was over".to_owned() }
    }
}

impl Client {
    /// A client of the service at `base`, with these headers.
    pub(super) fn new(base: &Url, lines: &[String], bearer: Option<&str>) -> Result<Self, Failure> {
        let (http, base) = exchange::http(base, reqwest::Client::builder().timeout(PATIENCE))?;
        let mut headers = HeaderMap::new();
        let mut shown = Vec::new();
        for line in lines {
            let wrong = || Failure::usage(format!("`{line}` is not a header: expected `Name: value`"));
            let (name, value) = line.split_once(':').ok_or_else(wrong)?;
            let name = HeaderName::try_from(name.trim()).map_err(|_| wrong())?;
            headers.append(name, HeaderValue::try_from(value.trim()).map_err(|_| wrong())?);
            shown.push(line.replace(['\\', '"', '$', '`'], ""));
        }
        if let Some(token) = bearer {
            let value = HeaderValue::try_from(format!("Bearer {token}"));
            headers.insert(AUTHORIZATION, value.map_err(|_| Failure::usage("the token cannot stand in a header"))?);
            shown.push(format!("Authorization: Bearer ${TOKEN}"));
        }
        Ok(Self { http, base, headers, shown })
    }

    /// The service.
    pub(super) fn base(&self) -> &str {
        &self.base
    }

    /// Whether requests have credentials, as far as it can know.
    pub(super) fn has_credentials(&self) -> bool {
        !self.headers.is_empty()
    }

    /// Sends a request.
    pub(super) async fn send(&self, message: &Message) -> Result<Answer, NoAnswer> {
        self.send_with(message, &self.headers).await
    }

    /// Sends a request without the headers of the command line.
    pub(super) async fn send_bare(&self, message: &Message) -> Result<Answer, NoAnswer> {
        self.send_with(message, &HeaderMap::new()).await
    }

    /// The `curl` line of a request.
    pub(super) fn curl(&self, message: &Message) -> String {
        curl::line(&self.base, &self.without_replaced(message), &self.shown)
    }

    /// The `curl` line of a request without the headers of the command line.
    pub(super) fn curl_bare(&self, message: &Message) -> String {
        curl::line(&self.base, message, &[])
    }

    /// The message without the headers that the command line replaces.
    fn without_replaced(&self, message: &Message) -> Message {
        let mut message = message.clone();
        message.headers.retain(|(name, _)| !self.headers.contains_key(name.as_str()));
        message
    }

    /// Sends a request, and once more if the connection breaks: a service may close one that it kept open.
    async fn send_with(&self, message: &Message, headers: &HeaderMap) -> Result<Answer, NoAnswer> {
        match self.send_once(message, headers).await {
            Err(NoAnswer { is_broken: true, .. }) => self.send_once(message, headers).await,
            result => result,
        }
    }

    async fn send_once(&self, message: &Message, headers: &HeaderMap) -> Result<Answer, NoAnswer> {
        let no_answer = |why: String| NoAnswer { is_unreachable: false, is_cut: false, is_broken: false, why };
        let method = Method::try_from(message.method.as_str()).map_err(|error| no_answer(error.to_string()))?;
        let mut request = self.http.request(method, format!("{}{}", self.base, message.target));
        for (name, value) in message.headers.iter().filter(|(name, _)| !headers.contains_key(name.as_str())) {
            request = request.header(name, value);
        }
        request = request.headers(headers.clone());
        if !message.body.is_empty() {
            request = request.body(message.body.clone());
        }
        // In a task of its own, so that the time in which the next requests are made does not count.
        let answered = tokio::spawn(answered(request)).await;
        answered.unwrap_or_else(|error| Err(no_answer(error.to_string())))
    }
}

/// Sends a request, and reads the answer.
async fn answered(request: RequestBuilder) -> Result<Answer, NoAnswer> {
    let failed = |error: &reqwest::Error| NoAnswer {
        is_unreachable: error.is_connect(),
        is_cut: false,
        is_broken: !error.is_connect() && !error.is_timeout(),
        why: exchange::reason(error, PATIENCE),
    };
    let mut response = request.send().await.map_err(|error| failed(&error))?;
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    let content_type = headers.get("content-type").and_then(|value| value.to_str().ok()).unwrap_or_default();
    let patience = if is_stream(content_type) { STREAMED } else { PATIENCE };
    let mut body = Vec::new();
    let read = async {
        while let Some(chunk) = response.chunk().await? {
            body.extend_from_slice(&chunk);
            if body.len() > LARGEST_BODY {
                return Ok(true);
            }
        }
        Ok(false)
    };
    let is_cut = match tokio::time::timeout(patience, read).await {
        Ok(read) => read.map_err(|error: reqwest::Error| failed(&error))?,
        Err(_) => true,
    };
    Ok(Answer { status, headers, body, is_cut })
}
