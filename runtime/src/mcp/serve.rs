//! Serves the tools on standard input and output, or over HTTP.

use std::error::Error;
use std::net::SocketAddr;
use std::sync::Arc;

use rmcp::ServiceExt;
use rmcp::transport::stdio;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;

use super::handler::Handler;
use super::{Options, Tool};
use crate::client::Client;

/// What a generated crate says of its server.
#[derive(Clone, Copy, Debug)]
pub struct Server {
    /// The name of the program.
    pub name: &'static str,
    /// Its version.
    pub version: &'static str,
    /// What a model has to know of all tools.
    pub instructions: &'static str,
    /// The tools, by tag.
    pub tools: &'static [&'static [Tool]],
    /// The file `arguments.json`.
    pub arguments: &'static str,
}

/// Serves the tools until the caller closes the connection; over HTTP, until the process is stopped.
pub async fn serve(server: Server, client: Client, options: Options) -> Result<(), Box<dyn Error>> {
    let listen = options.listen;
    let handler = Handler::new(server, client, options)?;
    if let Some(address) = listen {
        return over_http(handler, address).await;
    }
    handler.serve(stdio()).await?.waiting().await?;
    Ok(())
}

async fn over_http(handler: Handler, address: SocketAddr) -> Result<(), Box<dyn Error>> {
    let listener = TcpListener::bind(address).await?;
    let address = listener.local_addr()?;
    let mut config = StreamableHttpServerConfig::default().enforce_origin_validation();
    config.allowed_hosts.push(address.ip().to_string());
    let sessions = Arc::new(LocalSessionManager::default());
    let service = StreamableHttpService::new(move || Ok(handler.clone()), sessions, config);
    if !address.ip().is_loopback() {
        eprintln!("warning: everybody who reaches {address} calls the service with your credentials");
    }
    eprintln!("listening on http://{address}/mcp");
    axum::serve(listener, axum::Router::new().nest_service("/mcp", service)).await?;
    Ok(())
}
