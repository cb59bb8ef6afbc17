//! Time limits of a request: the client's for its body, and the service's for its answer.

use std::{
    io::ErrorKind,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
    time::Duration,
};

use axum::{
    body::{Body, Bytes, HttpBody},
    http::StatusCode,
};
use hyper::body::{Frame, SizeHint};
use parking_lot::Mutex;
use tokio::{
    sync::watch,
    time::{Instant, Sleep, sleep, sleep_until, timeout_at},
};

use super::Trace;
use crate::{causes::is_io, config::Bounds, shares::Share};

/// Who is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The service has something to do.
    Service,
    /// The client has to send more of the body.
    Client,
    /// The service, which has read the whole body.
    Read,
    /// The service; the client hung up within the body.
    Gone,
    /// The request is refused with this status.
    Refused(StatusCode),
}

/// Follows whose turn it is.
pub struct Pace(watch::Receiver<Turn>);

/// A body with a time limit for its client, and the share that its buffered bytes are charged to.
///
/// A client has a credit of time, used up while the service waits for bytes and refilled by them: below the minimum rate it runs
/// out slowly, and a stalled body uses it up at once, however fast it was before.
struct Paced {
    body: Body,
    share: Option<(Arc<Mutex<Share>>, Arc<Trace>)>,
    credit: Duration,
    /// The maximum credit.
    whole: Duration,
    bytes_per_second: u32,
    /// When the service began to wait, while it waits.
    waiting: Option<(Instant, Pin<Box<Sleep>>)>,
    turn: watch::Sender<Turn>,
}

/// Limits the time of a body.
pub fn paced(body: Body, bounds: &Bounds, share: Option<(Arc<Mutex<Share>>, Arc<Trace>)>) -> (Body, Pace) {
    let is_empty = body.is_end_stream();
    let (turn, turns) = watch::channel(if is_empty { Turn::Read } else { Turn::Service });
    if is_empty {
        return (body, Pace(turns));
    }
    let (whole, bytes_per_second) = (bounds.body, bounds.body_bytes_per_second);
    (Body::new(Paced { body, share, credit: whole, whole, bytes_per_second, waiting: None, turn }), Pace(turns))
}

impl Pace {
    /// Waits for a reason to refuse the request: 408 if the client is too slow; 503 without memory for the body, or if the
    /// service takes longer than `patience` for the next step.
    pub async fn refusal(&mut self, patience: Duration) -> StatusCode {
        loop {
            let turn = *self.0.borrow_and_update();
            let end = Instant::now() + patience;
            let changed = match turn {
                Turn::Refused(status) => return status,
                Turn::Client => self.0.changed().await,
                Turn::Service | Turn::Read | Turn::Gone => match timeout_at(end, self.0.changed()).await {
                    Ok(changed) => changed,
                    Err(_) => return StatusCode::SERVICE_UNAVAILABLE,
                },
            };
            if changed.is_err() {
                // No more of the body is read.
                sleep_until(if turn == Turn::Client { Instant::now() + patience } else { end }).await;
                return StatusCode::SERVICE_UNAVAILABLE;
            }
        }
    }

    /// Whose turn it is now.
    pub fn turn(&self) -> Turn {
        *self.0.borrow()
    }
}

impl HttpBody for Paced {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let this = &mut *self;
        let Poll::Ready(read) = Pin::new(&mut this.body).poll_frame(context) else {
            let (_, timer) = this.waiting.get_or_insert_with(|| {
                this.turn.send_replace(Turn::Client);
                (Instant::now(), Box::pin(sleep(this.credit)))
            });
            if timer.as_mut().poll(context).is_ready() {
                this.turn.send_replace(Turn::Refused(StatusCode::REQUEST_TIMEOUT));
            }
            return Poll::Pending;
        };
        let waited = this.waiting.take().map_or(Duration::ZERO, |(since, _)| since.elapsed());
        let bytes = read.as_ref().and_then(|read| read.as_ref().ok()?.data_ref()).map_or(0, Bytes::len) as u64;
        let earned = Duration::from_secs(bytes) / this.bytes_per_second;
        this.credit = this.whole.min(this.credit.saturating_sub(waited) + earned);
        if let Some((share, trace)) = &this.share
            && !share.lock().take(trace.caller(), bytes)
        {
            // The handler, which waits for more, is dropped.
            this.turn.send_replace(Turn::Refused(StatusCode::SERVICE_UNAVAILABLE));
            return Poll::Pending;
        }
        this.turn.send_replace(match &read {
            // Unless the body is malformed, its connection or stream has ended.
            Some(Err(error)) if !is_io(error, &[ErrorKind::InvalidInput, ErrorKind::InvalidData]) => Turn::Gone,
            Some(_) if !this.body.is_end_stream() => Turn::Service,
            _ => Turn::Read,
        });
        Poll::Ready(read)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
