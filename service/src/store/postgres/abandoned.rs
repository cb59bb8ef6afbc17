//! Transactions that nobody waits for any more: ended on the server before others have their connections.

use std::{pin::pin, sync::Arc, time::Duration};

use deadpool_postgres::Object;
use tokio::time::{sleep, timeout};

use super::connection;
use crate::shares::Turn;

/// What ends by itself within so long need not be cancelled; and so long the server has for what it is told to cancel.
const SOON: Duration = Duration::from_millis(100);

/// A connection in the midst of a transaction. It counts as used until the server has ended that, which would otherwise go on
/// with it beside the connection that is made in its place. Dropped before, it is closed.
pub(super) struct Abandoned {
    connection: Option<Object>,
    _turn: Option<Arc<Turn>>,
}

impl Abandoned {
    pub(super) fn new(connection: Object, turn: Option<Arc<Turn>>) -> Self {
        Self { connection: Some(connection), _turn: turn }
    }

    /// Undoes what was begun, and gives the connection back. A server that says nothing for that long is not there any more.
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
                // The others, which nobody uses now, lead to the same machine.
                if let Some(pool) = self.connection.as_ref().and_then(Object::pool) {
                    pool.retain(|_, _| false);
                }
            }
        }
    }
}

/// Whether it is undone; false when the connection is closed.
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
        // The server ends one statement, and is told nothing of which: what was sent behind it fails by itself.
        let Ok(tls) = connection::tls() else { return false };
        // Whether it was heard is seen by what it does; a connection for it takes no longer than this.
        let _ = timeout(SOON * 10, connection.cancel_token().cancel_query(tls)).await;
        has_cancelled = true;
    }
    // One that comes late would end a statement of whoever has the connection next.
    sleep(SOON).await;
    connection.batch_execute("").await.is_ok()
}

impl Drop for Abandoned {
    fn drop(&mut self) {
        drop(self.connection.take().map(Object::take));
    }
}
