//! Attachments.

use std::collections::HashMap;

use generated_server::models::Attachment;

use super::{
    content,
    operation::*,
    resource::{ATTACHMENT, ATTACHMENTS},
    text::{self, fold},
    upload,
};
use crate::domain::{
    attachment::{AttachmentKey, Content, NewAttachment, UploadToAttach},
    module::Module,
};

/// Selects one attachment.
const AT: &str = "tenant_id = $1 AND module_id = $2 AND object_id = $3 AND id = $4";

impl TenantStore {
    /// The account of an object; `None` if the object does not exist.
    pub async fn account_of_object(&self, module: Module, object: i32) -> Result<Option<i32>, Error> {
        self.view(Cost::Short, (module, object), |view, (module, object)| async move {
            let sql = match module {
                Module::Accounts => "SELECT id FROM accounts WHERE tenant_id = $1 AND id = $2",
                Module::Contacts => "SELECT account_id FROM contacts WHERE tenant_id = $1 AND id = $2",
            };
            view.session.first(Statement::new(sql, values![view.tenant.0, object])).await
        })
        .await
    }

    /// The attachments of an object; see [`ATTACHMENT`].
    pub async fn attachments(&self, module: i32, object: i32, query: ListQuery) -> Result<Listed<Attachment>, Error> {
        let conditions = self.conditions().of("module_id", module).of("object_id", object);
        self.page(&ATTACHMENT, conditions, query, plain).await
    }

    /// One attachment.
    pub async fn attachment(&self, key: AttachmentKey) -> Result<Option<Attachment>, Error> {
        self.view(Cost::Short, key, |view, key| async move { one(&view, key).await }).await
    }

    /// An attachment and its content.
    pub async fn attachment_content(&self, key: AttachmentKey) -> Result<Option<(Attachment, Content)>, Error> {
        self.view(Cost::Short, key, |view, key| async move {
            let Some(attachment) = one(&view, key).await? else { return Ok(None) };
            let sql = format!(
                "SELECT hash, blob, size, media_type FROM contents
                 WHERE tenant_id = $1 AND hash = (SELECT hash FROM attachments WHERE {AT})"
            );
            let rows = view.rows(Statement::new(sql, at(view.tenant.0, key))).await?;
            Ok(Some(attachment).zip(rows.first().map(content::read).transpose()?))
        })
        .await
    }

