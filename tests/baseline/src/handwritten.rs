//! The interface by hand: axum, serde and reqwest.

use std::{
    net::SocketAddr,
    sync::{Arc, LazyLock},
};

use anyhow::Result;
use axum::{
    Json, Router,
    body::Body,
    extract::{Query, State as Shared},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
    routing::get,
};
use futures_util::TryStreamExt as _;
use jiff::Timestamp;
use regex::Regex;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{call, sample};

static EMAIL: LazyLock<Regex> = LazyLock::new(|| Regex::new("^[^@ ]+@[^@ ]+$").expect("a valid pattern"));
static ARTICLE: LazyLock<Regex> = LazyLock::new(|| Regex::new("^[A-Z]{2}-[0-9]{4}$").expect("a valid pattern"));

#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Pong {
    pub count: i64,
}

#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    Open,
    Paid,
    Sent,
    Closed,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Line {
    pub article: String,
    pub quantity: i32,
    pub price: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Order {
    pub id: Uuid,
    pub customer: String,
    pub email: String,
    pub state: State,
    pub created: Timestamp,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    pub lines: Vec<Line>,
}

#[derive(Deserialize, Serialize)]
struct Search {
    text: String,
    limit: i32,
    after: i64,
    state: State,
    since: Timestamp,
}

/// A member, and what is wrong with it.
#[derive(Serialize)]
struct Problem {
    pointer: String,
    detail: &'static str,
}

fn has_length(text: &str, least: usize, most: usize) -> bool {
    (least..=most).contains(&text.chars().count())
}

impl Order {
    fn problems(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        let mut check = |is_good: bool, pointer: &dyn Fn() -> String, detail| {
            if !is_good {
                problems.push(Problem { pointer: pointer(), detail });
            }
        };
        check(has_length(&self.customer, 1, 100), &|| "/customer".into(), "must have 1 to 100 characters");
        check(has_length(&self.email, 0, 200), &|| "/email".into(), "must have at most 200 characters");
        check(EMAIL.is_match(&self.email), &|| "/email".into(), "must be an address");
        let comment = self.comment.as_deref().unwrap_or_default();
        check(has_length(comment, 0, 500), &|| "/comment".into(), "must have at most 500 characters");
        check((1..=100).contains(&self.lines.len()), &|| "/lines".into(), "must be 1 to 100 lines");
        for (at, line) in self.lines.iter().enumerate() {
            let note = line.note.as_deref().unwrap_or_default();
            check(ARTICLE.is_match(&line.article), &|| format!("/lines/{at}/article"), "must be an article");
            check((1..=1000).contains(&line.quantity), &|| format!("/lines/{at}/quantity"), "must be 1 to 1000");
            check(line.price >= 0.0, &|| format!("/lines/{at}/price"), "must be at least 0");
            check(has_length(note, 0, 200), &|| format!("/lines/{at}/note"), "must have at most 200 characters");
        }
        problems
    }
}

/// A router that answers every operation.
pub fn router() -> Router {
    let orders: Vec<Order> = serde_json::from_str(&sample::orders()).unwrap_or_default();
    Router::new()
        .route("/ping", get(|| async { Json(Pong { count: 1 }) }))
        .route("/orders", get(list).post(create))
        .route("/search", get(search))
        .route("/files", get(download).put(upload))
        .with_state(Arc::new(orders))
}

async fn list(Shared(orders): Shared<Arc<Vec<Order>>>) -> Json<Vec<Order>> {
    Json(orders.as_ref().clone())
}

async fn create(Json(order): Json<Order>) -> Response {
    let problems = order.problems();
    if !problems.is_empty() {
        return (StatusCode::UNPROCESSABLE_ENTITY, Json(problems)).into_response();
    }
    (StatusCode::CREATED, Json(Pong { count: order.lines.len() as i64 })).into_response()
}

async fn search(Query(search): Query<Search>) -> Response {
    let is_good = has_length(&search.text, 1, 100) && (1..=200).contains(&search.limit) && search.after >= 0;
    if is_good { Json(Pong { count: search.after }).into_response() } else { StatusCode::BAD_REQUEST.into_response() }
}

async fn download() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/octet-stream")], sample::FILE.clone())
}

async fn upload(body: Body) -> Result<Json<Pong>, StatusCode> {
    let (mut chunks, mut count) = (body.into_data_stream(), 0);
    while let Some(chunk) = chunks.try_next().await.map_err(|_| StatusCode::BAD_REQUEST)? {
        count += chunk.len() as i64;
    }
    Ok(Json(Pong { count }))
}

/// Calls every operation with reqwest.
pub struct Caller {
    client: reqwest::Client,
    base: String,
    order: Order,
}

impl Caller {
    /// A caller of the server at this address.
    pub fn new(address: SocketAddr) -> Result<Self> {
        let order = serde_json::from_str(sample::ORDER)?;
        Ok(Self { client: reqwest::Client::builder().build()?, base: format!("http://{address}"), order })
    }
}

impl call::Caller for Caller {
    async fn ping(&self) -> Result<()> {
        let answer = self.client.get(format!("{}/ping", self.base)).send().await?;
        answer.error_for_status()?.json::<Pong>().await?;
        Ok(())
    }

    async fn list(&self) -> Result<()> {
        let answer = self.client.get(format!("{}/orders", self.base)).send().await?;
        answer.error_for_status()?.json::<Vec<Order>>().await?;
        Ok(())
    }

    async fn create(&self) -> Result<()> {
        let answer = self.client.post(format!("{}/orders", self.base)).json(&self.order.clone()).send().await?;
        answer.error_for_status()?.json::<Pong>().await?;
        Ok(())
    }

    async fn search(&self) -> Result<()> {
        let (text, state, since) = ("bicycle bell".to_owned(), State::Paid, self.order.created);
        let search = Search { text, limit: 25, after: 12_345, state, since };
        let answer = self.client.get(format!("{}/search", self.base)).query(&search).send().await?;
        answer.error_for_status()?.json::<Pong>().await?;
        Ok(())
    }

    async fn download(&self) -> Result<()> {
        let mut answer = self.client.get(format!("{}/files", self.base)).send().await?.error_for_status()?;
        while answer.chunk().await?.is_some() {}
        Ok(())
    }

    async fn upload(&self) -> Result<()> {
        let request = self.client.put(format!("{}/files", self.base)).body(sample::FILE.clone());
        let request = request.header(header::CONTENT_TYPE, "application/octet-stream");
        request.send().await?.error_for_status()?.json::<Pong>().await?;
        Ok(())
    }
}
