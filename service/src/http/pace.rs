//! Limits the time of the body and of the response.

use std::{
    pin::{Pin, pin},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll},
    time::Duration,
};

use axum::{
    body::{Body, Bytes, HttpBody},
    http::StatusCode,
    response::Response,
};
use hyper::body::{Frame, SizeHint};
use tokio::time::{Instant, sleep_until};

use super::Trace;
use crate::{config::Bounds, shares::Share};

/// Runs the clock of either the client or the service: the client's while the service waits for the body, and
/// the service's otherwise. Shared by clones.
///
/// A client has a credit of time, used up by waiting and refilled by bytes: below the minimum rate it runs
/// out slowly, and a stalled body uses it up at once, however fast it was before.
#[derive(Clone, Debug)]
pub(super) struct Pace(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    is_clients: bool,
    since: Instant,
    credit: Duration,
    /// The maximum credit.
    whole: Duration,
    bytes_per_second: u64,
    /// Whether there is no memory for more of the body.
    is_full: bool,
    is_read: bool,
}

impl Pace {
    /// The pace of a request whose head has arrived.
    pub(super) fn new(bounds: &Bounds) -> Self {
        Self(Arc::new(Mutex::new(State {
            is_clients: false,
            since: Instant::now(),
            credit: bounds.body,
            whole: bounds.body,
            bytes_per_second: bounds.body_bytes_per_second,
            is_full: false,
            is_read: true,
        })))
    }

    /// The body with its reads timed. Buffered bytes are charged to the share, if any.
    pub(super) fn watch(&self, body: Body, share: Option<(Share, Arc<Trace>)>) -> Body {
        if body.is_end_stream() {
            return body;
        }
        self.state().is_read = false;
        Body::new(Paced { body, pace: self.clone(), share })
    }

    /// Whether the body has been read completely.
    pub(super) fn is_read(&self) -> bool {
        self.state().is_read
    }

    /// The response, or the status of a refusal: 408 if the client is too slow, 503 if the service is too
    /// slow or has no memory.
    pub(super) async fn keep(
        &self,
        answer: impl Future<Output = Response>,
        patience: Duration,
    ) -> Result<Response, StatusCode> {
        let (mut answer, mut timer) = (pin!(answer), pin!(sleep_until(Instant::now())));
        std::future::poll_fn(|context| {
            // Polling reads the body, so the turn may change.
            if let Poll::Ready(response) = answer.as_mut().poll(context) {
                return Poll::Ready(Ok(response));
            }
            let (deadline, status) = match &*self.state() {
                State { is_full: true, .. } => return Poll::Ready(Err(StatusCode::SERVICE_UNAVAILABLE)),
                State { is_clients: true, since, credit, .. } => (*since + *credit, StatusCode::REQUEST_TIMEOUT),
                State { since, .. } => (*since + patience, StatusCode::SERVICE_UNAVAILABLE),
            };
            if timer.deadline() != deadline {
                timer.as_mut().reset(deadline);
            }
            timer.as_mut().poll(context).map(|()| Err(status))
        })
        .await
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Records that the service waits for the body.
    fn wait(&mut self) {
        if !self.is_clients {
            (self.is_clients, self.since) = (true, Instant::now());
        }
    }

    /// Records read bytes or the end of the body.
    fn go_on(&mut self, bytes: usize) {
        let now = Instant::now();
        let waited = if self.is_clients { now - self.since } else { Duration::ZERO };
        let earned =
            Duration::from_secs(bytes as u64) / u32::try_from(self.bytes_per_second).unwrap_or(u32::MAX).max(1);
        self.credit = self.whole.min(self.credit.saturating_sub(waited) + earned);
        (self.is_clients, self.since) = (false, now);
    }
}

/// A body that records when it is waited for.
struct Paced {
    body: Body,
    pace: Pace,
    share: Option<(Share, Arc<Trace>)>,
}

impl HttpBody for Paced {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let this = &mut *self;
        let polled = Pin::new(&mut this.body).poll_frame(context);
        let mut state = this.pace.state();
        match &polled {
            Poll::Pending => state.wait(),
            Poll::Ready(Some(Ok(frame))) => {
                let bytes = frame.data_ref().map_or(0, Bytes::len);
                state.go_on(bytes);
                state.is_read = this.body.is_end_stream();
                if let Some((share, trace)) = &mut this.share
                    && !share.take(trace.caller(), bytes as u64)
                {
                    // `keep` now refuses the request, and this is not polled again.
                    state.is_full = true;
                    return Poll::Pending;
                }
            }
            Poll::Ready(ended) => {
                state.go_on(0);
                state.is_read = ended.is_none();
            }
        }
        drop(state);
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for Paced {
    /// Stops waiting for the rest.
    fn drop(&mut self) {
        self.pace.state().go_on(0);
    }
}

#[cfg(test)]
mod tests {
    use futures_util::{StreamExt as _, stream};

    use super::*;

    /// A body of chunks, each after a pause.
    fn body(pieces: impl IntoIterator<Item = (u64, usize), IntoIter: Send + 'static>) -> Body {
        Body::from_stream(stream::iter(pieces).then(async |(seconds, bytes)| {
            tokio::time::sleep(Duration::from_secs(seconds)).await;
            Ok::<_, std::convert::Infallible>(vec![0; bytes])
        }))
    }

    /// The status for a body of these chunks: the service works for `each` seconds after a chunk, and for
    /// `work` at the end.
    async fn status(
        pieces: impl IntoIterator<Item = (u64, usize), IntoIter: Send + 'static>,
        each: u64,
        work: u64,
    ) -> u16 {
        let bounds = Bounds { body: Duration::from_secs(10), body_bytes_per_second: 1000, ..Bounds::default() };
        let pace = Pace::new(&bounds);
        let mut body = pace.watch(body(pieces), None).into_data_stream();
        let answer = async move {
            while body.next().await.is_some() {
                tokio::time::sleep(Duration::from_secs(each)).await;
            }
            tokio::time::sleep(Duration::from_secs(work)).await;
            Response::default()
        };
        let kept = pace.keep(answer, Duration::from_secs(30)).await;
        kept.map_or_else(|status| status.as_u16(), |response| response.status().as_u16())
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
