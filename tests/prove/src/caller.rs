//! A caller that sends requests sequentially and records the results.

use std::{
    net::SocketAddr,
    time::{Duration, Instant},
};

use crate::{
    callers::Seen,
    connection::{Answer, Connection},
};

/// A request that takes longer counts as hung.
const HANG: Duration = Duration::from_secs(20);

/// The results of requests.
#[derive(Default)]
pub struct Answers {
    /// Every response.
    pub seen: Seen,
    /// Requests that hung.
    pub hangs: u64,
    /// Requests whose connection closed while they were sent or answered.
    pub cut: u64,
}

/// A caller with a persistent connection.
pub struct Caller {
    address: SocketAddr,
    connection: Option<Connection>,
}

impl Caller {
    /// A caller of the service at this address.
    pub fn new(address: SocketAddr) -> Self {
        Self { address, connection: None }
    }

    /// Sends a request; `None` without a complete response.
    pub fn send(&mut self, request: &[u8], answers: &mut Answers) -> Option<Answer> {
        let begin = Instant::now();
        let open = self.connection.take().map_or_else(|| Connection::open(self.address), Ok);
        let answer = open.and_then(|mut open| open.exchange(request).map(|answer| (answer, open)));
        let time = begin.elapsed();
        let Ok((answer, open)) = answer else {
            answers.seen.broken += 1;
            let count = if time > HANG { &mut answers.hangs } else { &mut answers.cut };
            *count += 1;
            return None;
        };
        answers.seen.answered(answer.status, time);
        answers.seen.without_retry_after += u64::from(answer.status == 503 && answer.header("retry-after").is_none());
        answers.hangs += u64::from(time > HANG);
        if answer.header("connection") != Some("close") {
            self.connection = Some(open);
        }
        Some(answer)
    }
}
