//! How fast a body has to come, and how long the answer may take once it is here.

use std::{
    future::Future,
    pin::{Pin, pin},
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll},
    time::Duration,
};

use axum::{
    body::{Body, Bytes, HttpBody},
    http::StatusCode,
    response::Response,
};
use futures_util::FutureExt as _;
use http_body_util::BodyExt as _;
use hyper::body::{Frame, SizeHint};
use tokio::time::{Instant, sleep_until};

use super::Trace;
use crate::{config::Limits, shares::Share};

/// Bytes of a body that are read on behalf of nobody, when they are there, so that the connection can be used again.
const THERE: usize = 64 << 10;

/// Who has to do something next, the service or the caller, and until when.
///
/// It is the caller's turn while the service waits for more of the body, and the service's at all other times. A caller has
/// a credit of time, which waiting uses up and bytes refill: one who is slower than the rate falls behind until nothing is
/// left, and one who stalls has the whole credit for it, however fast the bytes before came.
#[derive(Clone, Debug)]
pub(super) struct Pace(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    limits: Limits,
    turn: Mutex<Turn>,
    /// What nobody has read of the body.
    rest: Mutex<Option<Body>>,
    /// The room that its bytes take.
    share: Mutex<Option<(Share, Arc<Trace>)>>,
}

#[derive(Clone, Copy, Debug)]
struct Turn {
    is_callers: bool,
    since: Instant,
    credit: Duration,
    /// There is no room for more of the body.
    is_full: bool,
}

impl Pace {
    /// That of a request whose head has arrived.
    pub(super) fn new(limits: &Limits) -> Self {
        let turn = Turn {
            is_callers: false,
            since: Instant::now(),
            credit: Duration::from_secs(limits.body_seconds.into()),
            is_full: false,
        };
        Self(Arc::new(Shared {
            limits: limits.clone(),
            turn: Mutex::new(turn),
            rest: Mutex::default(),
            share: Mutex::default(),
        }))
    }

    /// The body, watched while it is read. A caller who `expects` a 100 gets it when it is read first.
    /// What is kept of it in memory needs room in the share, if there is one.
    pub(super) fn watch(&self, body: Body, expects: bool, share: Option<(Share, Arc<Trace>)>) -> Body {
        if body.is_end_stream() {
            return body;
        }
        *self.0.share.lock().unwrap_or_else(PoisonError::into_inner) = share;
        Body::new(Paced { body, pace: self.clone(), is_awaited: expects })
    }

    /// Makes room for bytes that have arrived; false when there is none.
    fn makes_room(&self, bytes: usize) -> bool {
        match &mut *self.0.share.lock().unwrap_or_else(PoisonError::into_inner) {
            Some((share, trace)) => share.take(trace.caller(), bytes as u64),
            None => true,
        }
    }

    /// Whether the whole body has been received, as it has been when what nobody has read of it is there already.
    pub(super) fn has_all(&self) -> bool {
        let rest = self.0.rest.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(mut rest) = rest else { return true };
        let mut left = THERE;
        while let Some(frame) = rest.frame().now_or_never() {
            let Some(Ok(frame)) = frame else { return frame.is_none() };
            left = match left.checked_sub(frame.data_ref().map_or(0, Bytes::len)) {
                Some(left) => left,
                None => return false,
            };
        }
        rest.is_end_stream()
    }

    /// The answer, or the status to refuse with when one of the two has taken too long: 408 or 503.
    pub(super) async fn keep(&self, answer: impl Future<Output = Response>) -> Result<Response, StatusCode> {
        let mut answer = pin!(answer);
        let mut timer = pin!(sleep_until(self.deadline().0));
        std::future::poll_fn(|context| {
            // The body is read in here, so that the turn can be another one afterwards.
            if let Poll::Ready(response) = answer.as_mut().poll(context) {
                return Poll::Ready(Ok(response));
            }
            if self.turn(|turn| turn.is_full) {
                return Poll::Ready(Err(StatusCode::SERVICE_UNAVAILABLE));
            }
            let (deadline, status) = self.deadline();
            if timer.deadline() != deadline {
                timer.as_mut().reset(deadline);
            }
            timer.as_mut().poll(context).map(|()| Err(status))
        })
        .await
    }

    fn deadline(&self) -> (Instant, StatusCode) {
        let turn = self.turn(|turn| *turn);
        if turn.is_callers {
            (turn.since + turn.credit, StatusCode::REQUEST_TIMEOUT)
        } else {
            (turn.since + Duration::from_secs(self.0.limits.request_seconds.into()), StatusCode::SERVICE_UNAVAILABLE)
        }
    }

    /// There is nothing to read yet.
    fn wait(&self) {
        self.turn(|turn| {
            if !turn.is_callers {
                (turn.is_callers, turn.since) = (true, Instant::now());
            }
        });
    }

    /// So many bytes have been read, or the body has ended.
    fn go_on(&self, bytes: usize) {
        let whole = Duration::from_secs(self.0.limits.body_seconds.into());
        let nanoseconds = u64::try_from(bytes).unwrap_or(u64::MAX).saturating_mul(1_000_000_000);
        // Without a rate, every byte refills the credit.
        let earned = nanoseconds.checked_div(self.0.limits.body_bytes_per_second).map_or(whole, Duration::from_nanos);
        self.turn(|turn| {
            let now = Instant::now();
            if turn.is_callers {
                turn.credit = turn.credit.saturating_sub(now.duration_since(turn.since));
            }
            let credit = whole.min(turn.credit.saturating_add(earned));
            *turn = Turn { is_callers: false, since: now, credit, is_full: turn.is_full };
        });
    }

