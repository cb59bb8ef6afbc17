//! Rules that need the whole `Api`.

mod first_character;
mod parameter;
mod route;

use crate::diagnostic::Diagnostics;
use crate::ir::Api;

/// Reports problems of the description as a whole.
pub(crate) fn check(api: &Api, diagnostics: &mut Diagnostics) {
    route::routes_are_unambiguous(api, diagnostics);
    route::bodies_have_a_meaning(api, diagnostics);
    parameter::members_of_a_query_have_one_owner(api, diagnostics);
}
