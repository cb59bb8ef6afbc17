//! Attachments.

use std::collections::HashMap;

use generated_server::models::Attachment;
use serde_json::json;

use super::{
    change::Change,
    content,
    numbers::Numbers,
    session::{Query, parameters},
    value::Parameter,
    view::View,
};
use crate::{
    domain::{
        attachment::{AttachmentKey, Content, NewAttachment, UploadToAttach},
        caller::Visibility,
        change::Subject,
        list::{Exclude, ListQuery, Listed},
        module::Module,
        refusal::Refusal,
    },
    store::{
        Condition, Error,
        record::Value,
        sql::{
            Part,
            attachment::{ATTACHMENT, of_object},
            fold, text,
        },
    },
};

/// The one row of a place.
const AT: &str = "tenant_id = $1 AND module_id = $2 AND object_id = $3 AND id = $4";

fn at(tenant: i32, key: AttachmentKey) -> Vec<Parameter> {
    parameters![tenant, key.module_id, key.object_id, key.id]
}

/// What asks for the account that an object is or belongs to: the row that is found, if there is one.
fn of_account(view: &View, module: Module, id: i32) -> Query {
    let sql = match module {
        Module::Accounts => "SELECT id FROM accounts WHERE tenant_id = $1 AND id = $2",
        Module::Contacts => "SELECT account_id FROM contacts WHERE tenant_id = $1 AND id = $2",
    };
    Query::new(sql, parameters![view.tenant.0, id])
}

pub(super) async fn account(view: View, module: Module, id: i32) -> Result<Option<i32>, Error> {
    let rows = view.session.rows(of_account(&view, module, id)).await?;
    Ok(rows.first().map(|row| row.try_get(0)).transpose()?)
}

pub(super) async fn list(
    view: View,
    (module, object): (i32, i32),
    query: ListQuery,
) -> Result<Listed<Attachment>, Error> {
    let part = Part { sort: &query.sort, exclude: query.exclude, window: query.window };
    view.list(&ATTACHMENT, &of_object(view.viewer(), module, object), part).await
}

fn found(view: &View, key: AttachmentKey) -> Query {
    let mut conditions = of_object(view.viewer(), key.module_id, key.object_id);
    conditions.equal("id", Some(key.id), None);
    ATTACHMENT.found(&conditions)
}

pub(super) async fn one(view: View, key: AttachmentKey) -> Result<Option<Attachment>, Error> {
    let (names, [rows]) = view.named([found(&view, key)]).await?;
    let mut attachments = view.records(ATTACHMENT.columns, Exclude::default(), &names, &rows)?;
    Ok(attachments.pop().map(|(_, attachment)| attachment))
}

/// An attachment, and what it holds.
pub(super) async fn content(view: View, key: AttachmentKey) -> Result<Option<(Attachment, Content)>, Error> {
    let sql = "SELECT c.hash, c.blob, c.size, c.media_type FROM attachments AS a JOIN contents AS c
               ON c.tenant_id = a.tenant_id AND c.hash = a.hash
               WHERE a.tenant_id = $1 AND a.module_id = $2 AND a.object_id = $3 AND a.id = $4";
    let (names, [rows, contents]) = view.named([found(&view, key), Query::new(sql, at(view.tenant.0, key))]).await?;
    let mut attachments = view.records(ATTACHMENT.columns, Exclude::default(), &names, &rows)?;
    let content = contents.first().map(|row| content::read(row, 0)).transpose()?;
    Ok(attachments.pop().map(|(_, attachment)| attachment).zip(content))
}

pub(super) async fn create(change: Change, mut numbers: Numbers, new: NewAttachment) -> Result<Attachment, Error> {
    let id = numbers.id("attachments")?;
    let sql = "INSERT INTO attachments (tenant_id, module_id, object_id, id, original_file_name, \
               original_file_name_folded, alias_name, file_type, created_by_id, created_by_name, created_on, hash) \
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, (SELECT name FROM assignees WHERE tenant_id = $1 AND id = $9), \
               $10, $11)";
    let insert = Query::new(
        sql,
        parameters![
            change.tenant(),
            new.module_id,
            new.object_id,
            id,
            &new.original_file_name,
            fold(&new.original_file_name),
            &new.alias_name,
            new.file_type.as_deref(),
            change.assignee,
            change.now(),
            new.content.hash.0,
        ],
    );
    content::hold_claimed(&change, &new.content).await?;
    change.session().run([insert]).await?;
    let key = AttachmentKey { module_id: new.module_id, object_id: new.object_id, id };
    let created = written(&change, key).await?;
    note(&change, key, None, Some(&created)).await?;
    Ok(created)
}

