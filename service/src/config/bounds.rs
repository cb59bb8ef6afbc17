//! Bounds that are not settings, since no operator would change them; tests lower them.

use std::time::Duration;

/// Bounds on what clients may do, in addition to those that can be set.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// How long the head of a request may take to arrive.
    pub head: Duration,
    /// How long a body may stall, or be behind its rate in all.
    pub body: Duration,
    /// The minimum rate of a body.
    pub body_bytes_per_second: u64,
    /// How long no byte may pass on a connection.
    pub idle: Duration,
    /// How long requests may take to end after the signal to stop.
    pub stop: Duration,
    /// Maximum number of files that are received at once, of which a tenant may have three quarters and a token a quarter.
    pub uploads: usize,
    /// Maximum size of all JSON bodies in memory, in bytes.
    pub held_bytes: u64,
    /// Maximum size of a list in an answer, in bytes.
    pub list_bytes: usize,
    /// How long a read may take.
    pub read: Duration,
    /// How long a write waits for another process that holds the store.
    pub write: Duration,
    /// Maximum number of reads that wait for their turn, of which a tenant may have three quarters and a token a quarter.
    pub waiting_reads: usize,
    /// How long a temporary upload is kept.
    pub temporary: Duration,
    /// How long an idempotency key is kept.
    pub idempotency: Duration,
    /// Maximum number of pixels of a picture of which thumbnails are made.
    pub thumbnail_pixels: u64,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            head: Duration::from_secs(10),
            body: Duration::from_secs(10),
            body_bytes_per_second: 1024,
            idle: Duration::from_mins(1),
            stop: Duration::from_secs(10),
            uploads: 32,
            held_bytes: 64 << 20,
            list_bytes: 8 << 20,
            read: Duration::from_secs(5),
            write: Duration::from_secs(10),
            waiting_reads: 256,
            temporary: Duration::from_hours(24),
            idempotency: Duration::from_hours(24),
            thumbnail_pixels: 40_000_000,
        }
    }
}