    /// Creates an attachment with a claimed and stored content, once per key.
    pub async fn create_attachment(
        &self,
        new: NewAttachment,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<Attachment>, Error> {
        self.change_once(key, new, create).await
    }

    /// Turns a temporary upload into an attachment, once per key. Refused unless the writer has a current
    /// upload with this alias for the module.
    pub async fn attach_temporary_upload(
        &self,
        upload: UploadToAttach,
        key: Option<IdempotencyKey>,
    ) -> Result<Done<Attachment>, Error> {
        self.change_once(key, upload, |change, upload| async move {
            let new = upload::take(&change, upload).await?;
            create(change, new).await
        })
        .await
    }

    /// Renames an attachment if the condition holds; `false` if it does not exist.
    pub async fn rename_attachment(
        &self,
        key: AttachmentKey,
        condition: Condition<Attachment>,
        name: String,
    ) -> Result<bool, Error> {
        self.change((key, condition, name), |change, (key, condition, name)| async move {
            let Some((before, account)) = held(&change, key, condition).await? else { return Ok(false) };
            let set = "SET original_file_name = $5, original_file_name_folded = $6";
            let values = [at(change.tenant.0, key), values![&name, fold(&name)]].concat();
            change.rows(Statement::new(format!("UPDATE attachments {set} WHERE {AT}"), values)).await?;
            let after = written(&change, key).await?;
            note(&change, key.id, account, Some(&before), Some(&after));
            Ok(true)
        })
        .await
    }

    /// Deletes an attachment if the condition holds; `false` if it does not exist.
    pub async fn delete_attachment(&self, key: AttachmentKey, condition: Condition<Attachment>) -> Result<bool, Error> {
        self.change((key, condition), |change, (key, condition)| async move {
            let Some((before, account)) = held(&change, key, condition).await? else { return Ok(false) };
            let sql = format!("DELETE FROM attachments WHERE {AT}");
            change.rows(Statement::new(sql, at(change.tenant.0, key))).await?;
            note(&change, key.id, account, Some(&before), None);
            Ok(true)
        })
        .await
    }

    /// Deletes the existing attachments of visible objects; all or none.
    pub async fn delete_attachments(&self, ids: Vec<i32>) -> Result<u64, Error> {
        self.change(ids, delete_all).await
    }
}

fn at(tenant: i32, key: AttachmentKey) -> Vec<Value> {
    values![tenant, key.module_id, key.object_id, key.id]
}

/// Selects the accounts of attachments' objects, and the ids of the attachments.
fn accounts(condition: &str) -> String {
    let (accounts, contacts) = (Module::Accounts.id(), Module::Contacts.id());
    format!(
        "SELECT CASE module_id
             WHEN {accounts} THEN (SELECT o.id FROM accounts AS o
                 WHERE o.tenant_id = attachments.tenant_id AND o.id = attachments.object_id)
             WHEN {contacts} THEN (SELECT o.account_id FROM contacts AS o
                 WHERE o.tenant_id = attachments.tenant_id AND o.id = attachments.object_id)
         END, id FROM attachments WHERE {condition}"
    )
}

async fn one(view: &View, key: AttachmentKey) -> Result<Option<Attachment>, Error> {
    let conditions = view.conditions().of("module_id", key.module_id).of("object_id", key.object_id).of("id", key.id);
    view.one(&ATTACHMENT, &conditions).await
}

async fn written(change: &Change, key: AttachmentKey) -> Result<Attachment, Error> {
    let gone = || Error::Damaged(format!("attachment {} is gone while it is written", key.id));
    one(&change.view, key).await?.ok_or_else(gone)
}

/// The attachment, locked against other writes, and its account.
async fn held(
    change: &Change,
    key: AttachmentKey,
    condition: Condition<Attachment>,
) -> Result<Option<(Attachment, Option<i32>)>, Error> {
    let sql = accounts(AT) + change.session.dialect().for_update();
    let rows = change.rows(Statement::new(sql, at(change.tenant.0, key))).await?;
    let Some(before) = one(&change.view, key).await? else { return Ok(None) };
    if condition.is_some_and(|expected| !expected(&before)) {
        return Err(Error::NotAsExpected);
    }
    Ok(Some((before, first(&rows)?)))
}

fn note(change: &Change, id: i32, account: Option<i32>, before: Option<&Attachment>, after: Option<&Attachment>) {
    let subject = Subject::new(ATTACHMENTS.kind, id).of_account(account);
    change.note(&subject, before.map(text::json), after.map(text::json));
}

async fn create(change: Change, new: NewAttachment) -> Result<Attachment, Error> {
    let id = change.id("attachments").await?;
    content::hold_claimed(&change, &new.content).await?;
    let sql = "INSERT INTO attachments (tenant_id, module_id, object_id, id, original_file_name, \
               original_file_name_folded, alias_name, file_type, created_by_id, created_by_name, created_on, hash) \
               VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, (SELECT name FROM assignees WHERE tenant_id = $1 AND id = $9), \
               $10, $11)";
    let key = AttachmentKey { module_id: new.module_id, object_id: new.object_id, id };
    let values = values![
        &new.original_file_name,
        fold(&new.original_file_name),
        new.alias_name,
        new.file_type,
        change.actor.assignee,
        change.now,
        new.content.hash.0,
    ];
    let insert = Statement::new(sql, [at(change.tenant.0, key), values].concat());
    let account = Statement::new(accounts(AT), at(change.tenant.0, key));
    let [_, account] = change.session.run([insert, account]).await?;
    let created = written(&change, key).await?;
    note(&change, id, first(&account)?, None, Some(&created));
    Ok(created)
}

async fn delete_all(change: Change, ids: Vec<i32>) -> Result<u64, Error> {
    let among = |ids: &[i32]| {
        let mut conditions = change.conditions();
        conditions.among("id", ids);
        conditions
    };
    let wanted = among(&ids);
    let sql = accounts(&wanted.sql) + " ORDER BY id" + change.session.dialect().for_update();
    let mut seen = HashMap::new();
    for row in change.rows(Statement::new(sql, wanted.values)).await? {
        let account: Option<i32> = row.get(0)?;
        if let Some(account) = account.filter(|account| change.visible.includes(*account)) {
            seen.insert(row.get::<i32>(1)?, account);
        }
    }
    let these = among(&seen.keys().copied().collect::<Vec<_>>());
    let delete = format!("DELETE FROM attachments WHERE {}", these.sql);
    let statements = [ATTACHMENT.found(&these), Statement::new(delete, these.values)];
    let mut removed = change.named(statements).await?.records(&ATTACHMENT)?;
    removed.sort_unstable_by_key(|(id, _)| *id);
    for (_, before) in &removed {
        let id = before.id.unwrap_or_default();
        note(&change, id, seen.get(&id).copied(), Some(before), None);
    }
    Ok(removed.len() as u64)
}
