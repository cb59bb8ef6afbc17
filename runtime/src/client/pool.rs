//! The connection pool of a client.

use std::sync::OnceLock;
use std::time::Duration;

use reqwest::redirect::{Action, Attempt, Policy};

use super::Operation;

/// Connections that are reused, and the redirections that are followed.
#[derive(Debug)]
pub(super) struct Pool {
    http: reqwest::Client,
    agent: &'static str,
    /// A client that follows no redirections, made when it is needed.
    unredirected: OnceLock<reqwest::Client>,
}

impl Pool {
    /// Uses a client of the user, with its own policy of redirections.
    pub(super) fn given(http: reqwest::Client, agent: &'static str) -> Self {
        Self { http: http.clone(), agent, unredirected: OnceLock::from(http) }
    }

    /// Makes a client with the `User-Agent` `agent`. With `keys`, headers may contain keys, which must not reach
    /// another server.
    pub(super) fn new(agent: &'static str, keys: bool) -> reqwest::Result<Self> {
        let redirections = if keys { Policy::custom(on_the_same_server) } else { Policy::default() };
        Ok(Self { http: default_http(agent, redirections)?, agent, unredirected: OnceLock::new() })
    }

    /// The client for an operation: redirections that the description declares as answers are not followed.
    pub(super) fn of(&self, operation: Option<&Operation>) -> &reqwest::Client {
        if !operation.is_some_and(Operation::describes_redirections) {
            return &self.http;
        }
        self.unredirected.get_or_init(|| default_http(self.agent, Policy::none()).unwrap_or_else(|_| self.http.clone()))
    }
}

/// Connecting and silence have time limits; a slow response has none.
fn default_http(agent: &str, redirections: Policy) -> reqwest::Result<reqwest::Client> {
    reqwest::Client::builder()
        .redirect(redirections)
        // The URL may contain a key.
        .referer(false)
        .user_agent(agent)
        .connect_timeout(Duration::from_secs(10))
        .read_timeout(Duration::from_mins(1))
        .build()
}

fn on_the_same_server(attempt: Attempt<'_>) -> Action {
    let is_the_same = attempt.previous().last().is_some_and(|from| from.origin() == attempt.url().origin());
    if is_the_same { Policy::default().redirect(attempt) } else { attempt.stop() }
}
