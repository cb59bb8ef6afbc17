//! Finds query names that a parameter with additional members must not take.

use super::draft::Drafts;
use crate::ir::{
    CredentialKind, Operation, Parameter, ParameterEncoding, ParameterLocation, ParameterStyle, QueryNames,
};

/// Sets the excluded names of each parameter.
pub(crate) fn exclude(api: &mut Drafts) {
    let excluded = |operation: &Operation| -> Vec<Vec<String>> {
        let of = |parameter| excluded(api, operation, parameter).into_iter().cloned().collect();
        operation.parameters.iter().map(of).collect()
    };
    let all: Vec<_> = api.operations_and_webhooks().map(excluded).collect();
    let operations = api.tags.iter_mut().chain(&mut api.webhooks).flat_map(|tag| &mut tag.operations);
    for (operation, names) in operations.zip(all) {
        operation.parameters.iter_mut().zip(names).for_each(|(parameter, names)| parameter.excluded_names = names);
    }
}

/// Names of other parameters that would be members of this one: any name if it takes the rest of the query,
/// including API keys; `filter[name]` next to a `deepObject` named `filter`.
fn excluded<'api>(api: &'api Drafts, operation: &'api Operation, parameter: &Parameter) -> Vec<&'api String> {
    let in_query = |other: &&Parameter| other.location == ParameterLocation::Query && other.name != parameter.name;
    let others = operation.parameters.iter().filter(in_query);
    if parameter.location == ParameterLocation::Query && QueryNames::of(api, parameter).takes_rest {
        let mut names: Vec<_> = others.flat_map(|other| QueryNames::of(api, other).named).collect();
        // A key may also be a parameter, and part of several alternatives.
        for key in keys(api, operation) {
            if !names.contains(&key) {
                names.push(key);
            }
        }
        return names;
    }
    let names = others.map(|other| &other.name.wire);
    let is_deep = matches!(parameter.encoding, ParameterEncoding::Style { style: ParameterStyle::DeepObject, .. });
    let within = format!("{}[", parameter.name.wire);
    names.filter(|name| is_deep && name.starts_with(&within)).collect()
}

/// The names of credentials in the query.
fn keys<'api>(api: &'api Drafts, operation: &'api Operation) -> impl Iterator<Item = &'api String> {
    let alternatives = operation.security.alternatives.iter().map(|(index, _)| &api.credentials[*index]);
    let schemes = alternatives.flat_map(|alternative| &alternative.schemes).map(|index| &api.security_schemes[*index]);
    schemes.filter_map(|scheme| match &scheme.kind {
        CredentialKind::ApiKeyQuery(name) => Some(name),
        _ => None,
    })
}