    fn turn<T>(&self, look: impl FnOnce(&mut Turn) -> T) -> T {
        look(&mut self.0.turn.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// A body that says when it is waited for.
struct Paced {
    body: Body,
    pace: Pace,
    /// The caller waits until the body is read before sending it.
    is_awaited: bool,
}

impl HttpBody for Paced {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        self.is_awaited = false;
        let polled = Pin::new(&mut self.body).poll_frame(context);
        match &polled {
            Poll::Pending => self.pace.wait(),
            Poll::Ready(Some(Ok(frame))) => {
                let bytes = frame.data_ref().map_or(0, Bytes::len);
                self.pace.go_on(bytes);
                if !self.pace.makes_room(bytes) {
                    // Whoever keeps the answer refuses it now, and nobody polls this again.
                    self.pace.turn(|turn| turn.is_full = true);
                    return Poll::Pending;
                }
            }
            Poll::Ready(_) => self.pace.go_on(0),
        }
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
    /// Nobody waits for the rest any more.
    fn drop(&mut self) {
        self.pace.go_on(0);
        if !self.body.is_end_stream() {
            // Reading would make a caller send who waits for a word to do so.
            let rest = if self.is_awaited { Body::new(Unread) } else { std::mem::take(&mut self.body) };
            *self.pace.0.rest.lock().unwrap_or_else(PoisonError::into_inner) = Some(rest);
        }
    }
}

/// A body that never comes.
struct Unread;

impl HttpBody for Unread {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Poll::Pending
    }
}

#[cfg(test)]
mod tests {
    use futures_util::{StreamExt as _, stream};

    use super::*;

    fn limits() -> Limits {
        Limits { request_seconds: 30, body_seconds: 10, body_bytes_per_second: 1000, ..Limits::default() }
    }

    /// A body of pieces, each after a pause.
    fn body(pieces: impl IntoIterator<Item = (u64, usize), IntoIter: Send + 'static>) -> Body {
        Body::from_stream(stream::iter(pieces).then(async |(seconds, bytes)| {
            tokio::time::sleep(Duration::from_secs(seconds)).await;
            Ok::<_, std::convert::Infallible>(vec![0; bytes])
        }))
    }

    /// The status for a body of these pieces, to a service that works so long when it has read everything.
    async fn status(
        limits: Limits,
        pieces: impl IntoIterator<Item = (u64, usize), IntoIter: Send + 'static>,
        work: u64,
    ) -> u16 {
        let pace = Pace::new(&limits);
        let mut body = pace.watch(body(pieces), false, None).into_data_stream();
        let answer = async move {
            while body.next().await.is_some() {}
            tokio::time::sleep(Duration::from_secs(work)).await;
            Response::default()
        };
        pace.keep(answer).await.map_or_else(|status| status.as_u16(), |response| response.status().as_u16())
    }

    #[tokio::test(start_paused = true)]
    async fn time_for_the_answer_counts_from_the_end_of_the_body() {
        assert_eq!(status(limits(), (0..600).map(|_| (1, 1000)), 29).await, 200);
        assert_eq!(status(limits(), (0..600).map(|_| (1, 1000)), 31).await, 503);
        assert_eq!(status(limits(), [], 31).await, 503);
    }

    #[tokio::test(start_paused = true)]
    async fn a_stall_or_a_rate_that_is_too_low_ends_the_request() {
        assert_eq!(status(limits(), [(9, 1)], 0).await, 200);
        assert_eq!(status(limits(), [(0, 1_000_000), (11, 1)], 0).await, 408, "bytes are not saved up for a stall");
        // 10 s of credit, of which each second uses half a second.
        assert_eq!(status(limits(), (0..18).map(|_| (1, 500)), 0).await, 200);
        assert_eq!(status(limits(), (0..25).map(|_| (1, 500)), 0).await, 408);
        let no_rate = Limits { body_bytes_per_second: 0, ..limits() };
        assert_eq!(status(no_rate.clone(), (0..60).map(|_| (9, 1)), 0).await, 200);
        assert_eq!(status(no_rate, [(11, 1)], 0).await, 408);
    }

    #[tokio::test(start_paused = true)]
    async fn time_in_which_the_service_does_not_read_is_not_the_callers() {
        let pace = Pace::new(&limits());
        let mut body = pace.watch(body((0..5).map(|_| (0, 1))), false, None).into_data_stream();
        let answer = async move {
            while body.next().await.is_some() {
                tokio::time::sleep(Duration::from_secs(20)).await;
            }
            Response::default()
        };
        assert!(pace.keep(answer).await.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_that_nobody_reads_any_more_is_not_waited_for() {
        let pace = Pace::new(&limits());
        let mut body = pace.watch(body([(60, 1)]), false, None).into_data_stream();
        let answer = async move {
            let _ = tokio::time::timeout(Duration::from_secs(5), body.next()).await;
            drop(body);
            tokio::time::sleep(Duration::from_secs(29)).await;
            Response::default()
        };
        assert!(pace.keep(answer).await.is_ok());
    }
}
