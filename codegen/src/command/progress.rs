//! Progress of long work on a terminal.

use std::io::{IsTerminal, Write, stderr};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Shorter work is not shown.
const LONG: Duration = Duration::from_millis(500);
/// Interval of updates.
const TICK: Duration = Duration::from_millis(100);
/// Returns to the start of the line and clears it.
const CLEAR: &str = "\r\x1b[K";

/// Runs `work`; meanwhile a terminal shows `what` and the elapsed time.
pub(super) fn during<T>(what: &str, work: impl FnOnce() -> T) -> T {
    if !stderr().is_terminal() {
        return work();
    }
    thread::scope(|scope| {
        let (done, waiting) = channel();
        scope.spawn(move || show(what, &waiting, &mut stderr()));
        let result = work();
        // Clear the line before anything else is written.
        drop::<std::sync::mpsc::Sender<()>>(done);
        result
    })
}

/// Updates the line until the channel is closed.
fn show(what: &str, done: &Receiver<()>, terminal: &mut impl Write) {
    let start = Instant::now();
    let mut pause = LONG;
    while done.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
        // A closed terminal does not stop the work.
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

    /// The output for work that takes `time`.
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
