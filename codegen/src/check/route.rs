//! A request belongs to one operation.

use std::collections::HashMap;

use crate::diagnostic::{Code, Diagnostics};
use crate::ir::{Api, Method, Operation};

/// No two templates differ only in the names of their parameters.
pub(super) fn routes_are_unambiguous(api: &Api, diagnostics: &mut Diagnostics) {
    let mut first: HashMap<(Method, String), &Operation> = HashMap::new();
    for operation in api.operations() {
        let key = (operation.method.clone(), operation.prefix() + &operation.shape());
        let Some(earlier) = first.get(&key) else {
            first.insert(key, operation);
            continue;
        };
        let message = format!("`{}` and `{}` match the same requests", operation.path, earlier.path);
        let diagnostic = diagnostics.report(Code::AmbiguousRoute, &operation.location.name(), message);
        match [operation.fitting.is_empty(), earlier.fitting.is_empty()] {
            [true, true] => diagnostic.related(&earlier.location.name(), "this one is given them by the server"),
            [false, true] => diagnostic
                .label("this one is given those whose path it can read")
                .related(&earlier.location.name(), "this one is given the others"),
            [_, false] => diagnostic
                .label("this one is given the others")
                .related(&earlier.location.name(), "this one is given those whose path it can read"),
        };
        diagnostic.help("parameters of the same place need no different names; merge the paths");
    }
}

/// HTTP gives the body of a GET, HEAD, DELETE or TRACE no meaning; many servers and proxies drop it.
pub(super) fn bodies_have_a_meaning(api: &Api, diagnostics: &mut Diagnostics) {
    for operation in api.operations() {
        let meaningless = match &operation.method {
            Method::Get | Method::Head | Method::Trace => true,
            // A list of what to delete is common and arrives.
            Method::Delete
            | Method::Options
            | Method::Post
            | Method::Put
            | Method::Patch
            | Method::Query
            | Method::Other(_) => false,
        };
        if meaningless && operation.request_body.is_some() {
            let message = format!("the body of a {} may not arrive", operation.method.text());
            diagnostics
                .report(Code::BodyWithoutMeaning, &operation.location.member("requestBody").name(), message)
                .help("send it as parameters, or use POST");
        }
    }
}
