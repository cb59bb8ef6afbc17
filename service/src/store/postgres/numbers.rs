//! Numbers of new records.

use std::{
    collections::{BTreeMap, HashMap},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use serde_json::json;
use tokio::sync::oneshot::{self, error::TryRecvError};

use super::session::{Query, Session, parameters};
use crate::{domain::tenant::TenantId, store::Error};

/// Numbers that no other record has had, by the kind of record.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbers(BTreeMap<&'static str, std::ops::Range<i64>>);

/// How many numbers are taken, by the kind of record.
pub(super) type Wanted = BTreeMap<&'static str, usize>;

/// Writers of a tenant that wait for numbers: one asks the database for all of them, as its row of a tenant is held by one
/// transaction at a time.
#[derive(Debug, Default)]
pub(super) struct Queues(Mutex<HashMap<TenantId, Arc<Queue>>>);

#[derive(Debug, Default)]
struct Queue {
    turn: tokio::sync::Mutex<()>,
    waiting: Mutex<Vec<Waiting>>,
}

#[derive(Debug)]
struct Waiting {
    wanted: Wanted,
    answer: oneshot::Sender<Result<Numbers, Error>>,
}

impl Queues {
    /// Numbers for a writer, which `take` takes from the database for all that wait.
    pub(super) async fn numbers<F>(
        &self,
        tenant: TenantId,
        wanted: &[(&'static str, usize)],
        take: impl Fn(Wanted) -> F,
    ) -> Result<Numbers, Error>
    where
        F: Future<Output = Result<Numbers, Error>>,
    {
        let wanted: Wanted = wanted.iter().filter(|(_, count)| *count > 0).copied().collect();
        let queue = Arc::clone(lock(&self.0).entry(tenant).or_default());
        let numbers = queue.numbers(wanted, take).await;
        let mut queues = lock(&self.0);
        // The others that have it wait in it.
        if Arc::strong_count(&queue) == 2 {
            queues.remove(&tenant);
        }
        numbers
    }
}

impl Queue {
    async fn numbers<F>(&self, wanted: Wanted, take: impl Fn(Wanted) -> F) -> Result<Numbers, Error>
    where
        F: Future<Output = Result<Numbers, Error>>,
    {
        let (answer, mut answered) = oneshot::channel();
        lock(&self.waiting).push(Waiting { wanted: wanted.clone(), answer });
        let _turn = self.turn.lock().await;
        match answered.try_recv() {
            Ok(numbers) => return numbers,
            // Whoever asked for this one has failed or is gone.
            Err(TryRecvError::Closed) => return take(wanted).await,
            Err(TryRecvError::Empty) => {}
        }
        let waiting = std::mem::take(&mut *lock(&self.waiting));
        let mut sum = Wanted::new();
        for (kind, count) in waiting.iter().flat_map(|waiting| &waiting.wanted) {
            *sum.entry(kind).or_default() += count;
        }
        let mut taken = take(sum).await;
        for Waiting { wanted, answer } in waiting {
            // Whoever has gone meanwhile leaves a gap.
            let _ = match &mut taken {
                Ok(numbers) => answer.send(Ok(numbers.split(&wanted))),
                Err(Error::Busy) => answer.send(Err(Error::Busy)),
                Err(_) => continue,
            };
        }
        match answered.try_recv() {
            Ok(numbers) => numbers,
            Err(_) => taken,
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Numbers {
    /// Takes so many numbers of these kinds of records, in a transaction that ends with it: other writers do not wait for
    /// whatever they are taken for. Numbers that are not used are lost.
    pub(super) async fn take(session: &Session, tenant: i32, wanted: &Wanted) -> Result<Self, Error> {
        let rows = wanted.iter().map(|(name, count)| json!({"name": name, "next": count})).collect();
        let sql = "INSERT INTO sequences AS s (tenant_id, name, next)
                   SELECT $1::integer, name, next + 1 FROM json_populate_recordset(NULL::sequences, $2) ORDER BY name
                   ON CONFLICT (tenant_id, name) DO UPDATE SET next = s.next + excluded.next - 1
                   RETURNING name, next";
        let query = Query::new(sql, parameters![tenant, serde_json::Value::Array(rows).to_string()]);
        let answers = session.finish(&[query]).await?;
        let mut numbers = BTreeMap::new();
        for row in answers.iter().flatten() {
            let (name, next): (&str, i64) = (row.try_get(0)?, row.try_get(1)?);
            if let Some((name, count)) = wanted.get_key_value(name) {
                numbers.insert(*name, next - i64::try_from(*count).unwrap_or(0)..next);
            }
        }
        Ok(Self(numbers))
    }

    /// The next number of that kind.
    pub(super) fn next(&mut self, kind: &'static str) -> Result<i64, Error> {
        let next = self.0.get_mut(kind).and_then(Iterator::next);
        next.ok_or_else(|| Error::Damaged(format!("there is no number for {kind}")))
    }

    /// The same, for records whose numbers are small.
    pub(super) fn id(&mut self, kind: &'static str) -> Result<i32, Error> {
        i32::try_from(self.next(kind)?).map_err(|_| Error::Damaged(format!("there are no more numbers for {kind}")))
    }

    /// Takes some out, so many of each kind.
    fn split(&mut self, wanted: &Wanted) -> Self {
        let ranges = wanted.iter().filter_map(|(kind, count)| {
            let left = self.0.get_mut(kind)?;
            let end = left.start.saturating_add(i64::try_from(*count).ok()?).min(left.end);
            let taken = left.start..end;
            left.start = end;
            Some((*kind, taken))
        });
        Self(ranges.collect())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering::Relaxed};

    use futures_util::future::join_all;

    use super::*;

    /// Answers as the database would, and counts how often it is asked.
    async fn take(next: &AtomicI64, asked: &AtomicUsize, wanted: Wanted) -> Result<Numbers, Error> {
        tokio::task::yield_now().await;
        asked.fetch_add(1, Relaxed);
        let ranges = wanted.into_iter().map(|(kind, count)| {
            let count = i64::try_from(count).unwrap();
            let first = next.fetch_add(count, Relaxed);
            (kind, first..first + count)
        });
        Ok(Numbers(ranges.collect()))
    }

    #[tokio::test]
    async fn each_has_numbers_of_its_own_and_few_ask_for_them() {
        let (queues, next, asked) = (Queues::default(), AtomicI64::new(1), AtomicUsize::new(0));
        let ask =
            async |count| queues.numbers(TenantId(1), &[("a", count)], |wanted| take(&next, &asked, wanted)).await;
        let answers = join_all((1..=50).map(ask)).await;
        let counts = answers.iter().map(|numbers| numbers.as_ref().unwrap().0["a"].clone().count());
        assert!(counts.eq(1..=50), "each as many as it wants");
        let mut all: Vec<i64> =
            answers.into_iter().flatten().flat_map(|mut numbers| numbers.0.remove("a").unwrap()).collect();
        all.sort_unstable();
        assert_eq!(all, (1..=50 * 51 / 2).collect::<Vec<_>>());
        assert_eq!(asked.into_inner(), 2, "the first, and the second for all others");
        assert!(lock(&queues.0).is_empty());
    }

    #[tokio::test]
    async fn who_waits_asks_alone_when_the_one_that_asked_for_all_fails() {
        let (queues, next, asked) = (Queues::default(), AtomicI64::new(1), AtomicUsize::new(0));
        let fails = AtomicUsize::new(2);
        let ask = async |_| {
            let take = async |wanted| {
                tokio::task::yield_now().await;
                if fails.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1)).is_ok() {
                    return Err(Error::Unwritable("full".into()));
                }
                take(&next, &asked, wanted).await
            };
            queues.numbers(TenantId(1), &[("a", 1)], take).await
        };
        let answers = join_all((0..10).map(ask)).await;
        assert_eq!(answers.iter().filter(|answer| answer.is_err()).count(), 2);
        let numbers = answers.into_iter().flatten().flat_map(|numbers| numbers.0.into_values().flatten());
        assert_eq!(numbers.collect::<Vec<_>>(), (1..=8).collect::<Vec<_>>());
    }
}
