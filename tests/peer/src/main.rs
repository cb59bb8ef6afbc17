//! Three operations of the service's interface, handwritten: listing, reading and creating accounts.

mod drivers;
mod model;
mod postgres;
mod sqlite;
mod tokens;

use std::{
    future::Future,
    net::Ipv4Addr,
    sync::{
        Arc,
        atomic::{AtomicI32, Ordering},
    },
};

use axum::{
    Json, Router,
    extract::{Path, Query, State},
    http::{HeaderMap, StatusCode},
    routing::{get, post},
};
use serde::Deserialize;
use tokio::net::TcpListener;

use model::{Account, Answer, NewAccount};

/// The operations of both databases.
pub trait Database: Clone + Send + Sync + 'static {
    /// The tenant of a token.
    fn tenant(&self, secret_hash: &[u8]) -> impl Future<Output = sqlx::Result<Option<i32>>> + Send;
    /// The accounts of a page, and the total number.
    fn list(
        &self,
        tenant: i32,
        limit: i64,
        offset: i64,
    ) -> impl Future<Output = sqlx::Result<(Vec<Account>, i64)>> + Send;
    /// An account; `None` if there is none.
    fn find(&self, tenant: i32, id: i32) -> impl Future<Output = sqlx::Result<Option<Account>>> + Send;
    /// Creates an account.
    fn create(&self, tenant: i32, new: NewAccount, ids: &Ids) -> impl Future<Output = sqlx::Result<Account>> + Send;
}

/// Unused ids.
#[derive(Clone)]
pub struct Ids(Arc<AtomicI32>);

impl Ids {
    /// The next id.
    pub fn next(&self) -> i32 {
        self.0.fetch_add(1, Ordering::Relaxed)
    }
}

#[derive(Clone)]
struct Service<D> {
    database: D,
    tokens: tokens::Known,
    ids: Ids,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Page {
    page_size: Option<i64>,
    page_number: Option<i64>,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let url = arguments.next().unwrap_or_default();
    if arguments.next().as_deref() == Some("drivers") {
        drivers::measure(&url).await
    } else if url.starts_with("postgres:") {
        serve(postgres::Database::open(&url).await?).await
    } else {
        serve(sqlite::Database::open(&url).await?).await
    }
}

async fn serve(database: impl Database) -> anyhow::Result<()> {
    let service = Service { database, tokens: tokens::Known::default(), ids: Ids(Arc::new(50_000_000.into())) };
    let router = Router::new()
        .route("/v2/crm/accounts/summary", get(list))
        .route("/v2/crm/accounts/summary/{id}", get(find))
        .route("/v2/crm/accounts", post(create))
        .with_state(service);
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    println!("{}", listener.local_addr()?);
    Ok(axum::serve(listener, router).await?)
}

async fn list<D: Database>(
    State(service): State<Service<D>>,
    Query(page): Query<Page>,
    headers: HeaderMap,
) -> Result<Json<Answer<Vec<Account>>>, StatusCode> {
    let tenant = service.tokens.tenant(&service.database, &headers).await?;
    let size = page.page_size.unwrap_or(100).clamp(1, 1000);
    let number = page.page_number.unwrap_or(1).max(1);
    let (accounts, total) = service.database.list(tenant, size, (number - 1) * size).await.map_err(failed)?;
    Ok(Json(Answer { success: true, result: accounts, total_records: Some(total) }))
}

async fn find<D: Database>(
    State(service): State<Service<D>>,
    Path(id): Path<i32>,
    headers: HeaderMap,
) -> Result<Json<Account>, StatusCode> {
    let tenant = service.tokens.tenant(&service.database, &headers).await?;
    let account = service.database.find(tenant, id).await.map_err(failed)?;
    account.map(Json).ok_or(StatusCode::NOT_FOUND)
}

async fn create<D: Database>(
    State(service): State<Service<D>>,
    headers: HeaderMap,
    Json(new): Json<NewAccount>,
) -> Result<Json<Answer<Account>>, StatusCode> {
    let tenant = service.tokens.tenant(&service.database, &headers).await?;
    let account = service.database.create(tenant, new, &service.ids).await.map_err(failed)?;
    Ok(Json(Answer { success: true, result: account, total_records: None }))
}

fn failed(error: sqlx::Error) -> StatusCode {
    eprintln!("{error}");
    StatusCode::INTERNAL_SERVER_ERROR
}
