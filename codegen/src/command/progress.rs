//! What a terminal shows while something takes long.

use std::io::{IsTerminal, Write, stderr};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// What takes less is not reported.
const LONG: Duration = Duration::from_millis(500);
/// How often the time is shown anew.
const TICK: Duration = Duration::from_millis(100);
/// Back to the start of a line, which is empty then.
const CLEAR: &str = "\r\x1b[K";

/// Does the work; meanwhile a terminal says what it is and how long it has taken.
pub(super) fn during<T>(what: &str, work: impl FnOnce() -> T) -> T {
    if !stderr().is_terminal() {
        return work();
    }
    thread::scope(|scope| {
        let (done, waiting) = channel();
        scope.spawn(move || show(what, &waiting, &mut stderr()));
        let result = work();
        // The line has to be gone before anything else is written.
        drop::<std::sync::mpsc::Sender<()>>(done);
        result
    })
}

/// Shows it until the channel is closed.
fn show(what: &str, done: &Receiver<()>, terminal: &mut impl Write) {
    let start = Instant::now();
    let mut pause = LONG;
    while done.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
        // A terminal that is gone is no reason to stop.
        let _ = write!(terminal, "{CLEAR}{what}: {:.1} s", start.elapsed().as_secs_f64());
        let _ = terminal.flush();
        pause = TICK;
    }
    if pause == TICK {
        let _ = write!(terminal, "{CLEAR}");
        let _ = terminal.flush();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a terminal is sent while something takes that long.
    fn shown(time: Duration) -> String {
        let (done, waiting) = channel();
        let worker = thread::spawn(move || {
            thread::sleep(time);
            drop(done);
        });
        let mut terminal = Vec::new();
        show("reading", &waiting, &mut terminal);
        worker.join().unwrap();
        String::from_utf8(terminal).unwrap()
    }

    #[test]
    fn only_what_takes_long_is_shown_and_it_is_cleared() {
        assert_eq!(shown(Duration::ZERO), "");
        let long = shown(LONG + TICK);
        assert!(long.starts_with("\r\x1b[Kreading: 0.") && long.ends_with(CLEAR), "{long:?}");
    }
}
