//! Attachments.

use generated_server::models::Attachment;
use rusqlite::{OptionalExtension, params};

use super::{change::Change, content, object, view::View};
use crate::{
    domain::{
        attachment::{AttachmentKey, Content, NewAttachment, UploadToAttach},
        caller::Visibility,
        change::Subject,
        list::{ListQuery, Listed},
        module::Module,
        refusal::Refusal,
    },
    store::{
        Condition, Error,
        sql::{
            Part, array,
            attachment::{ATTACHMENT, of_object},
            fold, text,
        },
    },
};

/// The one row of a place.
const AT: &str = "tenant_id = ?1 AND module_id = ?2 AND object_id = ?3 AND id = ?4";

pub(super) fn list(
    view: &View<'_>,
    (module, object): (i32, i32),
    query: &ListQuery,
) -> Result<Listed<Attachment>, Error> {
    let part = Part { sort: &query.sort, exclude: query.exclude, window: query.window };
    let attachments = ATTACHMENT.list(view, &*view.names()?, &of_object(view.viewer(), module, object), part)?;
    Ok(attachments.without_ids())
}

pub(super) fn one(view: &View<'_>, key: AttachmentKey) -> Result<Option<Attachment>, Error> {
    let mut conditions = of_object(view.viewer(), key.module_id, key.object_id);
    conditions.equal("id", Some(key.id), None);
    Ok(ATTACHMENT.one(view, &*view.names()?, &conditions)?.map(|(_, attachment)| attachment))
}

/// An attachment, and what it holds.
pub(super) fn content(view: &View<'_>, key: AttachmentKey) -> Result<Option<(Attachment, Content)>, Error> {
    let Some(attachment) = one(view, key)? else { return Ok(None) };
    let sql = "SELECT c.hash, c.blob, c.size, c.media_type FROM attachments AS a JOIN contents AS c
               ON c.tenant_id = a.tenant_id AND c.hash = a.hash
               WHERE a.tenant_id = ?1 AND a.module_id = ?2 AND a.object_id = ?3 AND a.id = ?4";
    let place = (view.tenant.0, key.module_id, key.object_id, key.id);
    let content = view.connection.prepare_cached(sql)?.query_row(place, content::read)?;
    Ok(Some((attachment, content)))
}

pub(super) fn create(change: &Change<'_>, new: &NewAttachment) -> Result<Attachment, Error> {
    let id = change.next_id("attachments")?;
    let author: Option<String> = match change.assignee {
        Some(assignee) => change
            .connection()
            .prepare_cached("SELECT name FROM assignees WHERE tenant_id = ?1 AND id = ?2")?
            .query_row((change.tenant(), assignee), |row| row.get(0))
            .optional()?,
        None => None,
    };
    content::hold_claimed(change, &new.content)?;
    let sql = "INSERT INTO attachments (tenant_id, module_id, object_id, id, original_file_name, \
               original_file_name_folded, alias_name, file_type, created_by_id, created_by_name, created_on, hash) \
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)";
    change.connection().prepare_cached(sql)?.execute(params![
        change.tenant(),
        new.module_id,
        new.object_id,
        id,
        new.original_file_name,
        fold(&new.original_file_name),
        new.alias_name,
        new.file_type,
        change.assignee,
        author,
        change.now(),
        new.content.hash.0,
    ])?;
    let key = AttachmentKey { module_id: new.module_id, object_id: new.object_id, id };
    let created = written(change, key)?;
    note(change, key, None, Some(&created))?;
    Ok(created)
}

/// Makes an attachment of a temporary upload, which is none any more.
pub(super) fn create_of_upload(change: &Change<'_>, wanted: UploadToAttach) -> Result<Attachment, Error> {
    let Some(upload) = content::take_upload(change, wanted.module_id, &wanted.alias)? else {
        return Err(Error::Refused(vec![Refusal::reference("/alias", "temporary upload", wanted.alias)]));
    };
    let new = NewAttachment {
        module_id: wanted.module_id,
        object_id: wanted.object_id,
        original_file_name: upload.name,
        alias_name: upload.alias,
        file_type: upload.file_type,
        content: upload.content,
    };
    create(change, &new)
}

fn written(change: &Change<'_>, key: AttachmentKey) -> Result<Attachment, Error> {
    let gone = || Error::Damaged(format!("attachment {} is gone while it is written", key.id));
    one(&change.view, key)?.ok_or_else(gone)
}

fn note(
    change: &Change<'_>,
    key: AttachmentKey,
    before: Option<&Attachment>,
    after: Option<&Attachment>,
) -> Result<(), Error> {
    let subject = Subject::new("Attachment", key.id).of_account(account(change, key)?);
    change.note(&subject, before.map(text::json), after.map(text::json))
}

/// False when it is not there.
pub(super) fn rename(
    change: &Change<'_>,
    key: AttachmentKey,
    condition: &Condition<Attachment>,
    name: &str,
) -> Result<bool, Error> {
    let Some(before) = one(&change.view, key)? else { return Ok(false) };
    if !condition.holds(&before) {
        return Err(Error::NotAsExpected);
    }
    let sql = format!("UPDATE attachments SET original_file_name = ?5, original_file_name_folded = ?6 WHERE {AT}");
    let values = (change.tenant(), key.module_id, key.object_id, key.id, name, fold(name));
    change.connection().prepare_cached(&sql)?.execute(values)?;
    note(change, key, Some(&before), Some(&written(change, key)?))?;
    Ok(true)
}

/// False when it is not there.
pub(super) fn delete(
    change: &Change<'_>,
    key: AttachmentKey,
    condition: &Condition<Attachment>,
) -> Result<bool, Error> {
    let Some(before) = one(&change.view, key)? else { return Ok(false) };
    if !condition.holds(&before) {
        return Err(Error::NotAsExpected);
    }
    let sql = format!("DELETE FROM attachments WHERE {AT}");
    let place = (change.tenant(), key.module_id, key.object_id, key.id);
    change.connection().prepare_cached(&sql)?.execute(place)?;
    note(change, key, Some(&before), None)?;
    Ok(true)
}

/// How many of them were there, on objects that may be seen.
pub(super) fn delete_all(change: &Change<'_>, ids: &[i32], visible: &Visibility) -> Result<u64, Error> {
    let sql = "SELECT module_id, object_id, id FROM attachments
               WHERE tenant_id = ?1 AND id IN (SELECT value FROM json_each(?2))";
    let mut statement = change.connection().prepare_cached(sql)?;
    let keys = statement.query_map((change.tenant(), array(ids)), |row| {
        Ok(AttachmentKey { module_id: row.get(0)?, object_id: row.get(1)?, id: row.get(2)? })
    })?;
    let mut deleted = 0;
    for key in keys.collect::<Result<Vec<_>, _>>()? {
        if is_visible(change, key, visible)? && delete(change, key, &Condition::none())? {
            deleted += 1;
        }
    }
    Ok(deleted)
}

fn is_visible(change: &Change<'_>, key: AttachmentKey, visible: &Visibility) -> Result<bool, Error> {
    Ok(account(change, key)?.is_some_and(|account| visible.includes(account)))
}

/// The account that the object of an attachment is or belongs to.
fn account(change: &Change<'_>, key: AttachmentKey) -> Result<Option<i32>, Error> {
    match Module::of_id(key.module_id) {
        Some(module) => object::account(&change.view, module, key.object_id),
        None => Ok(None),
    }
}
