//! How work that takes long shares its processor with others.

use std::time::{Duration, Instant};

use super::{run_when_idle, yield_to_others};

/// Between two looks, work has about a tenth of a millisecond of its own. It lets others go first as long as that costs it no
/// more than nine times as much, so that it ends on a machine that is busy all the time, too.
const GIVEN_WAY: Duration = Duration::from_millis(1);

/// What runs when nothing else does has had to wait when it was without a processor for so long between two looks.
const STARVED: Duration = Duration::from_millis(100);

/// So long threads that have a share of the processors take the place of those that wait for idle ones, once one of these has
/// waited in vain: on a machine that is busy all the time, waiting in vain takes seconds.
pub const BUSY: Duration = Duration::from_secs(10);

/// When a thread has a processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// Nothing else wants it.
    Idle,
    /// Its turn has come, which is seldom on a busy machine.
    Sometimes,
}

impl When {
    /// Lets this thread have a processor only then, from now on.
    pub fn apply(self) {
        match self {
            Self::Idle => run_when_idle(),
            Self::Sometimes => yield_to_others(),
        }
    }
}

/// Tells work that is looked at about ten times a millisecond how to treat others.
#[derive(Debug)]
pub struct Sharing(State);

#[derive(Debug)]
enum State {
    /// Of a thread that runs when nothing else does: its last look, and the processor time that it had had by then.
    Idle { looked_at: Instant, worked: Duration },
    /// Of one with a share of the processors: until when it lets others go first, later with each look.
    Sometimes { gives_way_until: Instant },
}

impl Sharing {
    /// Work begins on this thread, and stays there.
    pub fn begin(when: When) -> Self {
        let now = Instant::now();
        Self(match when {
            When::Idle => State::Idle { looked_at: now, worked: processor_time() },
            When::Sometimes => State::Sometimes { gives_way_until: now + GIVEN_WAY },
        })
    }

    /// Whether it should offer its processor to others. The system takes it from a thread of low priority only when that
    /// thread has had it for a while, which is a millisecond and more. One that runs when nothing else does always offers it:
    /// were it taken from it late, others would wait.
    pub fn gives_way(&mut self, now: Instant) -> bool {
        match &mut self.0 {
            State::Idle { .. } => true,
            State::Sometimes { gives_way_until } => {
                let gives_way = now < *gives_way_until;
                *gives_way_until += GIVEN_WAY;
                gives_way
            }
        }
    }

    /// Whether it had to wait for a processor since the last look so long that it should be done by a thread that gets one
    /// sometimes.
    pub fn has_starved(&mut self, now: Instant) -> bool {
        let State::Idle { looked_at, worked } = &mut self.0 else { return false };
        let (before, worked_before) = (*looked_at, *worked);
        (*looked_at, *worked) = (now, processor_time());
        let has_worked = worked.saturating_sub(worked_before);
        now.saturating_duration_since(before).saturating_sub(has_worked) > STARVED
    }
}

/// The processor time of this thread.
#[cfg(target_os = "linux")]
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.try_into().unwrap_or_default()
}

/// Elsewhere threads have no priority of their own, and none has to wait for the others.
#[cfg(not(target_os = "linux"))]
fn processor_time() -> Duration {
    std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn others_go_first_until_they_have_had_most_of_the_time() {
        let (mut sharing, begin) = (Sharing::begin(When::Sometimes), Instant::now());
        assert!((0..100).all(|_| sharing.gives_way(begin)), "it has the processor to itself");
        let later = begin + 10_000 * GIVEN_WAY;
        assert!((0..100).all(|_| !sharing.gives_way(later)), "others have had more than nine tenths");
        assert!((0..10_000).any(|_| sharing.gives_way(later)), "it has caught up");
        assert!(!sharing.has_starved(later));
        let mut sharing = Sharing::begin(When::Idle);
        assert!((0..100).all(|_| sharing.gives_way(later)), "it runs when nothing else does");
    }

    #[test]
    fn what_waits_for_a_processor_has_starved_and_what_works_has_not() {
        let (mut sharing, begin) = (Sharing::begin(When::Idle), Instant::now());
        let mut often = (1..100).map(|look| begin + look * STARVED / 2);
        assert!(!often.clone().any(|now| sharing.has_starved(now)));
        assert!(sharing.has_starved(often.next_back().unwrap() + 2 * STARVED));
        let (mut sharing, begin, before) = (Sharing::begin(When::Idle), Instant::now(), processor_time());
        let worked = || processor_time().saturating_sub(before);
        while worked() < 2 * STARVED {}
        assert!(!sharing.has_starved(begin + worked()));
    }
}
