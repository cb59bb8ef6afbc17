//! Company settings.

use std::{collections::BTreeMap, sync::Arc};

use generated_server::runtime::json::{self, Value};

use super::{operation::*, resource::COMPANY_SETTINGS, text};

type Settings = BTreeMap<String, Value>;

/// Maximum length of all settings of a tenant: about half of a response, because they are returned together.
const MOST: i64 = 4 << 20;

impl TenantStore {
    /// Every setting, or the one with this key.
    pub async fn settings(&self, key: Option<String>) -> Result<Settings, Error> {
        let cost = if key.is_some() { Cost::Short } else { Cost::Long };
        self.view(cost, key, settings).await
    }

    /// Sets some settings and keeps the others. [`Error::NotAsExpected`] if the condition does not hold for
    /// all settings.
    pub async fn put_settings(
        &self,
        module: i32,
        settings: Settings,
        condition: Condition<Settings>,
    ) -> Result<(), Error> {
        self.change((module, Arc::new(settings), condition), put).await
    }
}

async fn settings(view: View, key: Option<String>) -> Result<Settings, Error> {
    let mut sql = "SELECT key, value FROM company_settings WHERE tenant_id = $1".to_owned();
    let mut values = values![view.tenant.0];
    if let Some(key) = key {
        sql.push_str(" AND key = $2");
        values.push(key.into());
    }
    let mut settings = BTreeMap::new();
    for mut row in view.rows(Statement::new(sql, values)).await? {
        let (key, text): (String, String) = (row.take(0)?, row.take(1)?);
        view.spend(key.len() + text.len())?;
        let value = json::from_slice(text.as_bytes())
            .map_err(|_| Error::Damaged(format!("the store holds no proper JSON in the setting {key}")))?;
        settings.insert(key, value);
    }
    Ok(settings)
}

async fn put(change: Change, (module, new, condition): (i32, Arc<Settings>, Condition<Settings>)) -> Result<(), Error> {
    // Serialize writes: two that create the same key would both find none.
    change.rows(change.hold("company_settings")).await?;
    if let Some(expected) = condition
        && !expected(&settings(change.view.clone(), None).await?)
    {
        return Err(Error::NotAsExpected);
    }
    let taken = "SELECT CAST(coalesce(sum(octet_length(key) + octet_length(value) + 64), 0) AS bigint)
                 FROM company_settings WHERE tenant_id = $1";
    let taken = Statement::new(taken, values![change.tenant.0]);
    let among = change.session.dialect().among_texts("key", "$2");
    let present = format!("SELECT key, module_id, value FROM company_settings WHERE tenant_id = $1 AND {among}");
    let present = Statement::new(present, values![change.tenant.0, array(new.keys().map(String::as_str))]);
    let [before, present] = change.session.run([taken.clone(), present]).await?;
    let mut known = BTreeMap::new();
    for row in present {
        known.insert(row.get::<String>(0)?, described(row.get(1)?, &row.get::<String>(2)?));
    }
    let mut statements = Vec::new();
    for (key, value) in &*new {
        let value = text::json(value);
        let (before, after) = (known.remove(key), described(module, &value));
        if before.as_ref() == Some(&after) {
            continue;
        }
        let sql = "INSERT INTO company_settings (tenant_id, key, module_id, value) VALUES ($1, $2, $3, $4)
                   ON CONFLICT (tenant_id, key) DO UPDATE SET module_id = excluded.module_id, value = excluded.value";
        statements.push(Statement::new(sql, values![change.tenant.0, key, module, value]));
        change.note(&Subject::new(COMPANY_SETTINGS.kind, key), before, Some(after));
    }
    statements.push(taken);
    let after = change.session.all(statements).await?.pop().unwrap_or_default();
    let (before, after): (Option<i64>, Option<i64>) = (first(&before)?, first(&after)?);
    match after {
        // A write that shrinks them is accepted.
        Some(after) if after > MOST && before < Some(after) => {
            let detail = format!("would make all settings take {after} bytes, at most {MOST}");
            Err(Error::Refused(vec![Refusal::new("/Settings", "maxLength", detail)]))
        }
        _ => Ok(()),
    }
}

/// A setting for the audit log; `value` is JSON.
fn described(module: i32, value: &str) -> String {
    format!(r#"{{"ModuleId":{module},"Value":{value}}}"#)
}
