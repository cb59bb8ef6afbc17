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
    let method = if *method == Method::HEAD { &Method::GET } else { method };
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
