//! What lists of assignees are read from, and which of them are wanted.

use generated_server::models::{Assignee, AssigneeLookup, RoleLookup};

use super::{Column, Conditions, Index, Reach, Resource, Viewer, column};
use crate::domain::reference::{AssigneeFilter, AssigneeLookupFilter};

const BY_NAME: Index = Index::Named("assignees_by_name");

pub(in crate::store) static ASSIGNEE: Resource<Assignee> = Resource {
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

pub(in crate::store) static LOOKUP: Resource<AssigneeLookup> = Resource {
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

pub(in crate::store) static ROLE: &[Column<RoleLookup>] =
    &[column!("Id", id, "r.id"), column!("Name", name, "r.name"), column!("IsDefault", is_default, "a.is_default")];

/// The assignees that a filter lets through.
pub(in crate::store) fn assignees(viewer: Viewer<'_>, filter: &AssigneeFilter) -> Conditions {
    let mut conditions = viewer.conditions();
    conditions.one_of("id", &filter.ids, Index::Key);
    conditions.contains("name_folded", filter.name.as_deref(), BY_NAME);
    conditions.equal("is_active", Some(true), None);
    conditions.equal("is_employee", filter.employees_only.then_some(true), None);
    conditions
}

/// The assignees that a filter lets through.
pub(in crate::store) fn lookup(viewer: Viewer<'_>, filter: &AssigneeLookupFilter) -> Conditions {
    let mut conditions = viewer.conditions();
    conditions.one_of("id", &filter.ids, Index::Key);
    if let Some(account) = filter.account_id.map(|account| viewer.account(account)) {
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
    conditions
}
