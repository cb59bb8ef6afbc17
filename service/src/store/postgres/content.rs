//! Contents of attachments and temporary uploads, and the uploads themselves.

use generated_server::models::TempAttachment;
use jiff::Timestamp;
use serde_json::json;
use tokio_postgres::Row;

use super::{
    change::{Change, hold},
    keep::NOW,
    session::{Query, parameters},
    value::Parameter,
    view::View,
};
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

/// Whether no record refers to a content.
const UNUSED: &str =
    "NOT EXISTS (SELECT 1 FROM attachments AS a WHERE a.tenant_id = contents.tenant_id AND a.hash = contents.hash)
    AND NOT EXISTS (SELECT 1 FROM temporary_uploads AS t
        WHERE t.tenant_id = contents.tenant_id AND t.hash = contents.hash)";

/// Of a row with hash, blob, size and media type from column `first` on.
pub(super) fn read(row: &Row, first: usize) -> Result<Content, Error> {
    let (hash, size): (&[u8], i64) = (row.try_get(first)?, row.try_get(first + 2)?);
    Ok(Content {
        hash: ContentHash(hash.try_into().map_err(Error::database)?),
        blob: row.try_get(first + 1)?,
        size: size.cast_unsigned(),
        media_type: row.try_get(first + 3)?,
    })
}

/// Keeps the content from being found unused for a while, unless the tenant would have more than `quota` bytes, of which 0 is any
/// number. Every content counts once.
pub(super) async fn claim_within(change: Change, content: Content, quota: u64) -> Result<Content, Error> {
    if quota > 0 {
        // One after the other: two could each have room by itself.
        let lock = hold(change.tenant(), "contents.bytes");
        let sql = "SELECT (SELECT coalesce(sum(value), 0) FROM counters
                           WHERE tenant_id = $1 AND name = 'contents.bytes')::bigint,
                       EXISTS (SELECT 1 FROM contents WHERE tenant_id = $1 AND hash = $2)";
        let used = Query::new(sql, parameters![change.tenant(), content.hash.0]);
        let [_, rows] = change.session().run([lock, used]).await?;
        if let Some(row) = rows.first() {
            let (used, is_there): (i64, bool) = (row.try_get(0)?, row.try_get(1)?);
            let used = used.cast_unsigned();
            if !is_there && used.saturating_add(content.size) > quota {
                return Err(Error::OverQuota { used, more: content.size, limit: quota });
            }
        }
    }
    let sql = "INSERT INTO contents AS c (tenant_id, hash, blob, size, media_type, claimed_on)
               VALUES ($1, $2, $3, $4, $5, $6)
               ON CONFLICT (tenant_id, hash) DO UPDATE SET claimed_on = greatest(c.claimed_on, excluded.claimed_on)
               RETURNING hash, blob, size, media_type";
    let size = content.size.cast_signed();
    let values = parameters![change.tenant(), content.hash.0, content.blob, size, &content.media_type, change.now()];
    let rows = change.rows(sql, values).await?;
    change.finish([]).await?;
    rows.first().map_or(Err(Error::Unclaimed), |row| read(row, 0))
}

/// Keeps a content that is claimed from being found unused until the transaction ends.
pub(super) async fn hold_claimed(change: &Change, content: &Content) -> Result<(), Error> {
    let sql = "UPDATE contents SET claimed_on = greatest(claimed_on, $4)
               WHERE tenant_id = $1 AND hash = $2 AND blob = $3 RETURNING 1";
    let values = parameters![change.tenant(), content.hash.0, &content.blob, change.now()];
    if change.rows(sql, values).await?.is_empty() { Err(Error::Unclaimed) } else { Ok(()) }
}

/// The name of the blob of every content that a record refers to.
pub(super) async fn used_blobs(view: View) -> Result<Vec<String>, Error> {
    let sql = "SELECT blob FROM contents WHERE tenant_id = $1 AND hash IN (
                   SELECT hash FROM attachments WHERE tenant_id = $1
                   UNION SELECT hash FROM temporary_uploads WHERE tenant_id = $1)
               ORDER BY blob";
    names(&view.session.rows(Query::new(sql, parameters![view.tenant.0])).await?)
}

