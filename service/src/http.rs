//! Connections: accepted, limited in number and time, and finished when the service stops.

mod address;
mod layers;
mod observe;
mod pace;
mod socket;
mod tls;

use std::{convert::Infallible, net::IpAddr, pin::pin, sync::Arc, time::Duration};

use axum::{
    Router,
    body::Body,
    http::{HeaderValue, header},
};
use hyper::{Request, body::Incoming};
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::conn::auto,
};
use tokio::{
    io::{AsyncRead, AsyncWrite, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    sync::Semaphore,
    time::timeout,
};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt as _;

use crate::{
    config::{Bounds, Config},
    metrics::Metrics,
};
use socket::{Moved, Socket};

pub use address::Addresses;
pub(crate) use address::counted;
pub use layers::layered;
pub use observe::{Trace, observe};
pub use pace::{Pace, paced};
pub use tls::Tls;

/// How long clients with an open connection may begin one more request after the signal to stop.
const LAST_REQUEST: Duration = Duration::from_secs(1);
/// How long to wait for the end of an idle connection, because a client may not read it.
const LAST_BYTES: Duration = Duration::from_secs(1);
/// Maximum size of the head of a request.
const HEAD_BYTES: usize = 16 << 10;
/// Maximum number of refused connections that are kept open until the client has read the reason.
const REFUSED: usize = 256;
/// The answer to a connection above the limit.
const TOO_MANY: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\nretry-after: 1\r\n\
    content-type: application/problem+json\r\ncontent-length: 98\r\n\r\n\
    {\"type\":\"about:blank\",\"title\":\"Service Unavailable\",\"status\":503,\"detail\":\"too many connections\"}\n";

/// The address of the client, in the extensions of its requests.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub IpAddr);

/// The state shared by connections.
#[derive(Clone)]
struct Server {
    app: Router,
    http: auto::Builder<TokioExecutor>,
    bounds: Bounds,
    tls: Option<Tls>,
    stopping: CancellationToken,
}

/// Serves connections until `stop` resolves, then lets running requests finish within the limit.
pub async fn serve<F>(listener: TcpListener, app: Router, config: &Config, tls: Option<Tls>, metrics: &Metrics, stop: F)
where
    F: Future<Output = ()>,
{
    let limit = config.limits.connections;
    let connections = Arc::new(Semaphore::new(limit));
    let refused = Arc::new(Semaphore::new(REFUSED));
    let addresses = Addresses::new(config.limits.connections_per_address, &config.trusted_proxies);
    // A request that takes longer than an idle connection may stay open gets its answer.
    let idle = config.bounds.idle.max(Duration::from_secs(u64::from(config.limits.request_seconds) + 1));
    let bounds = Bounds { idle, ..config.bounds.clone() };
    let server = Server { app, http: http(&bounds), bounds, tls, stopping: CancellationToken::new() };
    let mut stop = pin!(stop);

    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stop => break,
        };
        let (stream, peer) = match accepted {
            Ok((stream, peer)) => (stream, peer.ip().to_canonical()),
            Err(error) => {
                // The usual cause is too many open files; wait for some to close.
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        // Responses are often smaller than a segment; send them at once.
        let _ = stream.set_nodelay(true);
        if let (Ok(permit), Some(counted)) = (Arc::clone(&connections).try_acquire_owned(), addresses.count(peer)) {
            let (answer, open) = (Box::pin(server.clone().answer(stream, peer)), metrics.connections.clone());
            tokio::spawn(async move {
                open.inc();
                if let Err(error) = answer.await {
                    tracing::debug!(%peer, error, "a connection ended early");
                }
                open.dec();
                drop((permit, counted));
            });
        } else if let (None, Ok(permit)) = (&server.tls, Arc::clone(&refused).try_acquire_owned()) {
            let mut socket = Socket::new(stream, Moved::default());
            tokio::spawn(async move {
                let answer = async {
                    socket.write_all(TOO_MANY).await?;
                    socket.shutdown().await
                };
                let _ = timeout(Duration::from_secs(2), answer).await;
                drop(permit);
            });
        }
    }

    drop(listener);
    server.stopping.cancel();
    let time = server.bounds.stop;
    let all = u32::try_from(limit).unwrap_or(u32::MAX);
    if timeout(time, connections.acquire_many(all)).await.is_err() {
        tracing::warn!("requests were still under way after {} s and have been cut off", time.as_secs());
    }
}

/// How HTTP is spoken.
fn http(bounds: &Bounds) -> auto::Builder<TokioExecutor> {
    let mut builder = auto::Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(bounds.head).max_buf_size(HEAD_BYTES);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(100)
        .max_header_list_size(u32::try_from(HEAD_BYTES).unwrap_or(u32::MAX))
        // Limit of streams reset by the client before the connection is closed.
        .max_pending_accept_reset_streams(20)
        .max_local_error_reset_streams(100)
        .max_send_buf_size(64 << 10);
    builder
}

impl Server {
    /// Answers the requests of a connection until it ends.
    async fn answer(self, stream: TcpStream, peer: IpAddr) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
        match self.tls.clone() {
            None => Box::pin(self.drive(stream, peer)).await,
            Some(tls) => {
                let stream = timeout(self.bounds.head, Box::pin(tls.acceptor().accept(stream))).await??;
                Box::pin(self.drive(stream, peer)).await
            }
        }
    }

    /// Serves a connection until it ends or is idle; when the service stops, until its open requests are answered.
    async fn drive<S>(self, stream: S, peer: IpAddr) -> Result<(), Box<dyn std::error::Error + Send + Sync>>
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let Self { app, http, bounds, stopping, .. } = self;
        let is_stopping = stopping.clone();
        let service = hyper::service::service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(Peer(peer));
            let (is_http1, is_stopping) = (request.version() < hyper::Version::HTTP_2, is_stopping.clone());
            let answer = app.clone().oneshot(request.map(Body::new));
            // Boxed: hyper keeps room for it while the connection is idle.
            Box::pin(async move {
                let mut response = answer.await.unwrap_or_else(|never| match never {});
                if is_http1 && is_stopping.is_cancelled() {
                    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
                }
                Ok::<_, Infallible>(response)
            })
        });
        let moved = Moved::default();
        let socket = TokioIo::new(Socket::new(stream, moved.clone()));
        // Boxed, like the futures around it: a future that awaits another one may have room for it twice.
        let mut connection = Box::pin(http.serve_connection(socket, service));
        let stopped = async {
            stopping.cancelled().await;
            // Clients learn from an answer that the connection ends.
            tokio::time::sleep(LAST_REQUEST).await;
        };
        let rest = tokio::select! {
            ended = connection.as_mut() => return ended,
            () = moved.idle(bounds.idle) => LAST_BYTES,
            () = stopped => bounds.stop,
        };
        connection.as_mut().graceful_shutdown();
        timeout(rest, connection).await?
    }
}
