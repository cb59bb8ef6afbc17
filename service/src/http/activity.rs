//! What happens on a connection, and when it has to end because nothing does.

use std::{
    pin::Pin,
    sync::{Arc, Mutex, PoisonError},
    task::{Context, Poll, ready},
    time::Duration,
};

use axum::body::{Body, Bytes, HttpBody};
use hyper::body::{Frame, SizeHint};
use tokio::{
    task::yield_now,
    time::{Instant, sleep_until},
};

use crate::config::Limits;

/// Pieces of an answer over HTTP/2, each of which a caller has to take within the time for writing.
const PIECE: usize = 16 << 10;

/// Bytes of an answer over HTTP/1 that are written before others have their turn.
const TURN: usize = 64 << 10;

/// The activity of one connection; cheap to clone.
#[derive(Clone, Debug)]
pub(super) struct Activity(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    header: Duration,
    idle: Duration,
    write: Duration,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// When the connection began, or its last request ended.
    rests_since: Instant,
    /// When the first byte after that was read.
    head_since: Option<Instant>,
    /// Whether there has been a request.
    has_asked: bool,
    is_http2: bool,
    /// The connection ends behind an answer: what is still read of it is no head.
    is_ending: bool,
    /// Requests that have not been answered to the end.
    requests: usize,
    /// Answers with a piece that the caller has not taken yet, and since when.
    untaken: Vec<(u64, Instant)>,
    /// Since when the socket takes no bytes.
    blocked_since: Option<Instant>,
    next: u64,
}

/// Why a connection has to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The head of a request did not come in time.
    SlowHead,
    /// The caller takes no answer.
    NotReading,
    /// There has been no request for long.
    Idle,
}

impl Activity {
    /// That of a new connection.
    pub(super) fn new(limits: &Limits) -> Self {
        let seconds = |seconds: u32| Duration::from_secs(seconds.max(1).into());
        Self(Arc::new(Shared {
            header: seconds(limits.header_seconds),
            idle: seconds(limits.idle_seconds),
            write: seconds(limits.answer_seconds),
            state: Mutex::new(State {
                rests_since: Instant::now(),
                head_since: None,
                has_asked: false,
                is_http2: false,
                is_ending: false,
                requests: 0,
                untaken: Vec::new(),
                blocked_since: None,
                next: 0,
            }),
        }))
    }

    /// Waits until the connection has to end.
    pub(super) async fn end(&self) -> End {
        let shortest = self.0.header.min(self.0.idle).min(self.0.write);
        loop {
            let now = Instant::now();
            let deadline = self.deadline();
            if let Some((deadline, end)) = deadline
                && deadline <= now
            {
                return end;
            }
            // A deadline that arises meanwhile is no sooner than this.
            let next = now + shortest;
            sleep_until(deadline.map_or(next, |(deadline, _)| deadline.min(next))).await;
        }
    }

    /// A request has arrived; it ends when its answer has been taken or dropped.
    pub(super) fn request(&self, is_http2: bool) -> Asked {
        let number = self.look(|state| {
            (state.has_asked, state.is_http2) = (true, is_http2);
            state.requests += 1;
            state.next += 1;
            state.next
        });
        Asked { activity: self.clone(), number, is_http2 }
    }

    /// The connection ends behind the answers that are under way.
    pub(super) fn is_ending(&self) {
        self.look(|state| state.is_ending = true);
    }

    /// Bytes have been read; the number of the request whose head they belong to, if they do.
    pub(super) fn has_read(&self) -> Option<u64> {
        self.look(|state| {
            if state.requests == 0 && state.head_since.is_none() {
                state.head_since = Some(Instant::now());
            }
            (state.requests == 0 && !state.is_http2 && !state.is_ending).then_some(state.next)
        })
    }

    /// The socket takes bytes, or does not.
    pub(super) fn writes(&self, is_taken: bool) {
        self.look(|state| {
            if !is_taken {
                state.blocked_since.get_or_insert_with(Instant::now);
                return;
            }
            state.blocked_since = None;
            // Over HTTP/2, they may be those of another answer.
            if !state.is_http2 && !state.untaken.is_empty() {
                let now = Instant::now();
                state.untaken.iter_mut().for_each(|(_, since)| *since = now);
            }
        });
    }

    fn deadline(&self) -> Option<(Instant, End)> {
        let Shared { header, idle, write, .. } = *self.0;
        self.look(|state| {
            let untaken = state.untaken.iter().map(|(_, since)| *since).chain(state.blocked_since).min();
            let waiting = match state {
                State { requests: 1.., .. } => None,
                State { has_asked: false, rests_since, .. } => Some((*rests_since + header, End::SlowHead)),
                // Over HTTP/2, bytes need not belong to a request.
                State { is_http2: false, head_since: Some(since), .. } => Some((*since + header, End::SlowHead)),
                State { rests_since, .. } => Some((*rests_since + idle, End::Idle)),
            };
            let reading = untaken.map(|since| (since + write, End::NotReading));
            waiting.into_iter().chain(reading).min_by_key(|(deadline, _)| *deadline)
        })
    }

