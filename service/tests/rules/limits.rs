//! What callers share: addresses, attempts, buffered bytes, time.

use std::time::Duration;

use axum::{body::Body, http::header::RETRY_AFTER};
use futures_util::{FutureExt as _, StreamExt as _, stream};
use governor::clock::{Clock, FakeRelativeClock};
use service::{
    api::FailedAuthentications,
    config::Bounds,
    domain::{tenant::TenantId, token::SecretHash},
    http::{Addresses, paced},
    shares::{FairSemaphore, Share, Shares},
};
use tokio::time::sleep;

#[test]
fn all_callers_have_a_bound_and_each_a_quarter_of_it() {
    let shares = Shares::new(400);
    let take = |tenant: i32, token: i32, amount: u64| {
        let mut share = shares.share();
        let is_taken = share.take(Some((TenantId(tenant), token)), amount);
        is_taken.then_some(share)
    };
    let first = take(1, 1, 60).expect("room");
    assert!(take(1, 1, 41).is_none());
    let rest = take(1, 1, 40).expect("room");
    let others: Vec<Share> = (2..4).filter_map(|token| take(1, token, 100)).collect();
    assert_eq!(others.len(), 2);
    assert!(take(1, 4, 1).is_none(), "the tenant has three quarters");
    let another = take(2, 1, 100).expect("room for another tenant");
    assert!(take(3, 1, 1).is_none(), "all is held");
    drop(first);
    assert!(take(3, 1, 60).is_some());
    drop((rest, others, another));
    assert_eq!(shares.held(), 0);
}

#[tokio::test]
async fn a_caller_has_half_of_the_places_and_its_share_of_the_queue() {
    let semaphore = FairSemaphore::new(2, 12);
    let caller = |token| Some((TenantId(1), token));
    let first = semaphore.acquire(caller(1)).await.expect("a permit");
    let mut second = Box::pin(semaphore.acquire(caller(1)));
    assert!((&mut second).now_or_never().is_none(), "it waits, though there is a place");
    let mut third = Box::pin(semaphore.acquire(caller(1)));
    assert!((&mut third).now_or_never().is_none());
    assert!(semaphore.acquire(caller(1)).await.is_none(), "three of twelve are its share of the queue");
    let other = semaphore.with_queue(12);
    let another = other.acquire(caller(2)).await.expect("a place of its own");
    assert!(other.acquire(caller(1)).now_or_never().is_none(), "another queue leads to the same places");
    drop((first, third));
    drop(second.await.expect("the next permit"));
    assert_eq!((semaphore.callers(), other.callers()), (0, 1));
    drop(another);
    assert!(semaphore.acquire(caller(3)).await.is_some());
    assert_eq!(format!("{semaphore:?}").matches("(Weak)").count(), 1, "callers that are gone are forgotten");
}

#[test]
fn an_address_has_a_maximum_of_connections_and_a_proxy_any_number() {
    let addresses = Addresses::new(2, &["10.0.0.7/32".parse().unwrap()]);
    let open = |address: &str| addresses.count(address.parse().unwrap());
    let (one, _two) = (open("192.0.2.1").unwrap(), open("192.0.2.1").unwrap());
    assert!(open("192.0.2.1").is_none());
    assert!(open("192.0.2.2").is_some(), "another address");
    drop(one);
    let _three = open("192.0.2.1").expect("one has ended");
    let _six = [open("2001:db8::1").unwrap(), open("2001:db8::2").unwrap()];
    assert!(open("2001:db8::3").is_none(), "a network of one customer is one address");
    for exempt in ["10.0.0.7", "127.0.0.1", "::1"] {
        let held: Option<Vec<_>> = (0..5).map(|_| open(exempt)).collect();
        assert!(held.is_some(), "{exempt}");
    }
}

const GOOD: SecretHash = SecretHash([1; 32]);

/// The seconds to wait before an attempt, if any.
fn wait<C: Clock>(failed: &FailedAuthentications<C>, address: &str, token: SecretHash) -> Option<u64> {
    let failure = failed.admit(address.parse().unwrap(), token).err()?;
    Some(failure.headers()[RETRY_AFTER].to_str().unwrap().parse().unwrap())
}