/// Makes an attachment of a temporary upload, which is none any more.
pub(super) async fn create_of_upload(
    change: Change,
    numbers: Numbers,
    wanted: UploadToAttach,
) -> Result<Attachment, Error> {
    let Some(upload) = content::take_upload(&change, wanted.module_id, &wanted.alias).await? else {
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
    create(change, numbers, new).await
}

async fn written(change: &Change, key: AttachmentKey) -> Result<Attachment, Error> {
    let gone = || Error::Damaged(format!("attachment {} is gone while it is written", key.id));
    one(change.view.clone(), key).await?.ok_or_else(gone)
}

async fn note(
    change: &Change,
    key: AttachmentKey,
    before: Option<&Attachment>,
    after: Option<&Attachment>,
) -> Result<(), Error> {
    let account = match Module::of_id(key.module_id) {
        Some(module) => account(change.view.clone(), module, key.object_id).await?,
        None => None,
    };
    let subject = Subject::new("Attachment", key.id).of_account(account);
    change.note(&subject, before.map(text::json), after.map(text::json));
    Ok(())
}

/// The attachment as it is, once nobody else can change it.
async fn held(
    change: &Change,
    key: AttachmentKey,
    condition: &Condition<Attachment>,
) -> Result<Option<Attachment>, Error> {
    let sql = format!("SELECT 1 FROM attachments WHERE {AT} FOR NO KEY UPDATE");
    change.rows(sql, at(change.tenant(), key)).await?;
    let Some(before) = one(change.view.clone(), key).await? else { return Ok(None) };
    if condition.holds(&before) { Ok(Some(before)) } else { Err(Error::NotAsExpected) }
}

/// False when it is not there.
pub(super) async fn rename(
    change: Change,
    key: AttachmentKey,
    condition: &Condition<Attachment>,
    name: String,
) -> Result<bool, Error> {
    let Some(before) = held(&change, key, condition).await? else { return Ok(false) };
    let sql = format!("UPDATE attachments SET original_file_name = $5, original_file_name_folded = $6 WHERE {AT}");
    let mut values = at(change.tenant(), key);
    values.extend(parameters![&name, fold(&name)]);
    change.rows(sql, values).await?;
    note(&change, key, Some(&before), Some(&written(&change, key).await?)).await?;
    change.finish([]).await?;
    Ok(true)
}

/// False when it is not there.
pub(super) async fn delete(
    change: Change,
    key: AttachmentKey,
    condition: &Condition<Attachment>,
) -> Result<bool, Error> {
    let Some(before) = held(&change, key, condition).await? else { return Ok(false) };
    change.rows(format!("DELETE FROM attachments WHERE {AT}"), at(change.tenant(), key)).await?;
    note(&change, key, Some(&before), None).await?;
    change.finish([]).await?;
    Ok(true)
}

/// How many of them were there, on objects that may be seen.
pub(super) async fn delete_all(change: Change, ids: Vec<i32>, visible: Visibility) -> Result<u64, Error> {
    // The account of each is asked for beside it.
    let sql = "SELECT a.module_id, a.object_id, a.id, CASE
                   WHEN a.module_id = $3 THEN
                       (SELECT o.id FROM accounts AS o WHERE o.tenant_id = a.tenant_id AND o.id = a.object_id)
                   WHEN a.module_id = $4 THEN
                       (SELECT c.account_id FROM contacts AS c WHERE c.tenant_id = a.tenant_id AND c.id = a.object_id)
                   END
               FROM attachments AS a WHERE a.tenant_id = $1
               AND a.id = ANY (ARRAY(SELECT value::integer FROM json_array_elements_text($2::text::json)))
               ORDER BY a.id FOR NO KEY UPDATE OF a";
    let wanted = json!(ids).to_string();
    let (accounts, contacts) = (Module::Accounts.id(), Module::Contacts.id());
    let rows = change.rows(sql, parameters![change.tenant(), wanted, accounts, contacts]).await?;
    let (mut seen, mut keys) = (HashMap::new(), Vec::new());
    for row in &rows {
        let account: Option<i32> = row.try_get(3)?;
        if let Some(account) = account.filter(|account| visible.includes(*account)) {
            let (module, object, id): (i32, i32, i32) = (row.try_get(0)?, row.try_get(1)?, row.try_get(2)?);
            keys.push(json!({"module_id": module, "object_id": object, "id": id}));
            seen.insert((module, object, id), account);
        }
    }
    let mut these = change.view.viewer().conditions_of(&[]);
    let listed = "(module_id, object_id, id) IN (
        SELECT module_id, object_id, id FROM json_populate_recordset(NULL::attachments, ?))";
    these.add(listed, [Value::Text(json!(keys).to_string())], None);
    let (names, [removed]) = change.view.named([ATTACHMENT.removed(&these)]).await?;
    let mut removed = change.view.records(ATTACHMENT.columns, Exclude::default(), &names, &removed)?;
    removed.sort_unstable_by_key(|(id, _)| *id);
    for (id, before) in removed {
        let key = before.module_id.value().copied().zip(before.object_id.value().copied()).zip(before.id);
        let account = key.and_then(|((module, object), id)| seen.get(&(module, object, id)).copied());
        change.note(&Subject::new("Attachment", id).of_account(account), Some(text::json(&before)), None);
    }
    change.finish([]).await?;
    Ok(seen.len() as u64)
}
