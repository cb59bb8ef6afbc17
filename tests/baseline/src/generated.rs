//! The interface by generated code.

use std::net::SocketAddr;

use anyhow::Result;
use axum::Router;
use futures_util::TryStreamExt as _;

use client::bench::{CreateOrder, DownloadFile, ListOrders, Ping, SearchOrders, UploadFile};
use server::{
    bench::{self, Bench},
    models::{Order, Pong},
    runtime::{
        json,
        server::{Call, Download, Failure, Options},
    },
};

use crate::{call, sample};

pub mod server {
    specwright_macro::server!("interface.yaml");
}

pub mod client {
    specwright_macro::client!("interface.yaml");
}

struct Service {
    orders: Vec<Order>,
}

/// A router that answers every operation.
pub fn router() -> Router {
    let orders = json::from_slice(sample::orders().as_bytes()).unwrap_or_default();
    server::router(Service { orders }, &Options::default())
}

impl Bench for Service {
    async fn ping(&self, _: Call<()>, _: bench::Ping) -> Result<Pong, Failure<bench::Ping>> {
        Ok(Pong { count: 1 })
    }

    async fn list_orders(&self, _: Call<()>, _: bench::ListOrders) -> Result<Vec<Order>, Failure<bench::ListOrders>> {
        Ok(self.orders.clone())
    }

    async fn create_order(
        &self,
        _: Call<()>,
        request: bench::CreateOrder,
    ) -> Result<Pong, Failure<bench::CreateOrder>> {
        Ok(Pong { count: request.body.lines.len() as i64 })
    }

    async fn search_orders(
        &self,
        _: Call<()>,
        request: bench::SearchOrders,
    ) -> Result<Pong, Failure<bench::SearchOrders>> {
        Ok(Pong { count: request.after })
    }

    async fn download_file(
        &self,
        _: Call<()>,
        _: bench::DownloadFile,
    ) -> Result<Download, Failure<bench::DownloadFile>> {
        Ok(Download::bytes(sample::FILE.clone()))
    }

    async fn upload_file(
        &self,
        _: Call<()>,
        mut request: bench::UploadFile,
    ) -> Result<Pong, Failure<bench::UploadFile>> {
        let mut count = 0;
        while let Some(chunk) = request.body.try_next().await? {
            count += chunk.len() as i64;
        }
        Ok(Pong { count })
    }
}

/// Calls every operation with the generated client.
pub struct Caller {
    operations: client::bench::Bench,
    order: client::models::Order,
}

impl Caller {
    /// A caller of the server at this address.
    pub fn new(address: SocketAddr) -> Result<Self> {
        let order = json::from_slice(sample::ORDER.as_bytes())?;
        let operations = client::Client::builder(&format!("http://{address}"))?.build()?.bench();
        Ok(Self { operations, order })
    }
}

impl call::Caller for Caller {
    async fn ping(&self) -> Result<()> {
        self.operations.ping(Ping {}).await?;
        Ok(())
    }

    async fn list(&self) -> Result<()> {
        self.operations.list_orders(ListOrders {}).await?;
        Ok(())
    }

    async fn create(&self) -> Result<()> {
        self.operations.create_order(CreateOrder { body: self.order.clone() }).await?;
        Ok(())
    }

    async fn search(&self) -> Result<()> {
        let since = self.order.created;
        let state = client::models::State::Paid;
        let request = SearchOrders { text: "bicycle bell".to_owned(), limit: 25, after: 12_345, state, since };
        self.operations.search_orders(request).await?;
        Ok(())
    }

    async fn download(&self) -> Result<()> {
        let mut file = self.operations.download_file(DownloadFile {}).await?;
        while file.chunk().await?.is_some() {}
        Ok(())
    }

    async fn upload(&self) -> Result<()> {
        let body = client::runtime::client::Body::bytes(sample::FILE.clone());
        self.operations.upload_file(UploadFile { body }).await?;
        Ok(())
    }
}
