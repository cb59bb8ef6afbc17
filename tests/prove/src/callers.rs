//! Callers who send requests over and over, with every status and time counted.

use std::{
    collections::BTreeMap,
    fmt::{self, Display, Formatter},
    net::SocketAddr,
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use crate::connection::Connection;

/// How long a good caller pauses behind an answer.
pub const PAUSE: Duration = Duration::from_millis(5);

/// What callers have seen.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// How often each status was answered.
    pub statuses: BTreeMap<u16, u64>,
    /// Requests that got no answer.
    pub broken: u64,
    /// Answers with 503 that did not say when to come again.
    pub without_retry_after: u64,
    /// How long each answer took.
    pub times: Vec<Duration>,
}

impl Seen {
    /// Notes an answer.
    pub fn answered(&mut self, status: u16, time: Duration) {
        *self.statuses.entry(status).or_default() += 1;
        self.times.push(time);
    }

    /// Adds what others have seen.
    pub fn add(&mut self, other: Self) {
        for (status, count) in other.statuses {
            *self.statuses.entry(status).or_default() += count;
        }
        self.broken += other.broken;
        self.without_retry_after += other.without_retry_after;
        self.times.extend(other.times);
    }

    /// The time that so many of 100 answers did not take longer than.
    pub fn percentile(&self, percent: usize) -> Duration {
        let mut times = self.times.clone();
        times.sort_unstable();
        let position = (times.len() * percent).div_ceil(100).saturating_sub(1);
        times.get(position).copied().unwrap_or_default()
    }

    /// The number of answers that are not among these statuses, and of requests without one.
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

/// Callers on so many connections, a thread each, who send these requests in turn until `end` is set, with a pause behind
/// each answer. One whose connection is closed opens another.
pub fn call(address: SocketAddr, requests: &[Vec<u8>], connections: usize, pause: Duration, end: &AtomicBool) -> Seen {
    let caller = |first: usize| {
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
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..connections).map(|first| scope.spawn(move || caller(first))).collect();
        let mut all = Seen::default();
        for seen in threads.into_iter().filter_map(|thread| thread.join().ok()) {
            all.add(seen);
        }
        all
    })
}

/// The same for so long.
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

/// Good callers: 4 connections with these requests and a short pause behind each answer, for so long.
pub fn good_callers(address: SocketAddr, requests: &[Vec<u8>], time: Duration) -> Seen {
    call_for(address, requests, 4, PAUSE, time)
}

/// What `good` callers see in that time while nothing else happens, and then while `attack` runs. The attack gets a flag that
/// tells it when the time is over. It has a processor only when nobody else wants it: an attacker calls from another machine,
/// and does not take the service's processors.
pub fn beside<S, T: Send>(
    good: impl Fn(Duration) -> S,
    time: Duration,
    attack: impl FnOnce(&AtomicBool) -> T + Send,
) -> (S, S, Option<T>) {
    // The first answers open connections and prepare statements.
    good(Duration::from_millis(300));
    let idle = good(time);
    let end = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let attack = scope.spawn(|| {
            let_others_go_first();
            attack(&end)
        });
        // Until the attack is under way.
        std::thread::sleep(Duration::from_millis(300));
        let busy = good(time);
        end.store(true, Ordering::Relaxed);
        (idle, busy, attack.join().ok())
    })
}

/// Lets this thread, and those that it starts, run only when nobody else wants a processor.
#[cfg(target_os = "linux")]
fn let_others_go_first() {
    // No safe interface has this policy but the command.
    let id = rustix::thread::gettid().as_raw_nonzero().to_string();
    let set = std::process::Command::new("chrt").args(["--idle", "--pid", "0", &id]).status();
    if !set.is_ok_and(|status| status.success()) {
        let _ = rustix::process::setpriority_process(None, 19);
    }
}

/// Elsewhere a thread has no priority of its own.
#[cfg(not(target_os = "linux"))]
fn let_others_go_first() {}
