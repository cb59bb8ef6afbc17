//! Reading assignees and their roles.

use generated_server::models::{AssigneeLookupOutputDto, AssigneeOutputDto, RoleLookupOutputDto};

use super::{
    conditions::{Conditions, Index, Reach},
    list::{Column, Part, Resource, column, records, select},
    view::View,
};
use crate::{
    domain::{
        list::{Exclude, ListQuery, Listed},
        reference::{AssigneeFilter, AssigneeLookupFilter},
    },
    store::Error,
};

const BY_NAME: Index = Index::Named("assignees_by_name");

pub(super) static ASSIGNEE: Resource<AssigneeOutputDto> = Resource {
    table: "assignees",
    key: Index::Key,
    counters: None,
    narrow: Index::Key,
    columns: &[
        column!("Id", id, "id", key),
        column!("FirstName", first_name, "first_name", by "assignees_by_first_name" on "first_name_folded"),
        column!("LastName", last_name, "last_name", by "assignees_by_last_name" on "last_name_folded"),
        column!("Name", name, "name", by "assignees_by_name" on "name_folded"),
        column!("EmailAddress", email_address, "email", by "assignees_by_email" on "email_folded"),
        column!("PictureName", picture_name, "picture_name"),
        column!("PictureUrl", picture_url, "picture_url"),
    ],
};

pub(super) static LOOKUP: Resource<AssigneeLookupOutputDto> = Resource {
    table: "assignees",
    key: Index::Key,
    counters: None,
    narrow: Index::Key,
    columns: &[
        column!("Id", id, "id", key),
        column!("Name", name, "name", by "assignees_by_name" on "name_folded"),
        column!("Url", url, "url"),
        column!("EmailAddress", email_address, "email", by "assignees_by_email" on "email_folded"),
        column!("JobTitle", job_title, "job_title", by "assignees_by_job_title" on "job_title_folded"),
        column!("PictureName", picture_name, "picture_name"),
        column!("PictureURL", picture_url, "picture_url"),
    ],
};

static ROLE: &[Column<RoleLookupOutputDto>] =
    &[column!("Id", id, "r.id"), column!("Name", name, "r.name"), column!("IsDefault", is_default, "a.is_default")];

pub(super) fn assignees(
    view: &View<'_>,
    query: &ListQuery<AssigneeFilter>,
) -> Result<Listed<AssigneeOutputDto>, Error> {
    let filter = &query.filter;
    let mut conditions = Conditions::of(view.tenant);
    conditions.one_of("id", &filter.ids, Index::Key);
    conditions.contains("name_folded", filter.name.as_deref(), BY_NAME);
    conditions.equal("is_active", Some(true), None);
    conditions.equal("is_employee", filter.employees_only.then_some(true), None);
    let part = Part { sort: &query.sort, exclude: query.exclude, window: query.window };
    Ok(ASSIGNEE.list(view, &*view.names()?, &conditions, part)?.without_ids())
}

pub(super) fn lookup(
    view: &View<'_>,
    query: &ListQuery<AssigneeLookupFilter>,
) -> Result<Listed<AssigneeLookupOutputDto>, Error> {
    let filter = &query.filter;
    let mut conditions = Conditions::of(view.tenant);
    conditions.one_of("id", &filter.ids, Index::Key);
    if let Some(account) = filter.account_id.map(|account| view.account(account)) {
        conditions.add(
            "id IN (SELECT manager_id FROM accounts WHERE tenant_id = ?1 AND id = ? UNION
                    SELECT assignee_id FROM account_team WHERE tenant_id = ?1 AND account_id = ?)",
            [account.into(), account.into()],
            Some((Reach::Few, Index::Key)),
        );
    }
    conditions.none_of("id", &filter.excluded_ids);
    conditions.contains("name_folded", filter.name.as_deref(), BY_NAME);
    conditions.equal("is_active", Some(true), None);
    let part = Part { sort: &query.sort, exclude: query.exclude, window: query.window };
    Ok(LOOKUP.list(view, &*view.names()?, &conditions, part)?.without_ids())
}

pub(super) fn count(view: &View<'_>) -> Result<i32, Error> {
    let sql = "SELECT count(*) FROM assignees WHERE tenant_id = ?1 AND is_active = 1";
    Ok(view.connection.prepare_cached(sql)?.query_row([view.tenant.0], |row| row.get(0))?)
}

/// `None` when there is no such assignee.
pub(super) fn roles(view: &View<'_>, assignee: i32) -> Result<Option<Vec<RoleLookupOutputDto>>, Error> {
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
