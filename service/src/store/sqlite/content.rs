//! Contents of attachments and temporary uploads, and the uploads themselves.

use generated_server::models::TempAttachment;
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Params, Row, ToSql, params};

use super::{change::Change, view::View};
use crate::{
    domain::attachment::{Content, ContentHash, ContentPosition, TemporaryUpload, UnusedContents},
    store::{
        Error,
        sql::{
            attachment::{temporary_output, temporary_subject},
            text,
        },
    },
};

/// So many blobs are removed at once.
const BATCH: u32 = 500;

/// So many contents are looked at for those that nothing refers to: a few milliseconds.
const LOOKED_AT: usize = 2000;

/// Of a row with hash, blob, size and media type.
pub(super) fn read(row: &Row<'_>) -> rusqlite::Result<Content> {
    let size: i64 = row.get(2)?;
    Ok(Content {
        hash: ContentHash(row.get(0)?),
        blob: row.get(1)?,
        size: size.cast_unsigned(),
        media_type: row.get(3)?,
    })
}

/// Keeps the content from being found unused for a while, unless the tenant would have more than `quota` bytes, of which 0 is any
/// number. Every content counts once.
pub(super) fn claim_within(change: &Change<'_>, content: Content, quota: u64) -> Result<Content, Error> {
    if quota > 0 && !exists(change, content.hash)? {
        let sql = "SELECT value FROM counters WHERE tenant_id = ?1 AND name = 'contents.bytes'";
        let used: Option<i64> =
            change.connection().prepare_cached(sql)?.query_row([change.tenant()], |row| row.get(0)).optional()?;
        let used = used.unwrap_or(0).cast_unsigned();
        if used.saturating_add(content.size) > quota {
            return Err(Error::OverQuota { used, more: content.size, limit: quota });
        }
    }
    let sql =
        "INSERT INTO contents (tenant_id, hash, blob, size, media_type, claimed_on) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
               ON CONFLICT DO UPDATE SET claimed_on = max(claimed_on, excluded.claimed_on)
               RETURNING hash, blob, size, media_type";
    let size = content.size.cast_signed();
    let values = (change.tenant(), content.hash.0, content.blob, size, content.media_type, change.now());
    Ok(change.connection().prepare_cached(sql)?.query_row(values, read)?)
}

fn exists(change: &Change<'_>, hash: ContentHash) -> Result<bool, Error> {
    let sql = "SELECT 1 FROM contents WHERE tenant_id = ?1 AND hash = ?2";
    Ok(change.connection().prepare_cached(sql)?.exists((change.tenant(), hash.0))?)
}

/// Keeps a content that is claimed from being found unused for a while.
pub(super) fn hold_claimed(change: &Change<'_>, content: &Content) -> Result<(), Error> {
    let sql = "UPDATE contents SET claimed_on = max(claimed_on, ?4) WHERE tenant_id = ?1 AND hash = ?2 AND blob = ?3";
    let values = (change.tenant(), content.hash.0, &content.blob, change.now());
    let held = change.connection().prepare_cached(sql)?.execute(values)?;
    if held == 0 { Err(Error::Unclaimed) } else { Ok(()) }
}

/// The name of the blob of every content that a record refers to.
pub(super) fn used_blobs(view: &View<'_>) -> Result<Vec<String>, Error> {
    let sql = "SELECT blob FROM contents WHERE tenant_id = ?1 AND hash IN (
                   SELECT hash FROM attachments WHERE tenant_id = ?1
                   UNION SELECT hash FROM temporary_uploads WHERE tenant_id = ?1)
               ORDER BY blob";
    names(view.connection, sql, [view.tenant.0])
}

/// Looks at the next contents for those that no record refers to.
pub(super) fn unused(
    view: &View<'_>,
    before: Timestamp,
    from: Option<ContentPosition>,
) -> Result<UnusedContents, Error> {
    let sql = format!(
        "SELECT claimed_on, hash, {UNUSED} FROM contents AS c
         WHERE tenant_id = ?1 AND claimed_on < ?2 AND (claimed_on, hash) > (?3, ?4)
         ORDER BY claimed_on, hash LIMIT {LOOKED_AT}"
    );
    let (at, hash) = from.map_or((i64::MIN, Vec::new()), |from| (from.claimed_on, from.hash.0.to_vec()));
    let mut statement = view.connection.prepare_cached(&sql)?;
    let mut rows = statement.query((view.tenant.0, before.as_microsecond(), at, hash))?;
    let (mut found, mut looked_at) = (UnusedContents::default(), 0);
    while let Some(row) = rows.next()? {
        let hash = ContentHash(row.get(1)?);
        found.next = Some(ContentPosition { claimed_on: row.get(0)?, hash });
        found.hashes.extend(row.get::<_, bool>(2)?.then_some(hash));
        looked_at += 1;
    }
    if looked_at < LOOKED_AT {
        found.next = None;
    }
    Ok(found)
}

/// Whether no record refers to the content `c`.
const UNUSED: &str = "NOT EXISTS (SELECT 1 FROM attachments AS a WHERE a.tenant_id = c.tenant_id AND a.hash = c.hash)
    AND NOT EXISTS (SELECT 1 FROM temporary_uploads AS t WHERE t.tenant_id = c.tenant_id AND t.hash = c.hash)";

