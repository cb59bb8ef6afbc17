//! Finds the models that are pages of a list.

use super::draft::Drafts;
use crate::diagnostic::Code;
use crate::ir::{ModelId, Operation, PageModel, Success, Type};
use crate::lower::reporter::Reporter;

/// The models that are the whole response of a paginated operation, without duplicates. Operations with the same response have to
/// name the same members of it.
pub(crate) fn find(reporter: &mut Reporter<'_>, api: &Drafts) -> Vec<PageModel> {
    let mut pages: Vec<PageModel> = Vec::new();
    for operation in api.operations() {
        let (Some(pagination), Some(model)) = (&operation.pagination, answered(api, operation)) else { continue };
        let members = pagination.members.clone();
        match pages.iter_mut().find(|page| page.model == model) {
            Some(PageModel { members: known, .. }) => {
                if known.items != members.items
                    || known.total.as_ref().zip(members.total.as_ref()).is_some_and(|(one, other)| one != other)
                    || known.next.as_ref().zip(members.next.as_ref()).is_some_and(|(one, other)| one != other)
                {
                    let place = operation.location.member("x-pagination");
                    reporter
                        .report(Code::InvalidPagination, &place, "another operation names other members of this page")
                        .help("give the page of one of them a schema of its own");
                }
                known.total = known.total.take().or(members.total);
                known.next = known.next.take().or(members.next);
            }
            None => pages.push(PageModel { model, members }),
        }
    }
    pages.sort_by_key(|page| page.model);
    pages
}

fn answered(api: &Drafts, operation: &Operation) -> Option<ModelId> {
    let Success::Body(response) = &operation.responses.success else { return None };
    let value = response.json().filter(|value| !value.nullable)?;
    match api.resolved(&value.ty) {
        Type::Model(id) => Some(*id),
        _ => None,
    }
}
