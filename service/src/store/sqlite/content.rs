//! Contents of attachments and temporary uploads, and the uploads themselves.

use jiff::Timestamp;
use rusqlite::{Row, params};

use super::{change::Change, text, view::View};
use crate::{
    domain::attachment::{Content, ContentHash, TemporaryUpload},
    store::Error,
};

/// Of a row with hash, size and media type.
pub(super) fn read(row: &Row<'_>) -> rusqlite::Result<Content> {
    let size: i64 = row.get(1)?;
    Ok(Content { hash: ContentHash(row.get(0)?), size: size.cast_unsigned(), media_type: row.get(2)? })
}

/// Keeps the content from being found unused for a while.
pub(in crate::store) fn claim(change: &Change<'_>, content: &Content) -> Result<(), Error> {
    let sql = "INSERT INTO contents (tenant_id, hash, size, media_type, claimed_on) VALUES (?1, ?2, ?3, ?4, ?5)
               ON CONFLICT DO UPDATE SET claimed_on = max(claimed_on, excluded.claimed_on)";
    let size = content.size.cast_signed();
    let values = (change.tenant(), content.hash.0, size, &content.media_type, change.now());
    change.connection().prepare_cached(sql)?.execute(values)?;
    Ok(())
}

/// That no record refers to.
const UNUSED: &str = "tenant_id = ?1 AND claimed_on < ?2
    AND NOT EXISTS (SELECT 1 FROM attachments AS a WHERE a.tenant_id = contents.tenant_id AND a.hash = contents.hash)
    AND NOT EXISTS (SELECT 1 FROM temporary_uploads AS t
        WHERE t.tenant_id = contents.tenant_id AND t.hash = contents.hash)";

pub(in crate::store) fn unused(view: &View<'_>, before: Timestamp) -> Result<Vec<ContentHash>, Error> {
    let sql = format!("SELECT hash FROM contents WHERE {UNUSED}");
    let mut statement = view.connection.prepare_cached(&sql)?;
    let rows = statement.query_map((view.tenant.0, before.as_microsecond()), |row| row.get(0).map(ContentHash))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Every content that a record refers to.
pub(in crate::store) fn used(view: &View<'_>) -> Result<Vec<ContentHash>, Error> {
    let sql = "SELECT hash FROM attachments WHERE tenant_id = ?1
               UNION SELECT hash FROM temporary_uploads WHERE tenant_id = ?1";
    let mut statement = view.connection.prepare_cached(sql)?;
    let rows = statement.query_map([view.tenant.0], |row| row.get(0).map(ContentHash))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// False when it is in use after all.
pub(in crate::store) fn forget(change: &Change<'_>, hash: ContentHash, before: Timestamp) -> Result<bool, Error> {
    let sql = format!("DELETE FROM contents WHERE {UNUSED} AND hash = ?3");
    let key = (change.tenant(), before.as_microsecond(), hash.0);
    Ok(change.connection().prepare_cached(&sql)?.execute(key)? > 0)
}

pub(in crate::store) fn create_upload(change: &Change<'_>, upload: &TemporaryUpload) -> Result<(), Error> {
    claim(change, &upload.content)?;
    let sql = "INSERT INTO temporary_uploads (tenant_id, alias, module_id, name, file_type, created_on, expires_on, \
               hash) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
    change.connection().prepare_cached(sql)?.execute(params![
        change.tenant(),
        upload.alias,
        upload.module_id,
        upload.name,
        upload.file_type,
        change.now(),
        upload.expires_on.as_microsecond(),
        upload.content.hash.0,
    ])?;
    Ok(())
}

/// How many of them were there.
pub(in crate::store) fn delete_uploads(change: &Change<'_>, aliases: &[String]) -> Result<u64, Error> {
    let sql = "DELETE FROM temporary_uploads WHERE tenant_id = ?1 AND alias IN (SELECT value FROM json_each(?2))";
    let deleted = change.connection().prepare_cached(sql)?.execute((change.tenant(), text::write(&aliases)?))?;
    Ok(u64::try_from(deleted).unwrap_or(u64::MAX))
}

/// How many have ended.
pub(in crate::store) fn expire_uploads(change: &Change<'_>, now: Timestamp) -> Result<u64, Error> {
    let sql = "DELETE FROM temporary_uploads WHERE tenant_id = ?1 AND expires_on <= ?2";
    let deleted = change.connection().prepare_cached(sql)?.execute((change.tenant(), now.as_microsecond()))?;
    Ok(u64::try_from(deleted).unwrap_or(u64::MAX))
}
