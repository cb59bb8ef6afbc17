//! The activity of a connection, and its timeouts.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::time::{Instant, sleep_until};

use crate::config::Bounds;

/// The activity of one connection, shared by clones.
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
    /// Time of the last traffic in either direction.
    moved: Instant,
    /// When the expected or current head began.
    head_since: Option<Instant>,
    /// Number of requests whose responses are not complete.
    under_way: usize,
    /// Number of requests so far.
    requests: u64,
    /// Whether further bytes are a head: HTTP/1 continues after the running responses.
    has_heads: bool,
}

/// Why a connection must end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The head of a request timed out.
    SlowHead,
    /// There was no traffic.
    Idle,
}

/// A running request, until dropped.
#[derive(Debug)]
pub(super) struct UnderWay(Activity);

impl Activity {
    /// A new connection, which expects a head.
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
            // A new deadline cannot be earlier than this.
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

    /// Records a request.
    pub(super) fn request(&self, is_http1: bool) -> UnderWay {
        let mut state = self.state();
        (state.head_since, state.has_heads) = (None, is_http1);
        (state.under_way, state.requests) = (state.under_way + 1, state.requests + 1);
        UnderWay(self.clone())
    }

    /// Records that the connection ends after the running responses.
    pub(super) fn is_ending(&self) {
        self.state().has_heads = false;
    }

    /// Records read bytes; returns the number of their head, if they are part of one.
    pub(super) fn has_read(&self) -> Option<u64> {
        let mut state = self.state();
        state.moved = Instant::now();
        if state.under_way > 0 || !state.has_heads {
            return None;
        }
        state.head_since = state.head_since.or(Some(state.moved));
        Some(state.requests)
    }

    /// Records written bytes.
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
