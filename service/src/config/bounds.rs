//! Limits that are not settings, because operators would not change them; tests lower them.

use std::time::Duration;

/// Limits on callers, in addition to the settings.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// How long the head of a request may take to arrive, and a connection of HTTP/1 wait for it.
    pub head: Duration,
    /// How long a body may stall, or lag behind the minimum rate.
    pub body: Duration,
    /// The minimum rate of a body.
    pub body_bytes_per_second: u32,
    /// How long a connection may be without traffic.
    pub idle: Duration,
    /// How long requests may continue after the signal to stop.
    pub stop: Duration,
    /// Maximum number of files that are received at once, of which a tenant may have three quarters and a token a quarter.
    pub uploads: u64,
    /// Maximum size of all JSON bodies in memory, in bytes.
    pub held_bytes: u64,
    /// Maximum size of a list in a response, in bytes.
    pub list_bytes: usize,
    /// How long a read may take.
    pub read: Duration,
    /// How long a write waits for another process's lock on the store.
    pub write: Duration,
    /// Maximum number of waiting reads, of which a tenant may have three quarters and a token a quarter.
    pub waiting_reads: usize,
    /// How long a temporary upload is kept.
    pub temporary: Duration,
    /// How long an idempotency key is kept.
    pub idempotency: Duration,
    /// Maximum number of pixels of an image for thumbnails.
    pub thumbnail_pixels: u64,
    /// Maximum size of its file, which is read whole, in bytes.
    pub thumbnail_file_bytes: u64,
    /// Check every response by the description.
    #[cfg(feature = "check-responses")]
    pub check_responses: bool,
}

impl Bounds {
    /// Maximum size of the rows that are read at once, in bytes: in memory they are larger than in a response.
    pub fn row_bytes(&self) -> usize {
        self.list_bytes.saturating_mul(4).max(64 << 20)
    }
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            head: Duration::from_secs(30),
            body: Duration::from_secs(10),
            body_bytes_per_second: 1024,
            idle: Duration::from_mins(1),
            stop: Duration::from_secs(10),
            uploads: 64,
            held_bytes: 64 << 20,
            list_bytes: 8 << 20,
            read: Duration::from_secs(5),
            write: Duration::from_secs(10),
            waiting_reads: 4096,
            temporary: Duration::from_hours(24),
            idempotency: Duration::from_hours(24),
            thumbnail_pixels: 40_000_000,
            thumbnail_file_bytes: 64 << 20,
            #[cfg(feature = "check-responses")]
            check_responses: false,
        }
    }
}
