//! Company settings.

use std::collections::BTreeMap;

use generated_server::runtime::json::{self, Value};
use serde_json::json;

use super::{
    change::{Change, hold},
    session::{Query, parameters},
    view::View,
};
use crate::{
    domain::change::Subject,
    store::{
        Condition, Error,
        sql::{self, setting::TAKEN},
    },
};

/// Every setting, or the one with that key.
pub(super) async fn settings(view: View, key: Option<String>) -> Result<BTreeMap<String, Value>, Error> {
    let sql = "SELECT key, value FROM company_settings WHERE tenant_id = $1 AND ($2::text IS NULL OR key = $2)";
    let rows = view.session.rows(Query::new(sql, parameters![view.tenant.0, key])).await?;
    let mut settings = BTreeMap::new();
    for row in rows {
        let (key, text): (String, &str) = (row.try_get(0)?, row.try_get(1)?);
        view.spend(key.len() + text.len())?;
        let value = json::from_slice(text.as_bytes())
            .map_err(|_| Error::Damaged(format!("the store holds no proper JSON in the setting {key}")))?;
        settings.insert(key, value);
    }
    Ok(settings)
}

/// Sets these and leaves the others, when all are as expected.
pub(super) async fn put(
    change: Change,
    module: i32,
    new: BTreeMap<String, Value>,
    condition: &Condition<BTreeMap<String, Value>>,
) -> Result<(), Error> {
    let texts: BTreeMap<String, String> = new
        .iter()
        .map(|(key, value)| (key.clone(), String::from_utf8_lossy(&json::to_vec(value)).into_owned()))
        .collect();
    let keys = json!(texts.keys().collect::<Vec<_>>()).to_string();
    let sql = "SELECT key, module_id, value FROM company_settings WHERE tenant_id = $1
               AND key = ANY (ARRAY(SELECT value FROM json_array_elements_text($2::text::json)))
               ORDER BY key";
    let mut present: BTreeMap<String, (i32, String)> = BTreeMap::new();
    // One after the other: two that set the same key first would both find none.
    let lock = hold(change.tenant(), "company_settings");
    let present_ones = Query::new(sql, parameters![change.tenant(), keys]);
    let taken = Query::new(format!("{TAKEN} = $1"), parameters![change.tenant()]);
    let [_, found, taken] = change.session().run([lock, present_ones, taken]).await?;
    if condition.is_some() && !condition.holds(&settings(change.view.clone(), None).await?) {
        return Err(Error::NotAsExpected);
    }
    let taken: i64 = taken.first().map(|row| row.try_get(0)).transpose()?.unwrap_or(0);
    let mut growth = 0;
    for row in found {
        present.insert(row.try_get(0)?, (row.try_get(1)?, row.try_get(2)?));
    }
    let mut rows = Vec::new();
    for (key, text) in &texts {
        let found = present.get(key);
        if found.is_some_and(|(found_module, found)| (*found_module, found) == (module, text)) {
            continue;
        }
        growth += sql::setting::growth(key, found.map(|(_, before)| before.as_str()), text);
        rows.push(json!({"tenant_id": change.tenant(), "key": key, "module_id": module, "value": text}));
        let before = found.map(|(module, value)| described(*module, value));
        change.note(&Subject::new("CompanySetting", key), before, Some(described(module, text)));
    }
    if rows.is_empty() {
        return Ok(());
    }
    sql::setting::check(taken.saturating_add(growth), growth)?;
    let sql = "INSERT INTO company_settings (tenant_id, key, module_id, value)
               SELECT tenant_id, key, module_id, value FROM json_populate_recordset(NULL::company_settings, $1)
               ON CONFLICT (tenant_id, key) DO UPDATE SET module_id = excluded.module_id, value = excluded.value";
    let put = Query::new(sql, parameters![serde_json::Value::Array(rows).to_string()]);
    change.finish([put]).await
}

/// A setting for the audit log; `value` is JSON.
fn described(module: i32, value: &str) -> String {
    format!(r#"{{"ModuleId":{module},"Value":{value}}}"#)
}