/// Forgets those of the contents that no record refers to; answers how many.
pub(super) fn forget(change: &Change<'_>, before: Timestamp, hashes: &[ContentHash]) -> Result<usize, Error> {
    let sql = format!(
        "DELETE FROM contents AS c WHERE tenant_id = ?1 AND hash IN (SELECT unhex(value) FROM json_each(?3))
         AND claimed_on < ?2 AND {UNUSED} RETURNING blob"
    );
    let hashes = text::write(&hashes.iter().map(ContentHash::to_string).collect::<Vec<_>>())?;
    let unused = names(change.connection(), &sql, (change.tenant(), before.as_microsecond(), hashes))?;
    let mut insert =
        change.connection().prepare_cached("INSERT INTO unused_blobs (tenant_id, blob) VALUES (?1, ?2)")?;
    for name in &unused {
        insert.execute((change.tenant(), name))?;
    }
    Ok(unused.len())
}

pub(super) fn unused_blobs(view: &View<'_>) -> Result<Vec<String>, Error> {
    let sql = format!("SELECT blob FROM unused_blobs WHERE tenant_id = ?1 ORDER BY blob LIMIT {BATCH}");
    names(view.connection, &sql, [view.tenant.0])
}

pub(super) fn forget_blobs(change: &Change<'_>, removed: &[String]) -> Result<(), Error> {
    let sql = "DELETE FROM unused_blobs WHERE tenant_id = ?1 AND blob IN (SELECT value FROM json_each(?2))";
    change.connection().prepare_cached(sql)?.execute((change.tenant(), text::write(&removed)?))?;
    Ok(())
}

fn names(connection: &Connection, sql: &str, values: impl Params) -> Result<Vec<String>, Error> {
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map(values, |row| row.get(0))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

pub(super) fn create_upload(change: &Change<'_>, upload: &TemporaryUpload) -> Result<TempAttachment, Error> {
    hold_claimed(change, &upload.content)?;
    let sql = "INSERT INTO temporary_uploads (tenant_id, alias, module_id, name, file_type, created_on, expires_on, \
               hash, token_id) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
    change.connection().prepare_cached(sql)?.execute(params![
        change.tenant(),
        upload.alias,
        upload.module_id,
        upload.name,
        upload.file_type,
        change.now(),
        upload.expires_on.as_microsecond(),
        upload.content.hash.0,
        change.token(),
    ])?;
    let created = temporary_output(upload.name.clone(), upload.alias.clone(), upload.file_type.clone());
    change.note(&temporary_subject(&upload.alias), None, Some(text::json(&created)))?;
    Ok(created)
}

/// Takes an upload of the writer away, to be used in the same transaction; `None` when it is not there or has ended.
pub(super) fn take_upload(change: &Change<'_>, module: i32, alias: &str) -> Result<Option<TemporaryUpload>, Error> {
    let sql = "SELECT c.hash, c.blob, c.size, c.media_type, u.name, u.file_type, u.expires_on
               FROM temporary_uploads AS u JOIN contents AS c ON c.tenant_id = u.tenant_id AND c.hash = u.hash
               WHERE u.tenant_id = ?1 AND u.alias = ?2 AND u.module_id = ?3 AND u.token_id IS ?4 AND u.expires_on > ?5";
    let key = (change.tenant(), alias, module, change.token(), change.now());
    let mut statement = change.connection().prepare_cached(sql)?;
    let found = statement.query_row(key, |row| Ok((read(row)?, row.get(4)?, row.get(5)?, row.get(6)?))).optional()?;
    let Some((content, name, file_type, expires_on)) = found else { return Ok(None) };
    delete_uploads(change, &[alias.to_owned()])?;
    let expires_on = Timestamp::from_microsecond(expires_on).map_err(Error::database)?;
    Ok(Some(TemporaryUpload { alias: alias.to_owned(), module_id: module, name, file_type, expires_on, content }))
}

/// How many of them were there, and made by the writer.
pub(super) fn delete_uploads(change: &Change<'_>, aliases: &[String]) -> Result<u64, Error> {
    let condition = "token_id IS ?3 AND alias IN (SELECT value FROM json_each(?2))";
    remove_uploads(change, condition, &[&text::write(&aliases)?, &change.token()])
}

/// How many have ended.
pub(super) fn expire_uploads(change: &Change<'_>, now: Timestamp) -> Result<u64, Error> {
    remove_uploads(change, "expires_on <= ?2", &[&now.as_microsecond()])
}

/// Removes the uploads of which a condition holds; `values` are its parameters from the second on.
fn remove_uploads(change: &Change<'_>, condition: &str, values: &[&dyn ToSql]) -> Result<u64, Error> {
    let sql =
        format!("DELETE FROM temporary_uploads WHERE tenant_id = ?1 AND {condition} RETURNING name, alias, file_type");
    let mut statement = change.connection().prepare_cached(&sql)?;
    let tenant = change.tenant();
    let values: Vec<&dyn ToSql> = [&tenant as &dyn ToSql].into_iter().chain(values.iter().copied()).collect();
    let rows = statement.query_map(&*values, |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    let mut removed = 0;
    for row in rows.collect::<Result<Vec<(String, String, Option<String>)>, _>>()? {
        let (name, alias, file_type) = row;
        change.note(
            &temporary_subject(&alias),
            Some(text::json(&temporary_output(name, alias.clone(), file_type))),
            None,
        )?;
        removed += 1;
    }
    Ok(removed)
}
