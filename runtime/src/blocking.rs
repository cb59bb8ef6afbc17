//! Calls in code that is not async.
//!
//! Connections are served by one thread, which all clients share. It starts with the first call and lasts as long as the
//! program.

use std::future::{pending, poll_fn};
use std::iter;
use std::pin::pin;
use std::sync::LazyLock;
use std::thread;

use futures_core::Stream;
use tokio::runtime::{Builder, Handle};

use crate::client::{Call, Error};

/// The runtime of the thread that serves connections and timers.
static RUNTIME: LazyLock<Handle> = LazyLock::new(|| {
    let runtime = Builder::new_current_thread().enable_all().build();
    let runtime = runtime.unwrap_or_else(|error| panic!("no runtime for blocking calls: {error}"));
    let handle = runtime.handle().clone();
    thread::spawn(move || runtime.block_on(pending::<()>()));
    handle
});

impl<T, E> Call<T, E> {
    /// Sends the call, and blocks the thread until there is an answer.
    ///
    /// # Panics
    ///
    /// In async code, where a call is awaited instead.
    pub fn send_blocking(self) -> Result<T, Error<E>> {
        wait(self)
    }
}

/// Blocks the thread until the future is done.
///
/// # Panics
///
/// In async code, where a future is awaited instead.
pub fn wait<F: IntoFuture>(future: F) -> F::Output {
    RUNTIME.block_on(future.into_future())
}

/// The items of a stream; each blocks the thread until it is there.
///
/// # Panics
///
/// The iterator panics in async code, where the stream itself is used instead.
pub fn iter<S: Stream + Unpin>(mut stream: S) -> impl Iterator<Item = S::Item> {
    iter::from_fn(move || wait(poll_fn(|context| pin!(&mut stream).poll_next(context))))
}
