//! Time limits of a request: the client's for its body, and the service's for its answer.

use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};

use axum::{
    body::{Body, Bytes, HttpBody},
    http::StatusCode,
};
use hyper::body::{Frame, SizeHint};
use tokio::{
    sync::oneshot,
    time::{Instant, Sleep, sleep},
};

use super::Trace;
use crate::{config::Bounds, shares::Share};

/// A body with a time limit for its client, and the share that its buffered bytes are charged to.
///
/// A client has a credit of time, used up while the service waits for bytes and refilled by them: below the minimum rate it runs
/// out slowly, and a stalled body uses it up at once, however fast it was before.
struct Paced {
    body: Body,
    share: Option<(Share, Arc<Trace>)>,
    credit: Duration,
    /// The maximum credit.
    whole: Duration,
    bytes_per_second: u32,
    /// When the service began to wait, while it waits.
    waiting: Option<(Instant, Pin<Box<Sleep>>)>,
    /// Takes the status of a refusal; dropped at the end of the body.
    refuse: Option<oneshot::Sender<StatusCode>>,
    is_read: Arc<AtomicBool>,
}

/// What is known of a body that is being read.
pub(super) struct Pace {
    refused: oneshot::Receiver<StatusCode>,
    is_read: Arc<AtomicBool>,
}

/// Limits the time of a body.
pub(super) fn paced(body: Body, bounds: &Bounds, share: Option<(Share, Arc<Trace>)>) -> (Body, Pace) {
    let (refuse, refused) = oneshot::channel();
    let is_read = Arc::new(AtomicBool::new(body.is_end_stream()));
    let pace = Pace { refused, is_read: Arc::clone(&is_read) };
    if body.is_end_stream() {
        return (body, pace);
    }
    let (whole, bytes_per_second) = (bounds.body, bounds.body_bytes_per_second);
    let refuse = Some(refuse);
    let body = Paced { body, share, credit: whole, whole, bytes_per_second, waiting: None, refuse, is_read };
    (Body::new(body), pace)
}

impl Pace {
    /// Waits for a reason to refuse the request: 408 if the client is too slow; 503 without memory for the body, or if the
    /// answer takes longer than `patience` from the end of the body.
    pub(super) async fn refusal(&mut self, patience: Duration) -> StatusCode {
        match (&mut self.refused).await {
            Ok(status) => status,
            Err(_) => {
                sleep(patience).await;
                StatusCode::SERVICE_UNAVAILABLE
            }
        }
    }

    /// Whether the body has been read completely.
    pub(super) fn is_read(&self) -> bool {
        self.is_read.load(Ordering::Relaxed)
    }
}

impl Paced {
    /// Refuses the request; the handler, which waits for the body, is dropped.
    fn refuse(&mut self, status: StatusCode) {
        if let Some(refuse) = self.refuse.take() {
            let _ = refuse.send(status);
        }
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
            let credit = this.credit;
            let (_, timer) = this.waiting.get_or_insert_with(|| (Instant::now(), Box::pin(sleep(credit))));
            if timer.as_mut().poll(context).is_ready() {
                this.refuse(StatusCode::REQUEST_TIMEOUT);
            }
            return Poll::Pending;
        };
        let waited = this.waiting.take().map_or(Duration::ZERO, |(since, _)| since.elapsed());
        let bytes = read.as_ref().and_then(|read| read.as_ref().ok()?.data_ref()).map_or(0, Bytes::len) as u64;
        let earned = Duration::from_secs(bytes) / this.bytes_per_second;
        this.credit = this.whole.min(this.credit.saturating_sub(waited) + earned);
        if let Some((share, trace)) = &mut this.share
            && !share.take(trace.caller(), bytes)
        {
            this.refuse(StatusCode::SERVICE_UNAVAILABLE);
            return Poll::Pending;
        }
        let is_read = read.is_none() || this.body.is_end_stream();
        this.is_read.store(is_read, Ordering::Relaxed);
        if is_read {
            this.refuse = None;
        }
        Poll::Ready(read)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use futures_util::{StreamExt as _, stream};

    use super::*;

    /// The status for a body of chunks, each after some seconds and with some bytes; the service works for `each` seconds after
    /// a chunk, and for `work` at the end.
    async fn status(
        pieces: impl IntoIterator<Item = (u64, usize), IntoIter: Send + 'static>,
        each: u64,
        work: u64,
    ) -> u16 {
        let pause = |seconds| sleep(Duration::from_secs(seconds));
        let body = Body::from_stream(stream::iter(pieces).then(async |(seconds, bytes)| {
            sleep(Duration::from_secs(seconds)).await;
            Ok::<_, std::convert::Infallible>(vec![0; bytes])
        }));
        let bounds = Bounds { body: Duration::from_secs(10), body_bytes_per_second: 1000, ..Bounds::default() };
        let (body, mut pace) = paced(body, &bounds, None);
        let mut body = body.into_data_stream();
        let answer = async move {
            while body.next().await.is_some() {
                pause(each).await;
            }
            drop(body);
            pause(work).await;
            200
        };
        tokio::select! {
            status = answer => status,
            status = pace.refusal(Duration::from_secs(30)) => status.as_u16(),
        }
    }

    #[tokio::test(start_paused = true)]
    async fn time_for_the_answer_counts_from_the_end_of_the_body() {
        assert_eq!(status((0..600).map(|_| (1, 1000)), 0, 29).await, 200);
        assert_eq!(status((0..600).map(|_| (1, 1000)), 0, 31).await, 503);
        assert_eq!(status([], 0, 31).await, 503);
        assert_eq!(status((0..5).map(|_| (0, 1)), 20, 0).await, 200, "the client has not been waited for");
    }

    #[tokio::test(start_paused = true)]
    async fn a_stall_or_a_rate_that_is_too_low_ends_the_request() {
        assert_eq!(status([(9, 1)], 0, 0).await, 200);
        assert_eq!(status([(0, 1_000_000), (11, 1)], 0, 0).await, 408, "bytes are not saved up for a stall");
        // Each second uses half a second of the 10 s credit.
        assert_eq!(status((0..18).map(|_| (1, 500)), 0, 0).await, 200);
        assert_eq!(status((0..25).map(|_| (1, 500)), 0, 0).await, 408);
    }
}
