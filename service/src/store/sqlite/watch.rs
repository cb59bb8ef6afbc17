//! How much a read may take, and whether it has taken more.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
    time::{Duration, Instant},
};

use crate::store::Error;

/// Steps of SQLite's machine between two looks: about a tenth of a millisecond.
pub(super) const STEPS: i32 = 10_000;

/// Looks until a read is no work for a thread that serves: about a millisecond. They are counted, not timed, so that a
/// thread which has to wait for a processor does not take its read for a long one.
const SHORT_LOOKS: u32 = 10;

/// Entries of an index, or members of records, that take a short read all of its looks, at ten steps for each.
const SHORT_ENTRIES: u64 = 10_000;

/// Bytes of records that take a short read about a millisecond.
const SHORT_BYTES: usize = 256 << 10;

/// So long a short read may take even so, which is for disks that make it wait.
const SHORT_TIME: Duration = Duration::from_millis(50);

/// How much a read may take.
#[derive(Clone, Debug)]
pub(super) enum Patience {
    /// What is no work for a thread that serves is broken off.
    Short,
    /// It is broken off after so long, and when who asked for it is gone.
    Long(Duration, Weak<()>),
    /// As much as it takes.
    Endless,
}

/// Looks at one read at a time. Clones share it.
#[derive(Clone, Debug, Default)]
pub(super) struct Watch(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    looks: Option<u32>,
    until: Option<Instant>,
    asker: Option<Weak<()>>,
    /// Bytes that may still be answered.
    bytes: Option<usize>,
    /// Bytes of records that have been read.
    spent: usize,
    has_broken_off: bool,
}

impl Watch {
    /// A read begins, which may answer so many bytes unless it is endless.
    pub(super) fn begin(&self, patience: &Patience, bytes: usize) {
        let in_time = |time| Instant::now().checked_add(time);
        let bounded = State { bytes: Some(bytes), ..State::default() };
        *self.state() = match patience {
            Patience::Short => State { looks: Some(SHORT_LOOKS), until: in_time(SHORT_TIME), ..bounded },
            Patience::Long(time, asker) => State { until: in_time(*time), asker: Some(Weak::clone(asker)), ..bounded },
            Patience::Endless => State::default(),
        };
    }

    /// The read ends; what follows is not looked at. True when it has been broken off.
    pub(super) fn end(&self) -> bool {
        std::mem::take(&mut *self.state()).has_broken_off
    }

    /// Whether the read is to be broken off. Once it is, whatever else it tries is broken off as well.
    pub(super) fn look(&self, now: Instant) -> bool {
        let mut state = self.state();
        let is_spent = match &mut state.looks {
            Some(0) => true,
            Some(left) => {
                *left -= 1;
                false
            }
            None => false,
        };
        let is_late = state.until.is_some_and(|until| now > until);
        let is_unwanted = state.asker.as_ref().is_some_and(|asker| asker.strong_count() == 0);
        state.has_broken_off |= is_spent || is_late || is_unwanted;
        state.has_broken_off
    }

    /// Breaks a short read off that is going to look at so many entries or read so many members, if that is too much.
    pub(super) fn expect(&self, entries: u64) -> Result<(), Error> {
        let mut state = self.state();
        if state.looks.is_some() && entries > SHORT_ENTRIES {
            state.has_broken_off = true;
            return Err(Error::Busy);
        }
        Ok(())
    }

    /// Takes bytes from those that may be answered. Breaks a short read off that has read too many.
    pub(super) fn spend(&self, bytes: usize) -> Result<(), Error> {
        let mut state = self.state();
        let Some(left) = state.bytes else { return Ok(()) };
        state.bytes = Some(left.checked_sub(bytes).ok_or(Error::TooLarge)?);
        state.spent += bytes;
        if state.looks.is_some() && state.spent > SHORT_BYTES {
            state.has_broken_off = true;
            return Err(Error::Busy);
        }
        Ok(())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_read_has_so_many_looks_and_an_endless_one_any_number() {
        let watch = Watch::default();
        watch.begin(&Patience::Short, 9);
        assert_eq!((0..100).take_while(|_| !watch.look(Instant::now())).count(), SHORT_LOOKS as usize);
        assert!(watch.end());
        assert!(!watch.look(Instant::now()) && !watch.end(), "the end of a read is not looked at");
        watch.begin(&Patience::Endless, 9);
        assert!((0..100).all(|_| !watch.look(Instant::now())));
    }

    #[test]
    fn a_long_read_ends_with_its_time_and_with_who_asked_for_it() {
        let (watch, asker) = (Watch::default(), Arc::new(()));
        watch.begin(&Patience::Long(Duration::ZERO, Arc::downgrade(&asker)), 9);
        std::thread::sleep(Duration::from_millis(1));
        assert!(watch.look(Instant::now()));
        watch.begin(&Patience::Long(Duration::MAX, Arc::downgrade(&asker)), 9);
        assert!(!watch.look(Instant::now()));
        drop(asker);
        assert!(watch.look(Instant::now()) && watch.end());
    }

    #[test]
    fn what_is_known_to_take_long_is_broken_off_at_once_where_that_matters() {
        let watch = Watch::default();
        watch.begin(&Patience::Short, 9);
        assert!(watch.expect(SHORT_ENTRIES).is_ok() && watch.expect(SHORT_ENTRIES + 1).is_err());
        assert!(watch.end());
        watch.begin(&Patience::Endless, 9);
        assert!(watch.expect(u64::MAX).is_ok() && !watch.end());
    }

    #[test]
    fn an_answer_has_so_many_bytes_and_no_more() {
        let watch = Watch::default();
        watch.begin(&Patience::Short, 9);
        assert!(watch.spend(4).is_ok() && watch.spend(5).is_ok());
        assert!(matches!(watch.spend(1), Err(Error::TooLarge)));
        watch.begin(&Patience::Endless, 9);
        assert!(watch.spend(usize::MAX).is_ok());
    }

    #[test]
    fn a_short_read_reads_so_many_bytes_and_no_more() {
        let watch = Watch::default();
        watch.begin(&Patience::Short, usize::MAX);
        assert!(watch.spend(SHORT_BYTES).is_ok() && matches!(watch.spend(1), Err(Error::Busy)));
        assert!(watch.end(), "it is read again where that takes nobody's time");
        watch.begin(&Patience::Endless, usize::MAX);
        assert!(watch.spend(SHORT_BYTES).is_ok() && watch.spend(SHORT_BYTES).is_ok() && !watch.end());
    }
}
