//! A server that sends prepared responses in order, and records its requests.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::Response;
use http::HeaderMap;
use http_body_util::BodyExt;

use crate::accounts::Accounts;
use crate::files::Files;
use crate::runtime::client::Credential;
use crate::security;
use crate::{Client, ClientBuilder};

/// A prepared response.
pub(crate) struct Reply {
    status: u16,
    headers: Vec<(&'static str, String)>,
    body: Vec<u8>,
    delay: Duration,
}

/// A recorded request.
pub(crate) struct Asked {
    pub(crate) method: String,
    pub(crate) target: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

/// The server.
#[derive(Clone)]
pub(crate) struct Script {
    pub(crate) url: String,
    replies: Arc<Mutex<Vec<Reply>>>,
    asked: Arc<Mutex<Vec<Asked>>>,
}

pub(crate) fn reply(status: u16) -> Reply {
    Reply { status, headers: Vec::new(), body: Vec::new(), delay: Duration::ZERO }
}

pub(crate) fn json(text: &str) -> Reply {
    reply(200).header("content-type", "application/json").body(text)
}

impl Reply {
    pub(crate) fn header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    pub(crate) fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = body.into();
        self
    }

    pub(crate) fn status(mut self, status: u16) -> Self {
        self.status = status;
        self
    }

    pub(crate) fn after(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }
}

impl Script {
    /// Starts to listen.
    pub(crate) async fn of(replies: impl IntoIterator<Item = Reply>) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut replies: Vec<_> = replies.into_iter().collect();
        replies.reverse();
        let script = Self {
            url: format!("http://{}", listener.local_addr().unwrap()),
            replies: Arc::new(Mutex::new(replies)),
            asked: Arc::default(),
        };
        let app = Router::new().fallback(answer).with_state(script.clone());
        tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        script
    }

    /// A client of this server.
    pub(crate) fn builder(&self) -> ClientBuilder {
        Client::builder(&self.url).unwrap().credential(&security::BEARER_AUTH, Credential::bearer("secret"))
    }

    pub(crate) fn accounts(&self) -> Accounts {
        self.builder().build().unwrap().accounts()
    }

    pub(crate) fn files(&self) -> Files {
        self.builder().build().unwrap().files()
    }

    /// The requests since the last call.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        std::mem::take(&mut self.asked.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The targets of the requests since the last call.
    pub(crate) fn targets(&self) -> Vec<String> {
        self.asked().into_iter().map(|asked| asked.target).collect()
    }
}

impl Asked {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }
}

async fn answer(State(script): State<Script>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let body = body.collect().await.map(|body| body.to_bytes().to_vec()).unwrap_or_default();
    script.asked.lock().unwrap_or_else(PoisonError::into_inner).push(Asked {
        method: head.method.to_string(),
        target: head.uri.to_string(),
        headers: head.headers,
        body,
    });
    let reply = script.replies.lock().unwrap_or_else(PoisonError::into_inner).pop();
    let reply = reply.unwrap_or_else(|| crate::script::reply(418).body("nothing is left to answer"));
    tokio::time::sleep(reply.delay).await;
    let mut response = Response::builder().status(reply.status);
    for (name, value) in reply.headers {
        response = response.header(name, value.replace("{url}", &script.url));
    }
    response.body(Body::from(reply.body)).unwrap()
}
