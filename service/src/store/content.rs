//! Contents of attachments and temporary uploads: stored once, as long as something refers to them.

use jiff::Timestamp;

use super::{operation::*, postgres::keep::KEPT};
use crate::domain::attachment::{Content, ContentHash};

/// Maximum number of contents forgotten in one write, which bounds the wait of others; also the number of
/// blobs removed at once.
const BATCH: usize = 500;

/// Number of contents examined at once for references: a few milliseconds.
const LOOKED_AT: usize = 2000;

/// When a content was claimed, in microseconds since 1970, and its hash.
type Position = (i64, ContentHash);

/// Whether no record refers to a content.
const UNUSED: &str = "
    NOT EXISTS (SELECT 1 FROM attachments AS a WHERE a.tenant_id = contents.tenant_id AND a.hash = contents.hash)
    AND NOT EXISTS (SELECT 1 FROM temporary_uploads AS t
        WHERE t.tenant_id = contents.tenant_id AND t.hash = contents.hash)";

impl TenantStore {
    /// Claims a content before its blob is written, so that it is not swept meanwhile. Returns it with the
    /// blob to write: the tenant's existing one for the same content, if any. Refused if the tenant would
    /// exceed `quota` bytes; 0 means no limit.
    pub async fn claim_content(&self, content: Content, quota: u64) -> Result<Content, Error> {
        self.change((content, quota), claim).await
    }

    /// The names of the blobs that attachments and uploads refer to, without duplicates.
    pub async fn used_blobs(&self) -> Result<Vec<String>, Error> {
        let sql = "SELECT blob FROM contents WHERE tenant_id = $1 AND hash IN (
                       SELECT hash FROM attachments WHERE tenant_id = $1
                       UNION SELECT hash FROM temporary_uploads WHERE tenant_id = $1)
                   ORDER BY blob";
        self.blobs(sql).await
    }

    /// Forgets unused contents claimed before that time; returns their number. Their blobs are unused from
    /// then on. Searches in small reads, because there may be millions of used ones.
    pub async fn forget_contents(&self, before: Timestamp) -> Result<usize, Error> {
        let (mut forgotten, mut from) = (0, None);
        loop {
            let (hashes, next) = self.unused_contents(before, from).await?;
            for some in hashes.chunks(BATCH) {
                forgotten += self.change((before, some.to_vec()), forget).await?;
            }
            if next.is_none() {
                return Ok(forgotten);
            }
            from = next;
        }
    }

    /// The unused ones among the next contents claimed before that time, and the position of the last one; `None` if there are
    /// no more.
    async fn unused_contents(
        &self,
        before: Timestamp,
        from: Option<Position>,
    ) -> Result<(Vec<ContentHash>, Option<Position>), Error> {
        self.view(Cost::Long, (before, from), |view, (before, from)| async move {
            let (at, hash) = from.map_or((i64::MIN, Vec::new()), |(at, hash)| (at, hash.0.to_vec()));
            let sql = format!(
                "SELECT claimed_on, hash, {UNUSED} FROM contents
                 WHERE tenant_id = $1 AND claimed_on < $2 AND (claimed_on, hash) > ($3, $4)
                 ORDER BY claimed_on, hash LIMIT {LOOKED_AT}"
            );
            let rows = view.rows(Statement::new(sql, values![view.tenant.0, before, at, Value::Bytes(hash)])).await?;
            let (mut unused, mut last) = (Vec::new(), None);
            for row in &rows {
                let hash = ContentHash(row.get(1)?);
                last = Some((row.get(0)?, hash));
                unused.extend(row.get::<bool>(2)?.then_some(hash));
            }
            Ok((unused, last.filter(|_| rows.len() == LOOKED_AT)))
        })
        .await
    }

    /// The names of some blobs whose content is forgotten.
    pub async fn unused_blobs(&self) -> Result<Vec<String>, Error> {
        self.blobs(format!("SELECT blob FROM unused_blobs WHERE tenant_id = $1 ORDER BY blob LIMIT {BATCH}")).await
    }

    async fn blobs(&self, sql: impl Into<String>) -> Result<Vec<String>, Error> {
        self.view(Cost::Long, sql.into(), |view, sql: String| async move {
            view.session.texts(Statement::new(sql, values![view.tenant.0])).await
        })
        .await
    }

    /// Forgets removed blobs.
    pub async fn forget_blobs(&self, names: Vec<String>) -> Result<(), Error> {
        self.change(names, |change, names| async move {
            let among = change.session.dialect().among_texts("blob", "$2");
            let sql = format!("DELETE FROM unused_blobs WHERE tenant_id = $1 AND {among}");
            change.rows(Statement::new(sql, values![change.tenant.0, array(names)])).await.map(drop)
        })
        .await
    }
}

