//! Temporary uploads: contents to be attached later, which expire.

use generated_server::{models::TempAttachment, runtime::json::Maybe};
use jiff::Timestamp;

use super::{content, operation::*, text};
use crate::domain::attachment::{NewAttachment, TemporaryUpload, UploadToAttach};

impl TenantStore {
    /// Creates a temporary upload with a claimed and stored content, once per key.
    pub async fn create_temporary_upload(
        &self,
        upload: TemporaryUpload,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<TempAttachment>, Error> {
        self.change_once(key, upload, create).await
    }

    /// Deletes the existing uploads of the writer with these aliases.
    pub async fn delete_temporary_uploads(&self, aliases: Vec<String>) -> Result<u64, Error> {
        self.change(aliases, |change, aliases| async move {
            let among = change.session.dialect().among_texts("alias", "$2");
            let condition = format!("{among} AND token_id IS NOT DISTINCT FROM $3");
            Ok(remove(&change, &condition, values![array(aliases), change.token()]).await?.len() as u64)
        })
        .await
    }

    /// Deletes expired uploads.
    pub async fn expire_temporary_uploads(&self, now: Timestamp) -> Result<u64, Error> {
        self.change(now, |change, now| async move {
            Ok(remove(&change, "expires_on <= $2", values![now]).await?.len() as u64)
        })
        .await
    }
}

async fn create(change: Change, upload: TemporaryUpload) -> Result<TempAttachment, Error> {
    content::hold_claimed(&change, &upload.content).await?;
    let sql = "INSERT INTO temporary_uploads (tenant_id, alias, module_id, name, file_type, created_on, expires_on, \
               hash, token_id) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    let values = values![
        change.tenant.0,
        &upload.alias,
        upload.module_id,
        &upload.name,
        upload.file_type.as_deref(),
        change.now,
        upload.expires_on,
        upload.content.hash.0,
        change.token(),
    ];
    change.rows(Statement::new(sql, values)).await?;
    let created = output(upload.name, upload.alias.clone(), upload.file_type);
    change.note(&subject(&upload.alias), None, Some(text::json(&created)));
    Ok(created)
}

/// Removes an upload of the writer, to be attached in the same write. Refused if it does not exist or has expired.
pub(super) async fn take(change: &Change, wanted: UploadToAttach) -> Result<NewAttachment, Error> {
    let condition = "alias = $2 AND module_id = $3 AND token_id IS NOT DISTINCT FROM $4 AND expires_on > $5";
    let values = values![&wanted.alias, wanted.module_id, change.token(), change.now];
    let Some(row) = remove(change, condition, values).await?.pop() else {
        return Err(Error::Refused(vec![Refusal::reference("/alias", "temporary upload", wanted.alias)]));
    };
    let sql = "SELECT hash, blob, size, media_type FROM contents WHERE tenant_id = $1 AND hash = $2";
    let contents = change.rows(Statement::new(sql, values![change.tenant.0, row.get::<Value>(3)?])).await?;
    Ok(NewAttachment {
        module_id: wanted.module_id,
        object_id: wanted.object_id,
        original_file_name: row.get(0)?,
        alias_name: wanted.alias,
        file_type: row.get(2)?,
        content: contents.first().map_or(Err(Error::Unclaimed), content::read)?,
    })
}

/// Removes the uploads that satisfy a condition; returns name, alias, type and hash of each.
async fn remove(change: &Change, condition: &str, values: Vec<Value>) -> Result<Vec<Row>, Error> {
    let returned = "name, alias, file_type, hash";
    let sql = format!("DELETE FROM temporary_uploads WHERE tenant_id = $1 AND {condition} RETURNING {returned}");
    let rows = change.rows(Statement::new(sql, [values![change.tenant.0], values].concat())).await?;
    for row in &rows {
        let before = output(row.get(0)?, row.get(1)?, row.get(2)?);
        change.note(&subject(&row.get::<String>(1)?), Some(text::json(&before)), None);
    }
    Ok(rows)
}

/// An upload in a response.
fn output(name: String, alias: String, file_type: Option<String>) -> TempAttachment {
    TempAttachment {
        name: Maybe::Value(name),
        alias: Maybe::Value(alias),
        file_type: Maybe::or_null(file_type),
        is_uploaded_to_blob: Maybe::Value(true),
    }
}

fn subject(alias: &str) -> Subject {
    Subject::new("TemporaryAttachment", alias)
}