    fn look<T>(&self, look: impl FnOnce(&mut State) -> T) -> T {
        look(&mut self.0.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// A request under way.
#[derive(Debug)]
pub(super) struct Asked {
    activity: Activity,
    number: u64,
    is_http2: bool,
}

impl Asked {
    /// The body of its answer.
    pub(super) fn answer(self, body: Body) -> Answer {
        Answer { body, asked: self, rest: Bytes::new(), pause: None }
    }

    /// It is the caller who has to take something now, or not.
    fn is_callers_turn(&self, is_callers: bool) {
        self.activity.look(|state| {
            let position = state.untaken.iter().position(|(number, _)| *number == self.number);
            match (position, is_callers) {
                (Some(position), true) => state.untaken[position].1 = Instant::now(),
                (None, true) => state.untaken.push((self.number, Instant::now())),
                (Some(position), false) => drop(state.untaken.swap_remove(position)),
                (None, false) => {}
            }
        });
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        self.is_callers_turn(false);
        self.activity.look(|state| {
            state.requests -= 1;
            if state.requests == 0 {
                (state.rests_since, state.head_since) = (Instant::now(), None);
            }
        });
    }
}

/// The body of an answer, which notes whether the caller takes it, and lets others have their turn while it is written.
pub(super) struct Answer {
    body: Body,
    asked: Asked,
    rest: Bytes,
    pause: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
}

impl HttpBody for Answer {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let this = &mut *self;
        if let Some(pause) = &mut this.pause {
            ready!(pause.as_mut().poll(context));
            this.pause = None;
        }
        if this.rest.is_empty() {
            match Pin::new(&mut this.body).poll_frame(context) {
                Poll::Pending => {
                    this.asked.is_callers_turn(false);
                    return Poll::Pending;
                }
                Poll::Ready(Some(Ok(frame))) => match frame.into_data() {
                    Ok(data) => this.rest = data,
                    Err(frame) => return Poll::Ready(Some(Ok(frame))),
                },
                ended @ Poll::Ready(_) => return ended,
            }
        }
        let length = this.rest.len().min(if this.asked.is_http2 { PIECE } else { TURN });
        let piece = this.rest.split_to(length);
        if length == TURN {
            this.pause = Some(Box::pin(yield_now()));
        }
        this.asked.is_callers_turn(!this.is_end_stream());
        Poll::Ready(Some(Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let mut hint = self.body.size_hint();
        let rest = self.rest.len() as u64;
        // The upper bound first: it must not be below the lower one.
        if let Some(upper) = hint.upper() {
            hint.set_upper(upper + rest);
        }
        hint.set_lower(hint.lower() + rest);
        hint
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use futures_util::{FutureExt as _, StreamExt as _, stream};
    use http_body_util::BodyExt as _;

    use super::*;

    fn activity() -> Activity {
        Activity::new(&Limits { header_seconds: 10, idle_seconds: 60, answer_seconds: 20, ..Limits::default() })
    }

    async fn after(seconds: u64) {
        tokio::time::sleep(Duration::from_secs(seconds)).await;
    }

    #[tokio::test(start_paused = true)]
    async fn a_head_has_to_come_and_silence_ends_after_longer() {
        let activity = activity();
        let begin = Instant::now();
        assert_eq!((activity.end().await, begin.elapsed().as_secs()), (End::SlowHead, 10));

        drop(activity.request(false));
        let begin = Instant::now();
        assert_eq!((activity.end().await, begin.elapsed().as_secs()), (End::Idle, 60));

        drop(activity.request(false));
        after(50).await;
        activity.has_read();
        after(9).await;
        activity.has_read();
        assert!(activity.end().now_or_never().is_none());
        let begin = Instant::now();
        assert_eq!((activity.end().await, begin.elapsed().as_secs()), (End::SlowHead, 1));
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_has_to_be_taken_and_one_that_is_being_made_is_waited_for() {
        let activity = activity();
        let pieces = stream::iter(0..3).then(async |_| {
            after(100).await;
            Ok::<_, std::convert::Infallible>(Bytes::from(vec![0; 40_000]))
        });
        let mut answer = activity.request(true).answer(Body::from_stream(pieces));
        {
            let mut next = async || std::future::poll_fn(|context| Pin::new(&mut answer).poll_frame(context)).await;
            assert!(tokio::time::timeout(Duration::from_secs(90), activity.end()).await.is_err());
            let piece = next().await.unwrap().unwrap().into_data().unwrap();
            assert_eq!(piece.len(), PIECE);
            after(19).await;
            activity.writes(true);
            next().await.unwrap().unwrap();
            after(19).await;
            assert!(activity.end().now_or_never().is_none());
        }
        let begin = Instant::now();
        assert_eq!((activity.end().await, begin.elapsed().as_secs()), (End::NotReading, 1));
        drop(answer);
        assert!(activity.end().now_or_never().is_none());
        activity.writes(false);
        let begin = Instant::now();
        assert_eq!((activity.end().await, begin.elapsed().as_secs()), (End::NotReading, 20));
    }

    #[tokio::test]
    async fn others_have_their_turn_while_a_long_answer_is_written() {
        let turns = Arc::new(AtomicUsize::new(0));
        let others = Arc::clone(&turns);
        tokio::spawn(async move {
            loop {
                others.fetch_add(1, Ordering::Relaxed);
                yield_now().await;
            }
        });
        let mut answer = activity().request(false).answer(Body::from(vec![0; 10 * TURN + 1]));
        let mut pieces = Vec::new();
        while let Some(piece) = answer.frame().await {
            pieces.push(piece.unwrap().into_data().unwrap().len());
        }
        assert_eq!((pieces.iter().sum::<usize>(), pieces.iter().max()), (10 * TURN + 1, Some(&TURN)));
        assert!(turns.load(Ordering::Relaxed) >= 10);
    }
}
