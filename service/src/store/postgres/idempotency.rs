//! Answers that are kept for requests that come again.

use std::future::Future;

use generated_server::runtime::json::{self, Read, Write};
use jiff::Timestamp;

use super::{
    change::Change,
    session::{Query, parameters},
};
use crate::{
    domain::idempotency::{Done, IdempotencyKey},
    store::{Error, sql::text},
};

/// At most so many keys are removed in one write, so that others do not wait for long.
const BATCH: u32 = 1000;

/// Does the work, unless it was done for the same key: then it gives what was given then. Without a key, the work is done.
/// What the work notes is written, and the transaction ends with it.
pub(super) async fn once<T: Read + Write, F: Future<Output = Result<T, Error>>>(
    change: Change,
    key: Option<IdempotencyKey>,
    work: impl FnOnce(Change) -> F,
) -> Result<Done<T>, Error> {
    let Some((key, token)) = key.zip(change.token()) else {
        let value = work(change.clone()).await?;
        change.finish([]).await?;
        return Ok(Done { value, is_replayed: false });
    };
    // The row is made first: who comes with the same key meanwhile waits for it, and finds the answer in it.
    let sql = "INSERT INTO idempotency_keys AS k (tenant_id, token_id, operation, key, request, answer, created_on)
               VALUES ($1, $2, $3, $4, $5, '', $6)
               ON CONFLICT (tenant_id, token_id, operation, key) DO UPDATE
               SET request = excluded.request, answer = '', created_on = excluded.created_on WHERE k.created_on < $7
               RETURNING 1";
    let operation = change.actor.operation;
    let claim = Query::new(
        sql,
        parameters![
            change.tenant(),
            token,
            operation,
            &key.key,
            key.request.0,
            change.now(),
            key.kept_since.as_microsecond()
        ],
    );
    let place = "tenant_id = $1 AND token_id = $2 AND operation = $3 AND key = $4";
    let at = parameters![change.tenant(), token, operation, &key.key];
    let sql = format!("SELECT request, answer FROM idempotency_keys WHERE {place}");
    let [claimed, known] = change.session().run([claim, Query::new(sql, at.clone())]).await?;
    if claimed.is_empty()
        && let Some(known) = known.first()
    {
        let (request, answer): (&[u8], &str) = (known.try_get(0)?, known.try_get(1)?);
        if request != key.request.0 {
            return Err(Error::KeyReused);
        }
        let value = json::from_slice(answer.as_bytes())
            .map_err(|_| Error::Damaged("the store holds no proper JSON as the answer to a key".into()))?;
        return Ok(Done { value, is_replayed: true });
    }

    let value = work(change.clone()).await?;
    let mut values = at;
    values.push(text::json(&value).into());
    let answer = Query::new(format!("UPDATE idempotency_keys SET answer = $5 WHERE {place}"), values);
    change.finish([answer]).await?;
    Ok(Done { value, is_replayed: false })
}

/// Forgets some keys that were used before that moment; answers how many.
pub(super) async fn forget(change: Change, before: Timestamp) -> Result<u32, Error> {
    let sql = "WITH old AS MATERIALIZED (
                   SELECT token_id, operation, key FROM idempotency_keys
                   WHERE tenant_id = $1 AND created_on < $2 LIMIT $3)
               DELETE FROM idempotency_keys WHERE tenant_id = $1 AND (token_id, operation, key) IN (SELECT * FROM old)
               RETURNING 1";
    let forgotten = change.rows(sql, parameters![change.tenant(), before.as_microsecond(), BATCH]).await?;
    Ok(u32::try_from(forgotten.len()).unwrap_or(u32::MAX))
}
