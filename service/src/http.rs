//! Connections: accepted, bounded in number and time, and let finish when the service stops.

mod activity;
mod address;
mod bodies;
mod observe;
mod pace;
mod refuse;
mod socket;
mod trace;

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
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore, watch},
};
use tower::ServiceExt as _;

use crate::config::{Config, Limits};
use activity::{Activity, End};
use address::{Addresses, Counted};
use refuse::Refusals;
use socket::{Drain, Socket};

pub use address::Network;
pub(crate) use address::counted;
pub use bodies::Bodies;
pub use observe::observe;
pub use trace::Trace;

/// How long callers with an open connection may begin one more request after the signal to stop.
const LAST_REQUEST: Duration = Duration::from_secs(1);

/// The address that a connection comes from, in the extensions of its requests.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub IpAddr);

/// What every connection needs.
#[derive(Clone)]
struct Server {
    app: Router,
    builder: Arc<auto::Builder<TokioExecutor>>,
    limits: Arc<Config>,
    stop: watch::Receiver<bool>,
}

/// Answers connections until `stop` is ready, then lets the requests under way end within the limit's time.
pub async fn serve<F>(listener: TcpListener, app: Router, config: &Arc<Config>, stop: F)
where
    F: Future<Output = ()>,
{
    let limits = &config.limits;
    let connections = Arc::new(Semaphore::new(limits.connections));
    let addresses = Addresses::new(limits.connections_per_address, &config.trusted_proxies);
    let refusals = Refusals::new(limits);
    let (stopping, watch) = watch::channel(false);
    let server = Server { app, builder: Arc::new(builder(limits)), limits: Arc::clone(config), stop: watch };
    let mut stop = pin!(stop);

    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stop => break,
        };
        let (stream, peer) = match accepted {
            Ok((stream, peer)) => (stream, peer.ip().to_canonical()),
            Err(error) => {
                // The usual cause is too many open files: waiting lets some close.
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        // An answer is often smaller than a segment; it should not wait for more.
        let _ = stream.set_nodelay(true);
        match (Arc::clone(&connections).try_acquire_owned(), addresses.count(peer)) {
            (Ok(permit), Some(counted)) => {
                tokio::spawn(server.clone().answer(stream, peer, permit, counted));
            }
            (permit, _) => {
                let cap = if permit.is_err() { "the service" } else { "the address" };
                tracing::debug!(%peer, "{cap} has as many connections as it may have");
                refusals.refuse(stream);
            }
        }
    }

    drop(listener);
    let _ = stopping.send(true);
    let time = Duration::from_secs(limits.stop_seconds);
    let all = u32::try_from(limits.connections).unwrap_or(u32::MAX);
    if tokio::time::timeout(time, connections.acquire_many(all)).await.is_err() {
        tracing::warn!("requests were still under way after {} s and have been cut off", time.as_secs());
    }
}

/// How HTTP is spoken.
fn builder(limits: &Limits) -> auto::Builder<TokioExecutor> {
    let mut builder = auto::Builder::new(TokioExecutor::new());
    // How long a head may take and a connection be idle is for `Activity` to say: hyper takes the two for one.
    builder.http1().timer(TokioTimer::new()).header_read_timeout(None).max_buf_size(limits.head_bytes.max(8 << 10));
    builder
        .http2()
        .timer(TokioTimer::new())
        .keep_alive_interval(Some(Duration::from_secs(30)))
        .max_concurrent_streams(100)
        .max_header_list_size(u32::try_from(limits.head_bytes).unwrap_or(u32::MAX))
        // Streams that callers open and reset at once, before the connection is ended.
        .max_pending_accept_reset_streams(20)
        .max_local_error_reset_streams(100)
        .max_send_buf_size(64 << 10);
    builder
}

impl Server {
    /// Answers the requests of a connection until it ends.
    async fn answer(mut self, stream: TcpStream, peer: IpAddr, _permit: OwnedSemaphorePermit, _counted: Counted) {
        let limits = &self.limits.limits;
        let activity = Activity::new(limits);
        let (app, asked, stop) = (self.app, activity.clone(), self.stop.clone());
        let service = hyper::service::service_fn(move |mut request: Request<Incoming>| {
            let is_http2 = request.version() == hyper::Version::HTTP_2;
            let (ends, asked) = (asked.clone(), asked.request(is_http2));
            let (app, stop) = (app.clone(), stop.clone());
            request.extensions_mut().insert(Peer(peer));
            async move {
                let answered = app.oneshot(request.map(Body::new)).await;
                let mut response = answered.unwrap_or_else(|never| match never {});
                if *stop.borrow() && !is_http2 {
                    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
                }
                if response.headers().get(header::CONNECTION).is_some_and(|value| value == "close") {
                    ends.is_ending();
                }
                Ok::<_, Infallible>(response.map(|body| asked.answer(body)))
            }
        });
        let socket = Socket::new(stream, activity.clone(), Drain::new(limits));
        let mut connection = pin!(self.builder.serve_connection(TokioIo::new(socket), service));

        let stopped = async {
            let _ = self.stop.wait_for(|stop| *stop).await;
            // Who has just sent a request over HTTP/1 learns from its answer that the connection ends.
            if !activity.is_http2() {
                tokio::time::sleep(LAST_REQUEST).await;
            }
        };
        let ended = tokio::select! {
            ended = connection.as_mut() => ended,
            end = activity.end() => {
                tracing::debug!(%peer, ?end, "a connection had to end");
                if end != End::Idle || !activity.is_http2() {
                    return;
                }
                connection.as_mut().graceful_shutdown();
                let time = Duration::from_secs(self.limits.limits.header_seconds.into());
                tokio::time::timeout(time, connection).await.unwrap_or(Ok(()))
            }
            () = stopped => {
                connection.as_mut().graceful_shutdown();
                tokio::select! {
                    ended = connection => ended,
                    _ = activity.end() => return,
                }
            }
        };
        if let Err(error) = ended {
            tracing::debug!(%peer, %error, "a connection ended early");
        }
    }
}
