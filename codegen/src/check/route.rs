//! A request belongs to one operation.

use std::collections::HashMap;

use crate::diagnostic::{Code, Diagnostics};
use crate::ir::{Api, Enum, EnumValues, Method, ModelKind, Operation, Parameter, Type};

/// No two templates differ only in the names of their parameters.
pub(super) fn routes_are_unambiguous(api: &Api, diagnostics: &mut Diagnostics) {
    let mut routes: HashMap<(Method, String), Vec<&Operation>> = HashMap::new();
    for operation in api.operations() {
        let others = routes.entry((operation.method.clone(), operation.prefix() + &operation.shape())).or_default();
        let earlier = others.iter().copied().find(|other| !have_other_values(api, operation, other));
        others.push(operation);
        let Some(earlier) = earlier else { continue };
        let message = format!("`{}` and `{}` match the same requests", operation.path, earlier.path);
        let diagnostic = diagnostics.report(Code::AmbiguousRoute, &operation.location.name(), message);
        match [operation.fitting.is_empty(), earlier.fitting.is_empty()] {
            [true, true] => diagnostic.related(&earlier.location.name(), "this one is given them by the server"),
            [false, true] => diagnostic
                .label("this one is given those whose parameters it can read")
                .related(&earlier.location.name(), "this one is given the others"),
            [_, false] => diagnostic
                .label("this one is given the others")
                .related(&earlier.location.name(), "this one is given those whose parameters it can read"),
        };
        diagnostic.help("parameters of the same place need no different names; merge the paths");
    }
}

/// A parameter that tells both from others has no value that is for both.
fn have_other_values(api: &Api, one: &Operation, other: &Operation) -> bool {
    one.telling().any(|parameter| {
        let is_same = |same: &&Parameter| same.location == parameter.location && same.name.wire == parameter.name.wire;
        let same = other.telling().find(is_same);
        let (Some(ours), Some(theirs)) = (values(api, parameter), same.and_then(|same| values(api, same))) else {
            return false;
        };
        ours.iter().all(|value| !theirs.contains(value))
    })
}

/// The texts that an enum has.
fn values(api: &Api, parameter: &Parameter) -> Option<Vec<String>> {
    let Type::Model(id) = api.resolved(&parameter.value.ty) else { return None };
    let ModelKind::Enum(Enum { values, names_accepted: false }) = &api.model(*id).kind else { return None };
    Some(match values {
        EnumValues::String(variants) => variants.iter().map(|variant| variant.value.clone()).collect(),
        EnumValues::Integer(_, variants) => variants.iter().map(|variant| variant.value.to_string()).collect(),
    })
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
