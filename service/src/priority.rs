//! Long work lets what is quick go first.

use std::{
    cell::Cell,
    future::{Future, poll_fn},
    io,
    panic::resume_unwind,
    task::{Context, Poll},
    thread,
};

use tokio::{
    runtime::{Builder, Handle, Runtime},
    task::JoinSet,
};

mod sharing;

pub use sharing::{BUSY, Sharing, When};

thread_local! {
    /// Whether the request that this thread goes on with has said that it takes long.
    static TAKES_LONG: Cell<bool> = const { Cell::new(false) };
}

/// Lets other threads go before this one, and before those that it starts, whenever both want a processor.
fn yield_to_others() {
    // Only on Linux does a thread have a priority of its own.
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::setpriority_process(None, 10) {
        tracing::warn!(%error, "long work runs with the priority of everything else");
    }
}

/// Lets this thread run only when nothing else wants a processor. On a busy machine it may wait for seconds, and it cannot go
/// back: that takes a privilege.
fn run_when_idle() {
    #[cfg(target_os = "linux")]
    {
        use thread_priority::{
            NormalThreadSchedulePolicy::Idle, ThreadPriority, ThreadSchedulePolicy::Normal,
            set_thread_priority_and_policy, thread_native_id,
        };
        if let Err(error) = set_thread_priority_and_policy(thread_native_id(), ThreadPriority::Min, Normal(Idle)) {
            tracing::warn!(%error, "long work runs with the priority of everything else");
        }
    }
}

/// Says that the request which this thread goes on with takes long. Who calls this returns `Pending`, so that [`LongWork`] can
/// go on with it at once.
pub fn takes_long(context: &Context<'_>) {
    TAKES_LONG.set(true);
    context.waker().wake_by_ref();
}

/// The same; what follows it is long work.
pub async fn go_on_as_long_work() {
    let mut has_paused = false;
    poll_fn(|context| {
        if has_paused {
            return Poll::Ready(());
        }
        has_paused = true;
        takes_long(context);
        Poll::Pending
    })
    .await;
}

/// Threads for requests that take long, so that quick ones do not have to wait for them.
#[derive(Debug)]
pub struct LongWork {
    threads: Handle,
    runtime: Option<Runtime>,
}

impl LongWork {
    /// Starts the threads.
    pub fn start() -> io::Result<Self> {
        let processors = thread::available_parallelism().map_or(1, usize::from);
        let mut builder = Builder::new_multi_thread();
        builder.worker_threads(processors).thread_name("long-work").on_thread_start(yield_to_others).enable_all();
        let runtime = builder.build()?;
        Ok(Self { threads: runtime.handle().clone(), runtime: Some(runtime) })
    }

    /// Runs a future where it is waited for, until it says that it takes long, and from then on on these threads. It ends
    /// when nobody waits for it any more.
    pub async fn run<T: Send + 'static>(&self, future: impl Future<Output = T> + Send + 'static) -> T {
        let mut future = Box::pin(future);
        let quick = poll_fn(|context| {
            TAKES_LONG.set(false);
            match future.as_mut().poll(context) {
                Poll::Ready(output) => Poll::Ready(Some(output)),
                Poll::Pending if TAKES_LONG.take() => Poll::Ready(None),
                Poll::Pending => Poll::Pending,
            }
        });
        if let Some(output) = quick.await {
            return output;
        }
        let mut moved = JoinSet::new();
        moved.spawn_on(future, &self.threads);
        match moved.join_next().await {
            Some(Ok(output)) => output,
            Some(Err(error)) if error.is_panic() => resume_unwind(error.into_panic()),
            // The threads have been stopped, which is when nobody is answered any more.
            Some(Err(_)) | None => std::future::pending().await,
        }
    }
}

impl Drop for LongWork {
    fn drop(&mut self) {
        // Waiting for the threads to end is no work for one that serves.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

#[cfg(test)]
mod tests;
