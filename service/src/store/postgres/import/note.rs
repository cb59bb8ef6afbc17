//! Notes in the audit log what an import has written.

use std::collections::{HashMap, HashSet};

use serde_json::json;

use super::{
    Loader,
    link::Link,
    row::{key, own},
};
use crate::store::{
    Error,
    postgres::{
        export::{plain, texts},
        session::parameters,
        value::owned,
    },
    record::{
        Record, Resource, Value,
        audited::{self, Owner, text},
    },
};

impl Loader<'_> {
    /// Notes records that were written, and were this before.
    pub(super) async fn note(
        &mut self,
        resource: &'static Resource,
        records: Vec<Record>,
        before: HashMap<String, String>,
    ) -> Result<(), Error> {
        // What the import leaves out of a record that is there stays there.
        let after = if before.is_empty() { HashMap::new() } else { self.present(resource, &records).await? };
        let accounts = self.accounts(resource, &records).await?;
        for record in records {
            let parent = resource.parent().map(|position| &record.values[position]);
            let is_linked =
                if let (Some(Value::Integer(parent)), Value::Integer(id)) = (parent, &record.values[own(resource)]) {
                    self.links.push(Link { resource, place: record.place, id: *id, parent: *parent });
                    true
                } else {
                    false
                };
            let key = key(resource, &record);
            match before.get(&key) {
                Some(before) if is_linked => self.updated.push((resource, record, before.clone())),
                Some(before) => {
                    let after = after.get(&key).cloned().unwrap_or_default();
                    self.note_record(resource, &record, &accounts, Some(before.clone()), after);
                }
                None => self.note_record(resource, &record, &accounts, None, text(resource, &record)),
            }
        }
        if let Some(noted) = self.change.noted() {
            self.change.session().rows(noted).await?;
        }
        Ok(())
    }

    pub(super) fn note_record(
        &self,
        resource: &'static Resource,
        record: &Record,
        accounts: &HashMap<String, i32>,
        before: Option<String>,
        after: String,
    ) {
        let account = match audited::account(resource, record) {
            Owner::None => None,
            Owner::Account(account) => Some(account),
            Owner::Of(_, key) => accounts.get(&texts(std::slice::from_ref(key))).copied(),
        };
        let (subject, before, after) = audited::change(resource, record, account, before, after);
        self.change.note(&subject, before, after);
    }

    /// The accounts of the contacts or agents that records belong to.
    async fn accounts(&self, resource: &'static Resource, records: &[Record]) -> Result<HashMap<String, i32>, Error> {
        let mut owner = None;
        let mut wanted = HashSet::new();
        for record in records {
            if let Owner::Of(target, key) = audited::account(resource, record) {
                owner = Some(target);
                wanted.insert(json!({"id": plain(key)}).to_string());
            }
        }
        let Some(owner) = owner else { return Ok(HashMap::new()) };
        let table = owner.table;
        let sql = format!(
            "SELECT t.id, t.account_id FROM {table} AS t
             JOIN json_populate_recordset(NULL::{table}, $2) AS k ON k.id = t.id WHERE t.tenant_id = $1"
        );
        let wanted = format!("[{}]", wanted.into_iter().collect::<Vec<_>>().join(","));
        let mut accounts = HashMap::new();
        for row in self.change.rows(sql, parameters![self.change.tenant(), wanted]).await? {
            if let Some(account) = row.try_get(1)? {
                accounts.insert(texts(&[owned(&row, 0)?]), account);
            }
        }
        Ok(accounts)
    }
}
