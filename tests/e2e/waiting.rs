//! Waiting for a condition: a test that waits in vain fails, however slow the machine is.

use std::{future::IntoFuture, time::Duration};

/// Far longer than any successful wait.
const IN_VAIN: Duration = Duration::from_mins(2);

/// Waits until the condition holds.
pub(crate) async fn eventually(what: &str, mut is_so: impl AsyncFnMut() -> bool) {
    let wait = async {
        while !is_so().await {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    assert!(tokio::time::timeout(IN_VAIN, wait).await.is_ok(), "in vain: {what}");
}

/// The result of work that must not wait for what the test holds.
pub(crate) async fn answered<T>(work: impl IntoFuture<Output = T>) -> T {
    tokio::time::timeout(IN_VAIN, work.into_future()).await.expect("an answer, which never comes")
}
