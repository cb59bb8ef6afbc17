//! Connections: accepted, given time limits, and let finish when the service stops.

mod observe;
mod pace;

use std::{
    convert::Infallible,
    future::Future,
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use axum::{Router, body::Body};
use hyper::{Request, body::Incoming};
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::{conn::auto, graceful::GracefulShutdown},
};
use tokio::{net::TcpListener, sync::Semaphore};
use tower::ServiceExt as _;

use crate::config::Limits;

pub use observe::observe;

/// Answers connections until `stop` is ready, then lets the requests under way end within the limit's time.
pub async fn serve<F>(listener: TcpListener, app: Router, limits: &Limits, stop: F)
where
    F: Future<Output = ()>,
{
    let mut builder = auto::Builder::new(TokioExecutor::new());
    let head = Duration::from_secs(limits.header_seconds.into());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(head);
    builder.http2().timer(TokioTimer::new()).keep_alive_interval(Some(Duration::from_secs(30)));
    let connections = Arc::new(Semaphore::new(limits.connections));
    let graceful = GracefulShutdown::new();
    let mut stop = pin!(stop);

    loop {
        let accepted = tokio::select! {
            accepted = accept(&listener, &connections) => accepted,
            () = &mut stop => break,
        };
        let (stream, permit) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // The usual cause is too many open files: waiting lets some close.
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        // An answer is often smaller than a segment; it should not wait for more.
        let _ = stream.set_nodelay(true);
        let app = app.clone();
        let has_asked = Arc::new(AtomicBool::new(false));
        let asks = Arc::clone(&has_asked);
        let service = hyper::service::service_fn(move |request: Request<Incoming>| {
            asks.store(true, Ordering::Relaxed);
            let app = app.clone();
            async move {
                Ok::<_, Infallible>(app.oneshot(request.map(Body::new)).await.unwrap_or_else(|never| match never {}))
            }
        });
        let connection = builder.serve_connection(TokioIo::new(stream), service).into_owned();
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            // hyper's own limit begins behind the bytes by which it tells HTTP/2 from HTTP/1.
            let silence = async {
                tokio::time::sleep(head).await;
                if has_asked.load(Ordering::Relaxed) {
                    std::future::pending::<()>().await;
                }
            };
            tokio::select! {
                ended = connection => {
                    if let Err(error) = ended {
                        tracing::debug!(%error, "a connection ended early");
                    }
                }
                () = silence => tracing::debug!("a connection sent no request"),
            }
            drop(permit);
        });
    }

    drop(listener);
    let time = Duration::from_secs(limits.stop_seconds);
    if tokio::time::timeout(time, graceful.shutdown()).await.is_err() {
        tracing::warn!("requests were still under way after {} s and have been cut off", time.as_secs());
    }
}

/// The next connection, once there is room for it.
async fn accept(
    listener: &TcpListener,
    connections: &Arc<Semaphore>,
) -> std::io::Result<(tokio::net::TcpStream, tokio::sync::OwnedSemaphorePermit)> {
    let permit = connections.clone().acquire_owned().await.map_err(std::io::Error::other)?;
    let (stream, _) = listener.accept().await?;
    Ok((stream, permit))
}
