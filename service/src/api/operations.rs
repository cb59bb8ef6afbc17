//! Lookups in the description's operations.

use axum::{
    extract::MatchedPath,
    http::{Extensions, Method},
};
use generated_server::{OPERATIONS, runtime::server::Operation};

use crate::domain::token;

/// The operation of a request, from the extensions set by the router: that of the method, else one of the
/// same path; `None` for an unknown path.
pub fn matched(method: &Method, extensions: &Extensions) -> Option<&'static Operation> {
    let path = extensions.get::<MatchedPath>()?;
    let of_path = || OPERATIONS.iter().filter(|operation| operation.path == path.as_str()).copied();
    of_path().find(|operation| operation.method == method.as_str()).or_else(|| of_path().next())
}

/// The functions that operations require, without duplicates.
pub fn functions() -> Vec<u32> {
    let asked = OPERATIONS.iter().flat_map(|operation| operation.security).flat_map(|security| security.scopes);
    let mut functions: Vec<u32> = asked.filter_map(|scope| token::function(scope)).collect();
    functions.sort_unstable();
    functions.dedup();
    functions
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::token::AREAS;

    #[test]
    fn every_operation_asks_for_one_scope_that_a_token_can_have() {
        let scopes: Vec<String> =
            ["read", "write"].iter().flat_map(|verb| AREAS.map(|area| format!("{verb}:{area}"))).collect();
        for operation in OPERATIONS {
            let [requirement] = operation.security else { panic!("{} has other ways in", operation.id) };
            let (functions, asked): (Vec<&str>, Vec<&str>) =
                requirement.scopes.iter().partition(|scope| token::function(scope).is_some());
            assert!(functions.len() < 2, "{}", operation.id);
            let [scope] = asked.as_slice() else { panic!("{} asks for {asked:?}", operation.id) };
            assert!(scopes.iter().any(|known| known == scope), "{} asks for `{scope}`", operation.id);
            let verb = if operation.method == "GET" { "read:" } else { "write:" };
            assert!(scope.starts_with(verb), "{} {}", operation.method, operation.id);
        }
        assert_eq!(functions(), [560_206]);
    }

    #[test]
    fn every_operation_fails_in_the_shape_of_a_family() {
        for operation in OPERATIONS {
            let family = if operation.path.starts_with("/assetmgmt/") { "AgentErrorResponse" } else { "ErrorResponse" };
            assert_eq!(operation.failure, Some(family), "{}", operation.id);
        }
    }
}
