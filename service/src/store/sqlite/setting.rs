//! Company settings.

use std::collections::BTreeMap;

use generated_server::runtime::json::{self, Value};
use rusqlite::OptionalExtension;

use super::{change::Change, view::View};
use crate::{
    domain::change::Subject,
    store::{
        Condition, Error,
        sql::{self, setting::TAKEN},
    },
};

/// Every setting, or the one with that key.
pub(super) fn settings(view: &View<'_>, key: Option<&str>) -> Result<BTreeMap<String, Value>, Error> {
    let sql = "SELECT key, value FROM company_settings WHERE tenant_id = ?1 AND (?2 IS NULL OR key = ?2) ORDER BY key";
    let mut statement = view.connection.prepare_cached(sql)?;
    let mut rows = statement.query((view.tenant.0, key))?;
    let mut settings = BTreeMap::new();
    while let Some(row) = rows.next()? {
        let key: String = row.get(0)?;
        let text: String = row.get(1)?;
        view.spend(key.len() + text.len())?;
        let value = json::from_slice(text.as_bytes())
            .map_err(|_| Error::Damaged(format!("the store holds no proper JSON in the setting {key}")))?;
        settings.insert(key, value);
    }
    Ok(settings)
}

/// Sets these and leaves the others, when all are as expected.
pub(super) fn put(
    change: &Change<'_>,
    module: i32,
    new: &BTreeMap<String, Value>,
    condition: &Condition<BTreeMap<String, Value>>,
) -> Result<(), Error> {
    if condition.is_some() && !condition.holds(&settings(&change.view, None)?) {
        return Err(Error::NotAsExpected);
    }
    let mut growth = 0;
    let sql = "SELECT module_id, value FROM company_settings WHERE tenant_id = ?1 AND key = ?2";
    let mut present = change.connection().prepare_cached(sql)?;
    let sql = "INSERT INTO company_settings (tenant_id, key, module_id, value) VALUES (?1, ?2, ?3, ?4)
               ON CONFLICT DO UPDATE SET module_id = excluded.module_id, value = excluded.value";
    let mut statement = change.connection().prepare_cached(sql)?;
    for (key, value) in new {
        let text = String::from_utf8_lossy(&json::to_vec(value)).into_owned();
        let found: Option<(i32, String)> =
            present.query_row((change.tenant(), key), |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
        if found.as_ref().is_some_and(|(found_module, found)| (*found_module, found) == (module, &text)) {
            continue;
        }
        statement.execute((change.tenant(), key, module, &text))?;
        growth += sql::setting::growth(key, found.as_ref().map(|(_, before)| before.as_str()), &text);
        let before = found.map(|(module, value)| described(module, &value));
        change.note(&Subject::new("CompanySetting", key), before, Some(described(module, &text)))?;
    }
    let taken = format!("{TAKEN} = ?1");
    let taken = change.connection().prepare_cached(&taken)?.query_row([change.tenant()], |row| row.get(0))?;
    sql::setting::check(taken, growth)
}

/// A setting for the audit log; `value` is JSON.
fn described(module: i32, value: &str) -> String {
    format!(r#"{{"ModuleId":{module},"Value":{value}}}"#)
}
