//! Threads that do long work let those that serve go first.

/// Lets other threads go before this one, and before those that it starts, whenever both want a processor.
pub fn yield_to_others() {
    // Only on Linux does a thread have a priority of its own.
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::setpriority_process(None, 10) {
        tracing::warn!(%error, "long work runs with the priority of everything else");
    }
}
