//! Lookups in the description's operations.

use axum::{
    extract::MatchedPath,
    http::{Extensions, Method},
};
use generated_server::{OPERATIONS, runtime::server::Operation};

use crate::domain::token;

/// The operation that a request calls, from the extensions set by the router. HEAD calls that of GET.
pub fn matched(method: &Method, extensions: &Extensions) -> Option<&'static Operation> {
    let method = if *method == Method::HEAD { &Method::GET } else { method };
    of_path(extensions).find(|operation| operation.method == method.as_str())
}

/// An operation of the path, which decides the format of failures for other methods; `None` for an unknown path.
pub fn any_of_path(extensions: &Extensions) -> Option<&'static Operation> {
    of_path(extensions).next()
}

fn of_path(extensions: &Extensions) -> impl Iterator<Item = &'static Operation> {
    let path = extensions.get::<MatchedPath>().map(MatchedPath::as_str);
    OPERATIONS.iter().copied().filter(move |operation| Some(operation.path) == path)
}

/// The functions that operations require, without duplicates.
pub fn functions() -> Vec<u32> {
    let asked = OPERATIONS.iter().flat_map(|operation| operation.security).flat_map(|security| security.scopes);
    let mut functions: Vec<u32> = asked.filter_map(|scope| token::function(scope)).collect();
    functions.sort_unstable();
    functions.dedup();
    functions
}
