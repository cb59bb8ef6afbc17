//! Starts a service for a test.

use axum::Router;

use crate::client_side::{Client, ClientBuilder};

/// Serves a router on a free port, and returns its URL.
pub(crate) async fn serve(router: Router) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
    let address = listener.local_addr().expect("it is bound");
    tokio::spawn(async move { axum::serve(listener, router).await });
    format!("http://{address}")
}

/// A client that calls a router in memory, without a socket.
pub(crate) fn client_in_memory(router: Router) -> Client {
    let builder = Client::builder("http://in.memory").expect("a URL");
    builder.transport(router).build().expect("a client")
}

/// A client of a router, without credentials.
pub(crate) async fn client_of(router: Router) -> Client {
    let address = serve(router).await;
    Client::builder(&address).and_then(ClientBuilder::build).expect("the address is a URL")
}
