//! Liveness and readiness; the store is checked at most once a second.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use tokio::sync::Mutex;

use crate::{blob::Blobs, store::Store};

/// How long a result is reused.
const AGE: Duration = Duration::from_secs(1);

/// Time limit for the store and the attachments.
const TIME: Duration = Duration::from_secs(2);

/// The last result, shared by clones.
#[derive(Clone, Debug, Default)]
pub struct Health {
    last: Arc<Mutex<Option<(Instant, State)>>>,
}

/// `Err` has the reason.
type State = Result<(), Arc<str>>;

impl Health {
    /// Whether the store is readable and writable, and contents are reachable; at most a second old. Only one
    /// request at a time checks the store.
    pub async fn ready(&self, store: &Store, blobs: &Blobs) -> State {
        let mut last = Arc::clone(&self.last).lock_owned().await;
        if let Some((_, state)) = last.as_ref().filter(|(at, _)| at.elapsed() < AGE) {
            return state.clone();
        }
        let (store, blobs) = (store.clone(), blobs.clone());
        // A separate task, so that the check completes even if the client disconnects.
        let asked = tokio::spawn(async move {
            let state = ask(&store, &blobs).await;
            let before = last.replace((Instant::now(), state.clone())).map(|(_, state)| state);
            match (&before, &state) {
                (None | Some(Ok(())), Err(reason)) => tracing::error!(%reason, "the service is not ready"),
                (Some(Err(_)), Ok(())) => tracing::info!("the service is ready again"),
                _ => {}
            }
            state
        });
        asked.await.unwrap_or_else(|_| Err("asking the store panicked".into()))
    }
}

async fn ask(store: &Store, blobs: &Blobs) -> State {
    let store = async { store.ready().await.map_err(|error| error.to_string()) };
    let contents = async { blobs.ready().await.map_err(|error| error.to_string()) };
    let (store, contents) = tokio::join!(within("the store", store), within("the bucket of attachments", contents));
    store.and(contents).map_err(Arc::from)
}

/// Runs a check of `what` within the time limit.
async fn within(what: &str, asked: impl Future<Output = Result<(), String>>) -> Result<(), String> {
    let silent = |_| format!("{what} did not answer within {} s", TIME.as_secs());
    tokio::time::timeout(TIME, asked).await.map_err(silent)?
}
