//! Reading assignees and their roles.

use generated_server::models::{Assignee, AssigneeLookup, RoleLookup};

use super::{
    session::{Query, parameters},
    view::View,
};
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

pub(super) async fn assignees(view: View, query: ListQuery<AssigneeFilter>) -> Result<Listed<Assignee>, Error> {
    let conditions = sql::assignee::assignees(view.viewer(), &query.filter);
    let part = Part { sort: &query.sort, exclude: query.exclude, window: query.window };
    view.list(&ASSIGNEE, &conditions, part).await
}

pub(super) async fn lookup(
    view: View,
    query: ListQuery<AssigneeLookupFilter>,
) -> Result<Listed<AssigneeLookup>, Error> {
    let conditions = sql::assignee::lookup(view.viewer(), &query.filter);
    let part = Part { sort: &query.sort, exclude: query.exclude, window: query.window };
    view.list(&LOOKUP, &conditions, part).await
}

pub(super) async fn count(view: View) -> Result<i32, Error> {
    let sql = "SELECT count(*) FROM assignees WHERE tenant_id = $1 AND is_active";
    let rows = view.session.rows(Query::new(sql, parameters![view.tenant.0])).await?;
    let count: i64 = rows.first().map(|row| row.try_get(0)).transpose()?.unwrap_or(0);
    i32::try_from(count).map_err(Error::database)
}

/// `None` when there is no such assignee.
pub(super) async fn roles(view: View, assignee: i32) -> Result<Option<Vec<RoleLookup>>, Error> {
    let key = parameters![view.tenant.0, assignee];
    let exists = Query::new("SELECT 1 FROM assignees WHERE tenant_id = $1 AND id = $2", key.clone());
    let sql = format!(
        "SELECT {} FROM assignee_roles AS a JOIN roles AS r ON r.tenant_id = a.tenant_id AND r.id = a.role_id
         WHERE a.tenant_id = $1 AND a.assignee_id = $2 ORDER BY r.id",
        select("r.id", ROLE, Exclude::default())
    );
    let (names, [found, roles]) = view.named([exists, Query::new(sql, key)]).await?;
    if found.is_empty() {
        return Ok(None);
    }
    let roles = view.records(ROLE, Exclude::default(), &names, &roles)?;
    Ok(Some(roles.into_iter().map(|(_, role)| role).collect()))
}
