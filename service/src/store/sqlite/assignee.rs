//! Reading assignees and their roles.

use generated_server::models::{Assignee, AssigneeLookup, RoleLookup};

use super::{list::records, view::View};
use crate::{
    domain::{
        list::{Exclude, ListQuery, Listed},
        reference::{AssigneeFilter, AssigneeLookupFilter},
    },
    store::{
        Error,
        sql::{
            self, Part,
            assignee::{ASSIGNEE, LOOKUP, ROLE},
            select,
        },
    },
};

pub(super) fn assignees(view: &View<'_>, query: &ListQuery<AssigneeFilter>) -> Result<Listed<Assignee>, Error> {
    let conditions = sql::assignee::assignees(view.viewer(), &query.filter);
    let part = Part { sort: &query.sort, exclude: query.exclude, window: query.window };
    Ok(ASSIGNEE.list(view, &*view.names()?, &conditions, part)?.without_ids())
}

pub(super) fn lookup(
    view: &View<'_>,
    query: &ListQuery<AssigneeLookupFilter>,
) -> Result<Listed<AssigneeLookup>, Error> {
    let conditions = sql::assignee::lookup(view.viewer(), &query.filter);
    let part = Part { sort: &query.sort, exclude: query.exclude, window: query.window };
    Ok(LOOKUP.list(view, &*view.names()?, &conditions, part)?.without_ids())
}

pub(super) fn count(view: &View<'_>) -> Result<i32, Error> {
    let sql = "SELECT count(*) FROM assignees WHERE tenant_id = ?1 AND is_active = 1";
    Ok(view.connection.prepare_cached(sql)?.query_row([view.tenant.0], |row| row.get(0))?)
}

/// `None` when there is no such assignee.
pub(super) fn roles(view: &View<'_>, assignee: i32) -> Result<Option<Vec<RoleLookup>>, Error> {
    let sql = "SELECT 1 FROM assignees WHERE tenant_id = ?1 AND id = ?2";
    if !view.connection.prepare_cached(sql)?.exists((view.tenant.0, assignee))? {
        return Ok(None);
    }
    let sql = format!(
        "SELECT {} FROM assignee_roles AS a JOIN roles AS r ON r.tenant_id = a.tenant_id AND r.id = a.role_id
         WHERE a.tenant_id = ?1 AND a.assignee_id = ?2 ORDER BY r.id",
        select("r.id", ROLE, Exclude::default())
    );
    let mut statement = view.connection.prepare_cached(&sql)?;
    let rows = statement.query((view.tenant.0, assignee))?;
    let mut roles = Vec::new();
    records(view, ROLE, Exclude::default(), &*view.names()?, rows, &mut roles)?;
    Ok(Some(roles.into_iter().map(|(_, role)| role).collect()))
}
