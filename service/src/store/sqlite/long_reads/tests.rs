use std::{
    sync::mpsc::{Sender, channel},
    time::Instant,
};

use super::*;
use crate::{domain::tenant::TenantId, store::sqlite::connection};

const ENDLESS: &str = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";

fn long_reads(waiting: usize, waiting_of_one: usize, time: Duration) -> (tempfile::TempDir, LongReads) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("store.db");
    connection::writing(&file, Duration::ZERO).unwrap();
    let long_reads = LongReads::start(&file, usize::MAX, &LongReadLimits { time, waiting, waiting_of_one }).unwrap();
    (folder, long_reads)
}

fn asker(token: i32) -> Asker {
    (TenantId::FIRST, Some(token))
}

fn endless(reader: &Reader) -> Result<i64, Error> {
    Ok(reader.connection().query_row(ENDLESS, (), |row| row.get(0))?)
}

/// Keeps every thread busy until the senders are dropped.
fn hold(long_reads: &LongReads) -> Vec<Sender<()>> {
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let hold = |_| {
        let (sender, receiver) = channel::<()>();
        let (started, running) = channel();
        let work = move |_: Result<&Reader, Error>| {
            started.send(()).unwrap();
            receiver.recv().unwrap_err();
        };
        long_reads.shared.push(asker(0), Job { asker: Weak::new(), work: Box::new(work) }).unwrap();
        running.recv().unwrap();
        sender
    };
    (0..(processors - 1).clamp(1, THREADS)).map(hold).collect()
}

#[tokio::test]
async fn a_read_that_takes_too_long_is_broken_off_and_the_next_one_is_answered() {
    let (_folder, long_reads) = long_reads(9, 9, Duration::from_millis(50));
    for _ in 0..3 {
        assert!(matches!(long_reads.run(asker(1), endless).await, Err(Error::TooLong(_))));
        assert!(matches!(long_reads.run(asker(1), |_| Ok(7)).await, Ok(7)));
    }
}

#[tokio::test]
async fn a_read_that_panics_fails_alone() {
    let (_folder, long_reads) = long_reads(9, 9, Duration::from_secs(9));
    let panics = long_reads.run(asker(1), |_| -> Result<(), Error> { panic!("on purpose") });
    assert!(matches!(panics.await, Err(Error::Database(_))));
    assert!(matches!(long_reads.run(asker(1), |_| Ok(7)).await, Ok(7)));
}

#[tokio::test]
async fn who_stops_waiting_ends_the_read_and_leaves_the_queue() {
    let (_folder, long_reads) = long_reads(1, 1, Duration::from_mins(10));
    let begin = Instant::now();
    // More than there are threads, one after the other.
    for _ in 0..=THREADS {
        let read = tokio::spawn(long_reads.run(asker(1), endless));
        tokio::time::sleep(Duration::from_millis(20)).await;
        read.abort();
        assert!(read.await.unwrap_err().is_cancelled());
    }
    assert!(matches!(long_reads.run(asker(1), |_| Ok(7)).await, Ok(7)));

    let held = hold(&long_reads);
    let waiting = tokio::spawn(long_reads.run(asker(1), |_| Ok(8)));
    tokio::time::sleep(Duration::from_millis(20)).await;
    assert!(matches!(long_reads.run(asker(1), |_| Ok(9)).await, Err(Error::Busy)));
    waiting.abort();
    assert!(waiting.await.unwrap_err().is_cancelled());
    let read = tokio::spawn(long_reads.run(asker(1), |_| Ok(9)));
    tokio::time::sleep(Duration::from_millis(20)).await;
    drop(held);
    assert!(matches!(read.await.unwrap(), Ok(9)));
    assert!(begin.elapsed() < Duration::from_mins(1));
}

#[tokio::test]
async fn one_caller_does_not_keep_the_others_waiting() {
    let (_folder, long_reads) = long_reads(64, 32, Duration::from_mins(1));
    let held = hold(&long_reads);
    let (done, order) = channel();
    let ask = |token: i32| {
        let done = done.clone();
        tokio::spawn(long_reads.run(asker(token), move |_| {
            done.send(token).unwrap();
            Ok(())
        }))
    };
    let greedy: Vec<_> = (0..32).map(|_| ask(1)).collect();
    tokio::time::sleep(Duration::from_millis(20)).await;
    assert!(matches!(long_reads.run(asker(1), |_| Ok(())).await, Err(Error::Busy)), "one caller's share is full");
    let modest = ask(2);
    tokio::time::sleep(Duration::from_millis(20)).await;
    drop(held);
    for read in greedy.into_iter().chain([modest]) {
        read.await.unwrap().unwrap();
    }
    let position = order.try_iter().position(|token| token == 2).unwrap();
    assert!(position <= 2, "at place {position}");
}

#[tokio::test]
async fn what_waits_when_it_stops_is_refused() {
    let (_folder, long_reads) = long_reads(9, 9, Duration::from_secs(9));
    let held = hold(&long_reads);
    let waiting = tokio::spawn(long_reads.run(asker(1), |_| Ok(7)));
    tokio::time::sleep(Duration::from_millis(20)).await;
    long_reads.stop();
    assert!(matches!(waiting.await.unwrap(), Err(Error::Busy)));
    assert!(matches!(long_reads.run(asker(1), |_| Ok(7)).await, Err(Error::Busy)));
    drop(held);
}
