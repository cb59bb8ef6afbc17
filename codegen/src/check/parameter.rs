//! Each member of a query string belongs to one parameter.

use foldhash::{HashMap, HashSet};

use crate::diagnostic::{Code, Diagnostics};
use crate::ir::{Api, Operation, Parameter, ParameterLocation, QueryNames};

/// No two query parameters are exploded into members of the same name.
pub(super) fn members_of_a_query_have_one_owner(api: &Api, diagnostics: &mut Diagnostics) {
    // Several operations may refer to the same parameters.
    let mut reported = HashSet::default();
    for operation in api.operations() {
        whole_query(operation, diagnostics);
        let mut owners: HashMap<Option<&str>, &Parameter> = HashMap::default();
        for parameter in operation.parameters.iter().filter(|one| one.location == ParameterLocation::Query) {
            let QueryNames { named, takes_rest } = QueryNames::of(api, parameter);
            let rest = takes_rest.then_some(None);
            let names: Vec<_> = named.into_iter().map(|name| Some(name.as_str())).chain(rest).collect();
            let shared = names.iter().find_map(|name| Some((*name, *owners.get(name)?)));
            owners.extend(names.into_iter().map(|name| (name, parameter)));
            let Some((name, owner)) = shared else { continue };
            let (Some(place), Some(before)) = (&parameter.written, &owner.written) else { continue };
            if !reported.insert((place, before)) {
                continue;
            }
            let (one, other) = (&owner.name.wire, &parameter.name.wire);
            let message = match name {
                Some(name) => format!("`{name}` in the query is of `{one}` and of `{other}`"),
                None => format!("unnamed query parameters belong to both `{one}` and `{other}`"),
            };
            diagnostics
                .report(Code::DuplicateParameter, place, message)
                .label("an exploded object is sent member by member")
                .related(before, "both get the value")
                .help("`style: deepObject` writes the name of the parameter as well");
        }
    }
}

/// A parameter that is the whole query string has no siblings.
fn whole_query(operation: &Operation, diagnostics: &mut Diagnostics) {
    let found = |location| operation.parameters.iter().find(move |parameter| parameter.location == location);
    if let (Some(whole), Some(other)) = (found(ParameterLocation::QueryString), found(ParameterLocation::Query))
        && let (Some(place), Some(part)) = (&whole.written, &other.written)
    {
        diagnostics
            .report(
                Code::DuplicateParameter,
                place,
                format!("the whole query is `{}`, and `{}` is a part of it", whole.name.wire, other.name.wire),
            )
            .label("a query string is the whole query")
            .related(part, "this is a part of it")
            .help(format!("make `{}` a member of the query string", other.name.wire));
    }
}
