//! Objects of modules: which of them are there, and whose they are.

use rusqlite::OptionalExtension;

use super::view::View;
use crate::{domain::module::Module, store::Error};

/// The account that an object is or belongs to; `None` when the object is not there.
pub(super) fn account(view: &View<'_>, module: Module, id: i32) -> Result<Option<i32>, Error> {
    let sql = match module {
        Module::Accounts => "SELECT id FROM accounts WHERE tenant_id = ?1 AND id = ?2",
        Module::Contacts => "SELECT account_id FROM contacts WHERE tenant_id = ?1 AND id = ?2",
    };
    Ok(view.connection.prepare_cached(sql)?.query_row((view.tenant.0, id), |row| row.get(0)).optional()?)
}
