//! Connections: accepted, bounded in number and time, and let finish when the service stops.

mod activity;
mod address;
mod observe;
mod pace;
mod protocol;
mod refuse;
mod socket;
mod trace;

use std::{
    convert::Infallible,
    io,
    net::{IpAddr, SocketAddr},
    pin::pin,
    sync::Arc,
    time::Duration,
};

use axum::{
    Router,
    body::Body,
    http::{HeaderValue, header},
};
use hyper::{
    Request,
    body::Incoming,
    server::conn::{http1, http2},
};
use hyper_util::{
    rt::{TokioExecutor, TokioIo},
    server::graceful::GracefulConnection,
};
use tokio::{
    net::{TcpListener, TcpSocket, TcpStream},
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
pub use observe::observe;
pub use trace::Trace;

/// How long callers with an open connection may begin one more request after the signal to stop.
const LAST_REQUEST: Duration = Duration::from_secs(1);

/// Connections that wait to be accepted, unless the system allows fewer. Callers whose connection finds no room there wait a
/// second before they try again.
const BACKLOG: u32 = 4096;

/// The address that a connection comes from, in the extensions of its requests.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub IpAddr);

/// What every connection needs.
#[derive(Clone)]
struct Server {
    app: Router,
    http1: http1::Builder,
    http2: http2::Builder<TokioExecutor>,
    limits: Arc<Config>,
    stop: watch::Receiver<bool>,
}

/// Listens on an address.
pub fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // Else a service that is started again waits for the connections of the one before.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
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
    let server = Server {
        app,
        http1: protocol::http1(limits),
        http2: protocol::http2(limits),
        limits: Arc::clone(config),
        stop: watch,
    };
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

impl Server {
    /// Answers the requests of a connection until it ends.
    async fn answer(self, stream: TcpStream, peer: IpAddr, _permit: OwnedSemaphorePermit, _counted: Counted) {
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
        let is_http2 = tokio::select! {
            begins = protocol::begins_http2(&stream) => begins,
            _ = activity.end() => return,
            () = stopped(self.stop.clone(), LAST_REQUEST) => return,
        };
        let drain = Drain::new(limits);
        let socket = |stream| TokioIo::new(Socket::new(stream, activity.clone(), drain));
        let ended = match is_http2 {
            Ok(false) => {
                let connection = self.http1.serve_connection(socket(stream), service);
                drive(connection, &activity, limits, self.stop, false).await
            }
            Ok(true) => {
                let connection = self.http2.serve_connection(socket(stream), service);
                // It is large, and most callers do not speak HTTP/2.
                Box::pin(drive(connection, &activity, limits, self.stop, true)).await
            }
            Err(error) => {
                tracing::debug!(%peer, %error, "a connection could not be read");
                return;
            }
        };
        match ended {
            Ok(Some(end)) => tracing::debug!(%peer, ?end, "a connection had to end"),
            Ok(None) => {}
            Err(error) => tracing::debug!(%peer, %error, "a connection ended early"),
        }
    }
}

/// Lets a connection run until it ends, has to end, or has answered what was asked when the service stops.
async fn drive<C>(
    connection: C,
    activity: &Activity,
    limits: &Limits,
    stop: watch::Receiver<bool>,
    is_http2: bool,
) -> Result<Option<End>, C::Error>
where
    C: GracefulConnection,
{
    let mut connection = pin!(connection);
    // Who has just sent a request over HTTP/1 learns from its answer that the connection ends.
    let grace = if is_http2 { Duration::ZERO } else { LAST_REQUEST };
    tokio::select! {
        ended = connection.as_mut() => ended.map(|()| None),
        end = activity.end() => {
            if end == End::Idle && is_http2 {
                connection.as_mut().graceful_shutdown();
                let time = Duration::from_secs(limits.header_seconds.into());
                tokio::time::timeout(time, connection).await.unwrap_or(Ok(()))?;
            }
            Ok(Some(end))
        }
        () = stopped(stop, grace) => {
            connection.as_mut().graceful_shutdown();
            tokio::select! {
                ended = connection => ended.map(|()| None),
                end = activity.end() => Ok(Some(end)),
            }
        }
    }
}

/// Ready so long after the signal to stop.
async fn stopped(mut stop: watch::Receiver<bool>, grace: Duration) {
    // An error means that the sender is gone, which is the sign to stop.
    let _ = stop.wait_for(|stop| *stop).await;
    tokio::time::sleep(grace).await;
}
