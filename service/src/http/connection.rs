//! What happens on a connection, and when it has to end because nothing does.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::time::{Instant, sleep_until};

use crate::config::Bounds;

/// The activity of one connection; clones share it.
#[derive(Clone, Debug)]
pub(super) struct Activity(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    head: Duration,
    idle: Duration,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// When the last byte passed, in either direction.
    moved: Instant,
    /// When the head that is expected or being read began.
    head_since: Option<Instant>,
    /// Requests whose answers have not been sent.
    under_way: usize,
    /// Requests so far.
    requests: u64,
    /// HTTP/1 goes on behind the answers that are under way, so that what is read is a head.
    has_heads: bool,
}

/// Why a connection has to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The head of a request did not come in time.
    SlowHead,
    /// Nothing was sent, and no answer was read.
    Idle,
}

/// A request under way; it ends when this is dropped.
#[derive(Debug)]
pub(super) struct UnderWay(Activity);

impl Activity {
    /// That of a new connection, of which a head is expected.
    pub(super) fn new(bounds: &Bounds) -> Self {
        let now = Instant::now();
        let state = State { moved: now, head_since: Some(now), under_way: 0, requests: 0, has_heads: true };
        Self(Arc::new(Shared { head: bounds.head, idle: bounds.idle, state: Mutex::new(state) }))
    }

    /// Waits until the connection has to end.
    pub(super) async fn end(&self) -> End {
        loop {
            let (deadline, end) = self.deadline();
            let now = Instant::now();
            if deadline <= now {
                return end;
            }
            // A deadline that arises meanwhile is no sooner than this.
            sleep_until(deadline.min(now + self.0.head.min(self.0.idle))).await;
        }
    }

    fn deadline(&self) -> (Instant, End) {
        let state = self.state();
        match state.head_since {
            Some(since) if state.under_way == 0 => (since + self.0.head, End::SlowHead),
            _ => (state.moved + self.0.idle, End::Idle),
        }
    }

    /// A request has arrived.
    pub(super) fn request(&self, is_http1: bool) -> UnderWay {
        let mut state = self.state();
        (state.head_since, state.has_heads) = (None, is_http1);
        (state.under_way, state.requests) = (state.under_way + 1, state.requests + 1);
        UnderWay(self.clone())
    }

    /// The connection ends behind the answers that are under way.
    pub(super) fn is_ending(&self) {
        self.state().has_heads = false;
    }

    /// Bytes have been read; the number of the head that they belong to, if they do.
    pub(super) fn has_read(&self) -> Option<u64> {
        let mut state = self.state();
        state.moved = Instant::now();
        if state.under_way > 0 || !state.has_heads {
            return None;
        }
        state.head_since = state.head_since.or(Some(state.moved));
        Some(state.requests)
    }

    /// Bytes have been written.
    pub(super) fn has_written(&self) {
        self.state().moved = Instant::now();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.under_way -= 1;
        state.moved = Instant::now();
    }
}
