//! Callers that repeat requests, and count every status and time.

use std::{
    collections::BTreeMap,
    fmt::{self, Display, Formatter},
    net::SocketAddr,
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use crate::connection::Connection;

/// Pause of a well-behaved caller after each response.
pub const PAUSE: Duration = Duration::from_millis(5);

/// The results of callers.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// The number of responses by status.
    pub statuses: BTreeMap<u16, u64>,
    /// Requests without a response.
    pub broken: u64,
    /// Responses with 503 but without `Retry-After`.
    pub without_retry_after: u64,
    /// The time of each response.
    pub times: Vec<Duration>,
}

impl Seen {
    /// Records a response.
    pub fn answered(&mut self, status: u16, time: Duration) {
        *self.statuses.entry(status).or_default() += 1;
        self.times.push(time);
    }

    /// Adds the results of others.
    pub fn add(&mut self, other: Self) {
        for (status, count) in other.statuses {
            *self.statuses.entry(status).or_default() += count;
        }
        self.broken += other.broken;
        self.without_retry_after += other.without_retry_after;
        self.times.extend(other.times);
    }

    /// The percentile of the response times.
    pub fn percentile(&self, percent: usize) -> Duration {
        let mut times = self.times.clone();
        times.sort_unstable();
        let position = (times.len() * percent).div_ceil(100).saturating_sub(1);
        times.get(position).copied().unwrap_or_default()
    }

    /// The number of responses with other statuses, and of requests without a response.
    pub fn other_than(&self, expected: &[u16]) -> u64 {
        let others = self.statuses.iter().filter(|(status, _)| !expected.contains(status)).map(|(_, count)| count);
        others.sum::<u64>() + self.broken
    }
}

impl Display for Seen {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let statuses: Vec<String> = self.statuses.iter().map(|(status, count)| format!("{status} × {count}")).collect();
        write!(formatter, "{}, {} without an answer", statuses.join(", "), self.broken)
    }
}

/// Callers on this many connections, a thread each, that send these requests in turn until `end` is set, with
/// a pause after each response. A closed connection is replaced.
pub fn call(address: SocketAddr, requests: &[Vec<u8>], connections: usize, pause: Duration, end: &AtomicBool) -> Seen {
    together(connections, |first| {
        let mut seen = Seen::default();
        let mut connection = None;
        let mut requests = requests.iter().cycle().skip(first);
        while !end.load(Ordering::Relaxed) {
            let Some(request) = requests.next() else { break };
            let begin = Instant::now();
            let open = connection.take().map_or_else(|| Connection::open(address), Ok);
            let answer = open.and_then(|mut open| open.exchange(request).map(|answer| (answer, open)));
            if let Ok((answer, open)) = answer {
                seen.answered(answer.status, begin.elapsed());
                let is_left_open = answer.status == 503 && answer.header("retry-after").is_none();
                seen.without_retry_after += u64::from(is_left_open);
                if answer.header("connection") != Some("close") {
                    connection = Some(open);
                }
            } else {
                seen.broken += 1;
                std::thread::sleep(Duration::from_millis(10));
            }
            std::thread::sleep(pause);
        }
        seen
    })
}

/// What this many callers see, a thread each.
pub fn together(callers: usize, caller: impl Fn(usize) -> Seen + Sync) -> Seen {
    let caller = &caller;
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..callers).map(|number| scope.spawn(move || caller(number))).collect();
        let mut all = Seen::default();
        for seen in threads.into_iter().filter_map(|thread| thread.join().ok()) {
            all.add(seen);
        }
        all
    })
}

/// The same for this long.
pub fn call_for(
    address: SocketAddr,
    requests: &[Vec<u8>],
    connections: usize,
    pause: Duration,
    time: Duration,
) -> Seen {
    let end = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let callers = scope.spawn(|| call(address, requests, connections, pause, &end));
        std::thread::sleep(time);
        end.store(true, Ordering::Relaxed);
        callers.join().unwrap_or_default()
    })
}

/// Well-behaved callers: 4 connections with these requests and a short pause after each response, for this
/// long.
pub fn good_callers(address: SocketAddr, requests: &[Vec<u8>], time: Duration) -> Seen {
    call_for(address, requests, 4, PAUSE, time)
}

/// The results of `good` callers when idle, and then while `attack` runs. The attack gets a flag that is set
/// at the end. It runs at the lowest priority, because a real attacker uses another machine's processors.
pub fn during_attack<S, T: Send>(
    good: impl Fn(Duration) -> S,
    time: Duration,
    attack: impl FnOnce(&AtomicBool) -> T + Send,
) -> (S, S, Option<T>) {
    // Warm up: open connections and prepare statements.
    good(Duration::from_millis(300));
    let idle = good(time);
    let end = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let attack = scope.spawn(|| {
            let_others_go_first();
            attack(&end)
        });
        // Wait until the attack is under way.
        std::thread::sleep(Duration::from_millis(300));
        let busy = good(time);
        end.store(true, Ordering::Relaxed);
        (idle, busy, attack.join().ok())
    })
}

/// Runs this thread, and those that it starts, at idle priority.
#[cfg(target_os = "linux")]
fn let_others_go_first() {
    // Only the command offers this policy without unsafe code.
    let id = rustix::thread::gettid().as_raw_nonzero().to_string();
    let set = std::process::Command::new("chrt").args(["--idle", "--pid", "0", &id]).status();
    if !set.is_ok_and(|status| status.success()) {
        let _ = rustix::process::setpriority_process(None, 19);
    }
}

/// Other systems have no such policy.
#[cfg(not(target_os = "linux"))]
fn let_others_go_first() {}
