//! How many reads and writes may be under way: each has a connection, which no token and no tenant may have too many of, or
//! waits for its turn.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore, oneshot},
    time::timeout,
};

use crate::{
    shares::of_tenant,
    store::{
        Error, Options, Scope,
        queue::{Asker, Queue, asker},
    },
};

/// Clones count together.
#[derive(Clone, Debug)]
pub(super) struct Turns {
    primary: Arc<Lane>,
    /// Reads that any of primary and replicas may answer.
    spread: Arc<Lane>,
    /// What the service does by itself.
    own: Arc<Semaphore>,
    patience: Duration,
}

/// One that is under way, until this is dropped.
#[derive(Debug)]
pub(super) enum Turn {
    Caller { lane: Arc<Lane>, asker: Asker },
    Own { _permit: OwnedSemaphorePermit },
}

/// Connections, and who waits for one.
#[derive(Debug)]
pub(super) struct Lane(Mutex<State>);

#[derive(Debug)]
struct Held {
    connections: usize,
    by: HashMap<Asker, usize>,
}

#[derive(Debug)]
struct State {
    held: Held,
    reads: Queue<Asker, Waiting>,
    writes: Queue<Asker, Waiting>,
    /// Whether a write goes first, as it does every other time.
    is_turn_of_writes: bool,
}

#[derive(Debug)]
struct Waiting {
    asker: Asker,
    sender: oneshot::Sender<Turn>,
}

impl Turns {
    pub(super) fn new(options: &Options) -> Self {
        let all = options.connections.saturating_mul(1 + options.replicas.len());
        let own = all.saturating_add(options.queue).min(Semaphore::MAX_PERMITS);
        let lane = |connections| {
            let reads = Queue::new(options.long_reads.waiting, options.long_reads.waiting.div_ceil(2));
            let writes = Queue::new(options.queue, options.queue.div_ceil(4));
            let held = Held { connections, by: HashMap::new() };
            Arc::new(Lane(Mutex::new(State { held, reads, writes, is_turn_of_writes: false })))
        };
        Self {
            primary: lane(options.connections),
            spread: lane(all),
            own: Arc::new(Semaphore::new(own)),
            patience: options.patience,
        }
    }

    /// For a read of the primary. Fails when too many are waiting, or it waits too long.
    pub(super) async fn read(&self, scope: &Scope) -> Result<Turn, Error> {
        self.take(&self.primary, scope, |state| &mut state.reads).await
    }

    /// The same, for a read that a replica may answer.
    pub(super) async fn spread_read(&self, scope: &Scope) -> Result<Turn, Error> {
        self.take(&self.spread, scope, |state| &mut state.reads).await
    }

    /// For a write. Fails when too many are waiting, or it waits too long.
    pub(super) async fn write(&self, scope: &Scope) -> Result<Turn, Error> {
        self.take(&self.primary, scope, |state| &mut state.writes).await
    }

    /// For what the service does by itself. Fails when too much of it is under way.
    pub(super) fn own(&self) -> Result<Turn, Error> {
        let permit = Arc::clone(&self.own).try_acquire_owned().map_err(|_| Error::Busy)?;
        Ok(Turn::Own { _permit: permit })
    }

    async fn take(
        &self,
        lane: &Arc<Lane>,
        scope: &Scope,
        queue: impl Fn(&mut State) -> &mut Queue<Asker, Waiting>,
    ) -> Result<Turn, Error> {
        if scope.actor.token.is_none() {
            return self.own();
        }
        let asker = asker(scope);
        let turn = {
            let mut state = lane.state();
            if state.held.may(asker) {
                state.held.give(asker);
                return Ok(Turn::Caller { lane: Arc::clone(lane), asker });
            }
            let (sender, turn) = oneshot::channel();
            let queue = queue(&mut state);
            // Those who have hung up take no places.
            queue.retain(|waiting| !waiting.sender.is_closed());
            if !queue.push(asker, Waiting { asker, sender }) {
                return Err(Error::Busy);
            }
            turn
        };
        timeout(self.patience, turn).await.map_err(|_| Error::Busy)?.map_err(|_| Error::Busy)
    }
}

