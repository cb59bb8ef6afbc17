//! Places for work that is done at once: a token has at most half of them, and a bounded number of callers may wait.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::{Error, Scope};
use crate::domain::tenant::TenantId;

/// Who asks: a tenant, and one of its tokens.
pub(super) type Asker = (TenantId, Option<i32>);

/// Who reads or writes in that scope.
pub(super) fn asker(scope: &Scope) -> Asker {
    (scope.tenant, scope.actor.token.as_ref().map(|(token, _)| *token))
}

/// The service itself.
#[cfg(test)]
pub(super) const NOBODY: Asker = (TenantId::FIRST, None);

/// Places, and who waits for one. Clones share them.
#[derive(Clone, Debug)]
pub(super) struct Turns(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    places: Arc<Semaphore>,
    /// Places of one token.
    share: usize,
    most: usize,
    most_of_one: usize,
    askers: Mutex<HashMap<Asker, Of>>,
}

/// What one token has.
#[derive(Debug)]
struct Of {
    places: Arc<Semaphore>,
    /// How many work or wait.
    count: usize,
}

/// A place, until this is dropped.
#[derive(Debug)]
pub(super) struct Turn {
    _places: [OwnedSemaphorePermit; 2],
    _counted: Counted,
}

#[derive(Debug)]
struct Counted(Turns, Asker);

impl Turns {
    /// `waiting` callers may wait for one of the places, and `waiting_of_one` of one token.
    pub(super) fn new(places: usize, waiting: usize, waiting_of_one: usize) -> Self {
        let share = places.div_ceil(2);
        Self(Arc::new(Inner {
            places: Arc::new(Semaphore::new(places)),
            share,
            most: places.saturating_add(waiting),
            most_of_one: share.saturating_add(waiting_of_one),
            askers: Mutex::default(),
        }))
    }

    /// Waits for a place. Fails when too many are waiting.
    pub(super) async fn take(&self, asker: Asker) -> Result<Turn, Error> {
        let (own, counted) = self.count(asker)?;
        // They are never closed.
        let own = own.acquire_owned().await.map_err(|_| Error::Busy)?;
        let place = Arc::clone(&self.0.places).acquire_owned().await.map_err(|_| Error::Busy)?;
        Ok(Turn { _places: [own, place], _counted: counted })
    }

    /// The number of those who work or wait.
    pub(super) fn len(&self) -> usize {
        self.askers().values().map(|of| of.count).sum()
    }

    fn count(&self, asker: Asker) -> Result<(Arc<Semaphore>, Counted), Error> {
        let mut askers = self.askers();
        let all: usize = askers.values().map(|of| of.count).sum();
        let of = askers.entry(asker).or_insert_with(|| Of { places: Arc::new(Semaphore::new(self.0.share)), count: 0 });
        if all >= self.0.most || of.count >= self.0.most_of_one {
            if of.count == 0 {
                askers.remove(&asker);
            }
            return Err(Error::Busy);
        }
        of.count += 1;
        Ok((Arc::clone(&of.places), Counted(self.clone(), asker)))
    }

    fn askers(&self) -> MutexGuard<'_, HashMap<Asker, Of>> {
        self.0.askers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        let mut askers = self.0.askers();
        if let Some(of) = askers.get_mut(&self.1) {
            of.count -= 1;
            if of.count == 0 {
                askers.remove(&self.1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;
    use crate::domain::tenant::TenantId;

    fn take(turns: &Turns, token: i32) -> Option<Result<Turn, Error>> {
        turns.take((TenantId(1), Some(token))).now_or_never()
    }

    #[test]
    fn a_token_has_half_of_the_places() {
        let turns = Turns::new(4, 10, 10);
        let first: Vec<_> = (0..2).map(|_| take(&turns, 1).unwrap().unwrap()).collect();
        assert!(take(&turns, 1).is_none(), "the third waits");
        let other = take(&turns, 2).unwrap().unwrap();
        drop(first);
        assert!(take(&turns, 1).unwrap().is_ok());
        drop(other);
        assert!(turns.askers().is_empty());
    }

    #[test]
    fn who_finds_too_many_waiting_is_refused() {
        let turns = Turns::new(1, 2, 1);
        let place = take(&turns, 1).unwrap().unwrap();
        let mut waiting = Box::pin(turns.take((TenantId(1), Some(1))));
        assert!((&mut waiting).now_or_never().is_none());
        assert!(matches!(take(&turns, 1), Some(Err(Error::Busy))), "one of a token waits");
        let mut other = Box::pin(turns.take((TenantId(1), Some(2))));
        assert!((&mut other).now_or_never().is_none());
        assert!(matches!(take(&turns, 3), Some(Err(Error::Busy))), "two wait");
        drop((waiting, place));
        assert!(other.now_or_never().is_some());
    }
}