#[test]
fn guessing_is_limited_by_address_and_does_not_lock_out_callers_at_work() {
    let clock = FakeRelativeClock::default();
    let failed = FailedAuthentications::with_clock(7, clock.clone());
    let guess = |number: u8| SecretHash([number; 32]);
    // A lookup that ends without a token.
    let wait = |address: &str, token: SecretHash| {
        let seconds = wait(&failed, address, token);
        if seconds.is_none() && token != GOOD {
            failed.forget(token);
        }
        seconds
    };
    assert_eq!(wait("192.0.2.1", GOOD), None);
    failed.remember(GOOD);
    for number in 10..16 {
        assert_eq!(wait("192.0.2.1", guess(number)), None);
    }
    // One attempt is restored every 8.57 s.
    assert_eq!(wait("192.0.2.1", guess(16)), Some(9));
    assert_eq!(wait("192.0.2.1", GOOD), None, "a token that was good a moment ago");
    assert_eq!(wait("192.0.2.2", guess(16)), None, "another address");
    assert_eq!(wait("2001:db8::1", guess(16)), None);
    assert_eq!(failed.forget_idle(), 3, "no address is forgotten that would be refused");

    clock.advance(Duration::from_secs(8));
    assert_eq!(wait("192.0.2.1", guess(17)), Some(1));
    clock.advance(Duration::from_secs(1));
    assert_eq!(wait("192.0.2.1", guess(17)), None, "an address that waits as it is told gets through");
    // Revoked; this attempt is the last free one.
    failed.forget(GOOD);
    assert_eq!(wait("192.0.2.1", GOOD), Some(9));

    clock.advance(Duration::from_hours(1));
    assert_eq!((0..8).filter(|_| wait("192.0.2.1", guess(18)).is_none()).count(), 7);
    clock.advance(Duration::from_hours(1));
    assert_eq!(failed.forget_idle(), 0);
}

#[test]
fn the_first_requests_with_a_token_are_one_attempt() {
    let failed = FailedAuthentications::with_clock(2, FakeRelativeClock::default());
    for _ in 0..5 {
        assert_eq!(wait(&failed, "192.0.2.1", GOOD), None, "its lookup has not ended");
    }
    failed.forget(GOOD);
    assert_eq!(wait(&failed, "192.0.2.1", GOOD), None, "the second attempt");
    failed.forget(GOOD);
    assert_eq!(wait(&failed, "192.0.2.1", GOOD), Some(30), "a token that is not valid is not exempt");
}

/// The status for a body of chunks, each after some seconds and with some bytes; the service works for `each` seconds after
/// a chunk, and for `work` at the end.
async fn status(pieces: impl IntoIterator<Item = (u64, usize), IntoIter: Send + 'static>, each: u64, work: u64) -> u16 {
    let pause = |seconds| sleep(Duration::from_secs(seconds));
    let body = Body::from_stream(stream::iter(pieces).then(async |(seconds, bytes)| {
        sleep(Duration::from_secs(seconds)).await;
        Ok::<_, std::convert::Infallible>(vec![0; bytes])
    }));
    let bounds = Bounds { body: Duration::from_secs(10), body_bytes_per_second: 1000, ..Bounds::default() };
    let (body, mut pace) = paced(body, &bounds, None);
    let mut body = body.into_data_stream();
    let answer = async move {
        while body.next().await.is_some() {
            pause(each).await;
        }
        drop(body);
        pause(work).await;
        200
    };
    tokio::select! {
        status = answer => status,
        status = pace.refusal(Duration::from_secs(30)) => status.as_u16(),
    }
}

#[tokio::test(start_paused = true)]
async fn time_for_the_answer_counts_from_the_end_of_the_body() {
    assert_eq!(status((0..600).map(|_| (1, 1000)), 0, 29).await, 200);
    assert_eq!(status((0..600).map(|_| (1, 1000)), 0, 31).await, 503);
    assert_eq!(status([], 0, 31).await, 503);
    assert_eq!(status((0..5).map(|_| (0, 1)), 20, 0).await, 200, "the client has not been waited for");
}

#[tokio::test(start_paused = true)]
async fn a_stall_or_a_rate_that_is_too_low_ends_the_request() {
    assert_eq!(status([(9, 1)], 0, 0).await, 200);
    assert_eq!(status([(0, 1_000_000), (11, 1)], 0, 0).await, 408, "bytes are not saved up for a stall");
    // Each second uses half a second of the 10 s credit.
    assert_eq!(status((0..18).map(|_| (1, 500)), 0, 0).await, 200);
    assert_eq!(status((0..25).map(|_| (1, 500)), 0, 0).await, 408);
}
