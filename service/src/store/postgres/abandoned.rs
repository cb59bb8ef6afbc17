//! Abandoned transactions: ended on the server before their connections are reused.

use std::{pin::pin, sync::Arc, time::Duration};

use deadpool_postgres::Object;
use tokio::time::{sleep, timeout};

use super::connection;
use crate::shares::Permit;

/// How long to wait before cancelling, and how long a cancelled statement may take.
const SOON: Duration = Duration::from_millis(100);

/// A connection with an open transaction. It occupies its pool slot until the server has ended the
/// transaction; otherwise a replacement connection would exceed the limit. Dropping it closes the connection.
pub(super) struct Abandoned {
    connection: Option<Object>,
    _permit: Option<Arc<Permit>>,
}

impl Abandoned {
    pub(super) fn new(connection: Object, permit: Option<Arc<Permit>>) -> Self {
        Self { connection: Some(connection), _permit: permit }
    }

    /// Rolls back and returns the connection to the pool. A server that does not respond within `patience` is
    /// considered gone.
    pub(super) async fn end(mut self, patience: Duration) {
        let is_undone = match &self.connection {
            Some(connection) => timeout(patience, undo(connection)).await,
            None => return,
        };
        match is_undone {
            Ok(true) => drop(self.connection.take()),
            Ok(false) => {}
            Err(_) => {
                tracing::warn!("the database does not answer: connections to it are closed");
                // Idle connections lead to the same machine.
                if let Some(pool) = self.connection.as_ref().and_then(Object::pool) {
                    pool.retain(|_, _| false);
                }
            }
        }
    }
}

/// Whether it was rolled back; `false` if the connection is closed.
async fn undo(connection: &Object) -> bool {
    let mut undone = pin!(connection.batch_execute("ROLLBACK"));
    let mut has_cancelled = false;
    loop {
        match timeout(SOON, &mut undone).await {
            Ok(Err(_)) => return false,
            Ok(Ok(())) if !has_cancelled => return true,
            Ok(Ok(())) => break,
            Err(_) => {}
        }
        // A cancel request does not name a statement; later statements of the failed transaction fail by themselves.
        let Ok(tls) = connection::tls() else { return false };
        // The effect shows whether it arrived; limit the time of its connection.
        let _ = timeout(SOON * 10, connection.cancel_token().cancel_query(tls)).await;
        has_cancelled = true;
    }
    // A late cancel request would hit the next user's statement.
    sleep(SOON).await;
    connection.batch_execute("").await.is_ok()
}

impl Drop for Abandoned {
    fn drop(&mut self) {
        drop(self.connection.take().map(Object::take));
    }
}