/// Looks at the next contents for those that no record refers to.
pub(super) async fn unused(
    view: View,
    before: Timestamp,
    from: Option<ContentPosition>,
) -> Result<UnusedContents, Error> {
    let sql = format!(
        "SELECT claimed_on, hash, {UNUSED} FROM contents
         WHERE tenant_id = $1 AND claimed_on < $2 AND (claimed_on, hash) > ($3, $4)
         ORDER BY claimed_on, hash LIMIT {LOOKED_AT}"
    );
    let (at, hash) = from.map_or((i64::MIN, Vec::new()), |from| (from.claimed_on, from.hash.0.to_vec()));
    let values = parameters![view.tenant.0, before.as_microsecond(), at, Parameter::Bytes(hash)];
    let rows = view.session.rows(Query::new(sql, values)).await?;
    let mut found = UnusedContents::default();
    for row in &rows {
        let hash = ContentHash(row.try_get::<_, &[u8]>(1)?.try_into().map_err(Error::database)?);
        found.next = Some(ContentPosition { claimed_on: row.try_get(0)?, hash });
        found.hashes.extend(row.try_get::<_, bool>(2)?.then_some(hash));
    }
    if rows.len() < LOOKED_AT {
        found.next = None;
    }
    Ok(found)
}

/// Forgets those of the contents that no record refers to, unless somebody needs contents; answers how many.
pub(super) async fn forget(change: Change, before: Timestamp, hashes: Vec<ContentHash>) -> Result<usize, Error> {
    let unused = format!("tenant_id = $1 AND claimed_on < $2 AND {UNUSED}");
    // Until the end of this one nobody begins to need what is forgotten here.
    let sql = format!("SELECT until > {NOW} FROM kept_contents WHERE id = 1 FOR SHARE");
    let rows = change.rows(sql, Vec::new()).await?;
    if rows.first().map(|row| row.try_get(0)).transpose()? != Some(false) {
        return Ok(0);
    }
    // Whoever refers to one meanwhile holds its row; whether it is unused is asked once the row is ours.
    let sql = format!(
        "SELECT blob FROM contents WHERE {unused}
         AND hash IN (SELECT decode(value, 'hex') FROM json_array_elements_text($3::text::json))
         ORDER BY blob FOR UPDATE SKIP LOCKED"
    );
    let hashes = json!(hashes.iter().map(ContentHash::to_string).collect::<Vec<_>>()).to_string();
    let mut values = parameters![change.tenant(), before.as_microsecond()];
    let held = names(&change.rows(sql, [values.clone(), parameters![hashes]].concat()).await?)?;
    let sql = format!(
        "WITH forgotten AS (DELETE FROM contents WHERE {unused} AND blob IN ({LISTED}$3::text::json)) RETURNING blob)
         INSERT INTO unused_blobs (tenant_id, blob) SELECT $1, blob FROM forgotten RETURNING 1"
    );
    values.push(json!(held).to_string().into());
    let forgotten = change.rows(sql, values).await?.len();
    change.finish([]).await?;
    Ok(forgotten)
}

pub(super) async fn unused_blobs(view: View) -> Result<Vec<String>, Error> {
    let sql = format!("SELECT blob FROM unused_blobs WHERE tenant_id = $1 ORDER BY blob LIMIT {BATCH}");
    names(&view.session.rows(Query::new(sql, parameters![view.tenant.0])).await?)
}

pub(super) async fn forget_blobs(change: Change, removed: Vec<String>) -> Result<(), Error> {
    let sql = format!("DELETE FROM unused_blobs WHERE tenant_id = $1 AND blob IN ({LISTED}$2::text::json))");
    change.finish([Query::new(sql, parameters![change.tenant(), json!(removed).to_string()])]).await
}