impl Lane {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// The next who waits and may have a connection: a read and a write in turn.
    fn next(&mut self) -> Option<Waiting> {
        let Self { held, reads, writes, is_turn_of_writes } = self;
        *is_turn_of_writes = !*is_turn_of_writes;
        let [first, second] = if *is_turn_of_writes { [writes, reads] } else { [reads, writes] };
        first.pop_of(|asker| held.may(*asker)).or_else(|| second.pop_of(|asker| held.may(*asker)))
    }
}

impl Held {
    /// Whether a connection is free for that asker: it has less than half of them, and its tenant less than three quarters.
    fn may(&self, asker: Asker) -> bool {
        let of = |is_counted: &dyn Fn(&Asker) -> bool| -> usize {
            self.by.iter().filter(|(other, _)| is_counted(other)).map(|(_, held)| held).sum()
        };
        of(&|_| true) < self.connections
            && of(&|other| other.0 == asker.0) < of_tenant(self.connections)
            && of(&|other| *other == asker) < self.connections.div_ceil(2)
    }

    fn give(&mut self, asker: Asker) {
        *self.by.entry(asker).or_default() += 1;
    }

    fn take_back(&mut self, asker: Asker) {
        if let Some(held) = self.by.get_mut(&asker) {
            *held -= 1;
            if *held == 0 {
                self.by.remove(&asker);
            }
        }
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let Self::Caller { lane, asker } = self else { return };
        let mut unwanted = Vec::new();
        let mut state = lane.state();
        state.held.take_back(*asker);
        while let Some(Waiting { asker, sender }) = state.next() {
            if !sender.is_closed() {
                state.held.give(asker);
                // Given back once the lane is not locked any more.
                unwanted.extend(sender.send(Self::Caller { lane: Arc::clone(lane), asker }).err());
            }
        }
        drop(state);
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;
    use crate::domain::{
        caller::{Actor, Visibility},
        tenant::TenantId,
    };

    fn scope(tenant: i32, token: i32) -> Scope {
        let actor = Actor { token: Some((token, "test".into())), ..Actor::default() };
        Scope { tenant: TenantId(tenant), visible: Visibility::All, actor, reads_replicas: false }
    }

    fn turns_of(connections: usize) -> Turns {
        Turns::new(&Options { connections, ..Options::default() })
    }

    /// The turns that there are at once, of so many reads.
    fn at_once(turns: &Turns, scope: &Scope, count: usize) -> Vec<Turn> {
        (0..count).filter_map(|_| turns.read(scope).now_or_never()?.ok()).collect()
    }

    #[tokio::test]
    async fn a_token_has_half_of_the_connections_and_a_tenant_three_quarters() {
        let turns = turns_of(8);
        let first = at_once(&turns, &scope(1, 1), 9);
        let second = at_once(&turns, &scope(1, 2), 9);
        let other = at_once(&turns, &scope(2, 1), 9);
        assert_eq!((first.len(), second.len(), other.len()), (4, 2, 2));
        drop(second);
        assert_eq!(at_once(&turns, &scope(2, 1), 9).len(), 2, "half of them");
        drop((first, other));
        let alone = turns_of(1);
        assert_eq!(at_once(&alone, &scope(1, 1), 2).len(), 1);
    }

    #[tokio::test]
    async fn who_waits_has_a_turn_when_one_is_given_back_and_who_hung_up_has_none() {
        let turns = turns_of(2);
        let (ours, theirs) = (scope(1, 1), scope(2, 1));
        let mut held = at_once(&turns, &ours, 1);
        held.extend(at_once(&turns, &theirs, 1));
        let mut gone = Box::pin(turns.read(&ours));
        let mut read = Box::pin(turns.read(&ours));
        let mut write = Box::pin(turns.write(&ours));
        let mut other = Box::pin(turns.write(&theirs));
        for waiting in [&mut gone, &mut read] {
            assert!(waiting.now_or_never().is_none());
        }
        for waiting in [&mut write, &mut other] {
            assert!(waiting.now_or_never().is_none());
        }
        drop(gone);
        drop(held.remove(0));
        assert!((&mut other).now_or_never().is_none(), "theirs is held");
        let given = [(&mut read).now_or_never().is_some(), (&mut write).now_or_never().is_some()];
        assert_eq!(given.iter().filter(|is_given| **is_given).count(), 1, "{given:?}");
        drop(held);
        assert!(other.now_or_never().is_some());
    }
}