/// The content of a row with hash, blob, size and media type.
pub(super) fn read(row: &Row) -> Result<Content, Error> {
    Ok(Content { hash: ContentHash(row.get(0)?), blob: row.get(1)?, size: row.get(2)?, media_type: row.get(3)? })
}

/// Claims a content; each content counts once for the quota.
async fn claim(change: Change, (content, quota): (Content, u64)) -> Result<Content, Error> {
    if quota > 0 {
        // Serialize claims: two could exceed the quota together.
        let lock = change.hold("contents.bytes");
        let sql = "SELECT (SELECT CAST(coalesce(sum(value), 0) AS bigint) FROM counters
                           WHERE tenant_id = $1 AND name = 'contents.bytes'),
                       EXISTS (SELECT 1 FROM contents WHERE tenant_id = $1 AND hash = $2)";
        let used = Statement::new(sql, values![change.tenant.0, content.hash.0]);
        let [_, rows] = change.session.run([lock, used]).await?;
        for row in rows {
            let (used, is_there): (u64, bool) = (row.get(0)?, row.get(1)?);
            if !is_there && used.saturating_add(content.size) > quota {
                return Err(Error::OverQuota { used, more: content.size, limit: quota });
            }
        }
    }
    let sql = "INSERT INTO contents (tenant_id, hash, blob, size, media_type, claimed_on)
               VALUES ($1, $2, $3, $4, $5, $6)
               ON CONFLICT (tenant_id, hash) DO UPDATE SET claimed_on = CASE
                   WHEN contents.claimed_on < excluded.claimed_on THEN excluded.claimed_on ELSE contents.claimed_on END
               RETURNING hash, blob, size, media_type";
    let Content { hash, blob, size, media_type } = content;
    let values = values![change.tenant.0, hash.0, blob, size.cast_signed(), media_type, change.now];
    change.rows(Statement::new(sql, values)).await?.first().map_or(Err(Error::Unclaimed), read)
}

/// Protects a claimed content from being found unused until the write ends.
pub(super) async fn hold_claimed(change: &Change, content: &Content) -> Result<(), Error> {
    let sql = "UPDATE contents SET claimed_on = CASE WHEN claimed_on < $4 THEN $4 ELSE claimed_on END
               WHERE tenant_id = $1 AND hash = $2 AND blob = $3 RETURNING 1";
    let values = values![change.tenant.0, content.hash.0, &content.blob, change.now];
    if change.rows(Statement::new(sql, values)).await?.is_empty() { Err(Error::Unclaimed) } else { Ok(()) }
}

/// Forgets contents that are still unused and unprotected; returns their number.
async fn forget(change: Change, (before, hashes): (Timestamp, Vec<ContentHash>)) -> Result<usize, Error> {
    let (among, skip) = match change.session.dialect() {
        Dialect::Sqlite => ("hash IN (SELECT unhex(value) FROM json_each($3))", ""),
        Dialect::Postgres => {
            // Those that need contents share this lock, and wait for it until the write ends.
            let lock = Statement::new("SELECT pg_try_advisory_xact_lock($1)", values![KEPT]);
            if change.session.first(lock).await? != Some(true) {
                return Ok(0);
            }
            let among = "hash = ANY (ARRAY(SELECT decode(value, 'hex') FROM json_array_elements_text($3::text::json)))";
            (among, " FOR UPDATE SKIP LOCKED")
        }
    };
    let some = |hashes: &[ContentHash]| values![change.tenant.0, before, array(hashes.iter().map(ToString::to_string))];
    // A write that refers to a content locks its row, so check again with the lock held.
    let of_these = format!("FROM contents WHERE tenant_id = $1 AND claimed_on < $2 AND {among} AND {UNUSED}");
    let sql = format!("SELECT hash {of_these} ORDER BY hash{skip}");
    let rows = change.rows(Statement::new(sql, some(&hashes))).await?;
    let held: Vec<_> = rows.iter().map(|row| row.get(0).map(ContentHash)).collect::<Result<_, _>>()?;
    let keep = format!("INSERT INTO unused_blobs (tenant_id, blob) SELECT tenant_id, blob {of_these} RETURNING 1");
    let delete = Statement::new(format!("DELETE {of_these}"), some(&held));
    let [forgotten, _] = change.session.run([Statement::new(keep, some(&held)), delete]).await?;
    Ok(forgotten.len())
}
