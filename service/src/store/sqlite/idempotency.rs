//! Answers that are kept for requests that come again.

use generated_server::runtime::json::{self, Read, Write};
use jiff::Timestamp;
use rusqlite::{OptionalExtension, params};

use super::change::Change;
use crate::{
    domain::idempotency::{Done, IdempotencyKey},
    store::{Error, sql::text},
};

/// At most so many keys are removed in one write, so that others do not wait for long.
const BATCH: u32 = 1000;

/// Does the work, unless it was done for the same key: then it gives what was given then. Without a key, the work is done.
pub(super) fn once<T: Read + Write>(
    change: &Change<'_>,
    key: Option<&IdempotencyKey>,
    work: impl FnOnce(&Change<'_>) -> Result<T, Error>,
) -> Result<Done<T>, Error> {
    let Some((key, (token, _))) = key.zip(change.actor.token.as_ref()) else {
        return Ok(Done { value: work(change)?, is_replayed: false });
    };
    let operation = change.actor.operation;
    let sql = "SELECT request, answer FROM idempotency_keys
               WHERE tenant_id = ?1 AND token_id = ?2 AND operation = ?3 AND key = ?4 AND created_on >= ?5";
    let place = (change.tenant(), token, operation, &key.key, key.kept_since.as_microsecond());
    let mut statement = change.connection().prepare_cached(sql)?;
    let known = statement.query_row(place, |row| Ok((row.get::<_, [u8; 32]>(0)?, row.get::<_, String>(1)?)));
    if let Some((request, answer)) = known.optional()? {
        if request != key.request.0 {
            return Err(Error::KeyReused);
        }
        let value = json::from_slice(answer.as_bytes())
            .map_err(|_| Error::Damaged("the store holds no proper JSON as the answer to a key".into()))?;
        return Ok(Done { value, is_replayed: true });
    }

    let value = work(change)?;
    let sql = "INSERT INTO idempotency_keys (tenant_id, token_id, operation, key, request, answer, created_on)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
               ON CONFLICT DO UPDATE SET request = excluded.request, answer = excluded.answer, \
               created_on = excluded.created_on";
    change.connection().prepare_cached(sql)?.execute(params![
        change.tenant(),
        token,
        operation,
        key.key,
        key.request.0,
        text::json(&value),
        change.now(),
    ])?;
    Ok(Done { value, is_replayed: false })
}

/// Forgets some keys that were used before that moment; answers how many.
pub(super) fn forget(change: &Change<'_>, before: Timestamp) -> Result<u32, Error> {
    let sql = "DELETE FROM idempotency_keys WHERE tenant_id = ?1 AND (token_id, operation, key) IN (
                   SELECT token_id, operation, key FROM idempotency_keys INDEXED BY idempotency_keys_by_time
                   WHERE tenant_id = ?1 AND created_on < ?2 LIMIT ?3)";
    let forgotten =
        change.connection().prepare_cached(sql)?.execute((change.tenant(), before.as_microsecond(), BATCH))?;
    Ok(u32::try_from(forgotten).unwrap_or(u32::MAX))
}