/// The texts of a JSON array, which follows.
const LISTED: &str = "SELECT value FROM json_array_elements_text(";

fn names(rows: &[Row]) -> Result<Vec<String>, Error> {
    rows.iter().map(|row| Ok(row.try_get(0)?)).collect()
}

pub(super) async fn create_upload(change: Change, upload: TemporaryUpload) -> Result<TempAttachment, Error> {
    let sql = "INSERT INTO temporary_uploads (tenant_id, alias, module_id, name, file_type, created_on, expires_on, \
               hash, token_id) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    let insert = Query::new(
        sql,
        parameters![
            change.tenant(),
            &upload.alias,
            upload.module_id,
            &upload.name,
            upload.file_type.as_deref(),
            change.now(),
            upload.expires_on.as_microsecond(),
            upload.content.hash.0,
            change.token(),
        ],
    );
    hold_claimed(&change, &upload.content).await?;
    change.session().run([insert]).await?;
    let created = temporary_output(upload.name, upload.alias.clone(), upload.file_type);
    change.note(&temporary_subject(&upload.alias), None, Some(text::json(&created)));
    Ok(created)
}

/// Takes an upload of the writer away, to be used in the same transaction; `None` when it is not there or has ended.
pub(super) async fn take_upload(change: &Change, module: i32, alias: &str) -> Result<Option<TemporaryUpload>, Error> {
    let sql = "DELETE FROM temporary_uploads AS u USING contents AS c
               WHERE c.tenant_id = u.tenant_id AND c.hash = u.hash AND u.tenant_id = $1 AND u.alias = $2
               AND u.module_id = $3 AND u.token_id IS NOT DISTINCT FROM $4 AND u.expires_on > $5
               RETURNING c.hash, c.blob, c.size, c.media_type, u.name, u.file_type, u.expires_on";
    let rows = change.rows(sql, parameters![change.tenant(), alias, module, change.token(), change.now()]).await?;
    let Some(row) = rows.first() else { return Ok(None) };
    let (name, file_type): (String, Option<String>) = (row.try_get(4)?, row.try_get(5)?);
    let output = temporary_output(name.clone(), alias.to_owned(), file_type.clone());
    change.note(&temporary_subject(alias), Some(text::json(&output)), None);
    let expires_on = Timestamp::from_microsecond(row.try_get(6)?).map_err(Error::database)?;
    let content = read(row, 0)?;
    Ok(Some(TemporaryUpload { alias: alias.to_owned(), module_id: module, name, file_type, expires_on, content }))
}

/// How many of them were there, and made by the writer.
pub(super) async fn delete_uploads(change: Change, aliases: Vec<String>) -> Result<u64, Error> {
    let condition = &format!("token_id IS NOT DISTINCT FROM $3 AND alias IN ({LISTED}$2::text::json))");
    let values = parameters![change.tenant(), json!(aliases).to_string(), change.token()];
    remove_uploads(change, condition, values).await
}

/// How many have ended.
pub(super) async fn expire_uploads(change: Change, now: Timestamp) -> Result<u64, Error> {
    let values = parameters![change.tenant(), now.as_microsecond()];
    remove_uploads(change, "expires_on <= $2", values).await
}

/// Removes the uploads of which a condition holds; the first of its values is the tenant.
async fn remove_uploads(change: Change, condition: &str, values: Vec<Parameter>) -> Result<u64, Error> {
    let sql =
        format!("DELETE FROM temporary_uploads WHERE tenant_id = $1 AND {condition} RETURNING name, alias, file_type");
    let rows = change.rows(sql, values).await?;
    for row in &rows {
        let alias: String = row.try_get(1)?;
        let output = temporary_output(row.try_get(0)?, alias.clone(), row.try_get(2)?);
        change.note(&temporary_subject(&alias), Some(text::json(&output)), None);
    }
    change.finish([]).await?;
    Ok(rows.len() as u64)
}
