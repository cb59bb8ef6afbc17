//! Each request belongs to one operation.

use std::iter::zip;

use foldhash::HashMap;

use super::first_character;
use crate::diagnostic::{Code, Diagnostics};
use crate::ir::{
    Api, BodyDiscriminator, Method, ModelKind, Operation, Parameter, ParameterDiscriminator, ParameterLocation,
    PathSegment, Rule,
};

/// No two templates differ only in the names of their parameters.
pub(super) fn routes_are_unambiguous(api: &Api, diagnostics: &mut Diagnostics) {
    let mut routes: HashMap<(Method, String), Vec<&Operation>> = HashMap::default();
    for operation in api.operations() {
        let others = routes.entry((operation.method.clone(), operation.prefix() + &operation.shape())).or_default();
        let mut ambiguous = others.iter().copied().filter(|other| !are_distinct(api, operation, other));
        let first = ambiguous.next();
        // Of several, the one that accepts all requests.
        let earlier = first.into_iter().chain(ambiguous).find(|other| have_same_telling(operation, other)).or(first);
        others.push(operation);
        let Some(earlier) = earlier else { continue };
        // Paths have lost what followed a `#`.
        let is_one_path = operation.path == earlier.path;
        let [name, earlier_name] =
            [operation, earlier].map(|operation| if is_one_path { &operation.name.wire } else { &operation.path });
        let message = format!("`{name}` and `{earlier_name}` match the same requests");
        let diagnostic = diagnostics.report(Code::AmbiguousRoute, &operation.location.name(), message);
        let before = earlier.location.name();
        let (what_it_asks_for, the_others) =
            ("this one gets requests that have what it requires", "this one is given the others");
        let diagnostic = if have_same_telling(operation, earlier) {
            diagnostic.related(&before, "this one is given them by the server")
        } else if has_discriminators(operation) {
            diagnostic.label(what_it_asks_for).related(&before, the_others)
        } else {
            diagnostic.label(the_others).related(&before, what_it_asks_for)
        };
        diagnostic.help(if is_one_path {
            "let one require a query parameter or header that the other lacks, or merge the operations"
        } else {
            "parameters of the same place need no different names; merge the paths"
        });
    }
}

/// Whether both are told apart by the same property of a request.
fn have_same_telling(one: &Operation, other: &Operation) -> bool {
    let is_same = |(parameter, by): (&Parameter, ParameterDiscriminator)| {
        other.parameter_discriminators().any(|(theirs, their)| theirs.is_same(parameter) && their == by)
    };
    one.parameter_discriminators.len() == other.parameter_discriminators.len()
        && one.parameter_discriminators().all(is_same)
        && one.body_discriminators == other.body_discriminators
}

/// Whether the server can tell if a request is meant for the operation.
fn has_discriminators(operation: &Operation) -> bool {
    !operation.parameter_discriminators.is_empty() || !operation.body_discriminators.is_empty()
}

/// Discriminators that decide by themselves, not only when nothing else does.
fn certain(operation: &Operation) -> impl Iterator<Item = (&Parameter, ParameterDiscriminator)> {
    operation.parameter_discriminators().filter(|(_, by)| *by != ParameterDiscriminator::Required)
}

/// Whether no request fits both.
fn are_distinct(api: &Api, one: &Operation, other: &Operation) -> bool {
    have_other_values(api, one, other)
        || have_other_patterns(one, other)
        || have_other_marks(one, other)
        || is_distinct_from(one, other)
        || is_distinct_from(other, one)
        || one.body_discriminators == other.body_discriminators
            && certain(one).count() == certain(other).count()
            && [one, other].iter().all(|operation| certain(operation).all(is_of_path))
            && have_other_media_types(one, other)
}

fn is_of_path((parameter, _): (&Parameter, ParameterDiscriminator)) -> bool {
    parameter.location == ParameterLocation::Path
}

/// Whether the media types that they accept, or those that they respond with, differ.
fn have_other_media_types(one: &Operation, other: &Operation) -> bool {
    let sent = |operation: &Operation| {
        let body = operation.request_body.as_ref();
        let nothing = body.is_none_or(|body| !body.required).then(String::new);
        let types = body.into_iter().flat_map(|body| &body.contents).flat_map(|content| content.media_types.clone());
        types.chain(nothing).collect::<Vec<_>>()
    };
    let answered = |operation: &Operation| {
        let contents = operation.responses.success.responses().iter().flat_map(|response| &response.contents);
        contents.flat_map(|content| content.media_types.clone()).collect::<Vec<_>>()
    };
    are_apart(&sent(one), &sent(other)) || are_apart(&answered(one), &answered(other))
}

/// Whether both lists are non-empty and share nothing. A media type range may overlap with any other.
fn are_apart(ones: &[String], others: &[String]) -> bool {
    let is_same = |one: &String| one.contains('*') || others.iter().any(|other| other.contains('*') || other == one);
    !ones.is_empty() && !others.is_empty() && !ones.iter().any(is_same)
}

/// Whether `one` requires something that requests for `other` lack, and is not mistaken for `other`: that one
/// requires something as well, or less of the same.
fn is_distinct_from(one: &Operation, other: &Operation) -> bool {
    let asks_for_more = |one: &Operation, other: &Operation| {
        certain(one).any(|(parameter, _)| parameter.location != ParameterLocation::Path && !other.may_have(parameter))
    };
    let asks_for_less = certain(other).all(|(parameter, _)| certain(one).any(|(own, _)| own.is_same(parameter)));
    asks_for_more(one, other) && (asks_for_more(other, one) || asks_for_less && other.body_discriminators.is_empty())
}

/// Whether a parameter that identifies both has no value that fits both.
fn have_other_values(api: &Api, one: &Operation, other: &Operation) -> bool {
    one.parameter_discriminators().any(|(parameter, _)| {
        let same = other.parameter_discriminators().find(|(same, _)| same.is_same(parameter));
        let (Some(ours), Some(theirs)) = (values(api, parameter), same.and_then(|(same, _)| values(api, same))) else {
            return false;
        };
        ours.iter().all(|value| !theirs.contains(value))
    })
}

/// Whether a place of both paths has no text that fits both.
fn have_other_patterns(one: &Operation, other: &Operation) -> bool {
    let patterns = |operation: &Operation| {
        let in_path = operation.segments.iter().flatten().filter_map(|piece| match piece {
            PathSegment::Literal(_) => None,
            PathSegment::Parameter(name) => Some(pattern(operation, name)),
        });
        in_path.collect::<Vec<_>>()
    };
    zip(patterns(one), patterns(other)).any(|patterns| match patterns {
        (Some(one), Some(other)) => first_character::exclude_each_other(&one, &other),
        _ => false,
    })
}

/// The pattern by which a path parameter identifies the operation.
fn pattern(operation: &Operation, name: &str) -> Option<String> {
    let is_named = |parameter: &Parameter| parameter.location == ParameterLocation::Path && parameter.name.wire == name;
    let (parameter, _) = operation.parameter_discriminators().find(|(parameter, _)| is_named(parameter))?;
    parameter.value.rules.iter().find_map(|rule| match rule {
        Rule::Pattern(pattern) => Some(pattern.clone()),
        _ => None,
    })
}

/// Whether a member of both bodies has no value that fits both.
fn have_other_marks(one: &Operation, other: &Operation) -> bool {
    let is_other = |ours: &BodyDiscriminator, theirs: &BodyDiscriminator| {
        let is_listed = !ours.values.is_empty() && !theirs.values.is_empty();
        is_listed && ours.member == theirs.member && !ours.values.iter().any(|value| theirs.values.contains(value))
    };
    one.body_discriminators.iter().any(|ours| other.body_discriminators.iter().any(|theirs| is_other(ours, theirs)))
}

/// The values of an enum as text.
fn values(api: &Api, parameter: &Parameter) -> Option<Vec<String>> {
    match api.kind(&parameter.value.ty)? {
        ModelKind::Enum(enum_) => enum_.all_texts(),
        ModelKind::Struct(_) | ModelKind::Union(_) | ModelKind::Alias(_) => None,
    }
}

/// HTTP gives the body of a GET, HEAD, DELETE or TRACE no meaning; many servers and proxies drop it.
pub(super) fn bodies_have_a_meaning(api: &Api, diagnostics: &mut Diagnostics) {
    for operation in api.operations() {
        // A DELETE with a body that lists what to delete is common and works.
        let is_meaningless = [Method::GET, Method::HEAD, Method::TRACE].contains(&operation.method);
        if is_meaningless && operation.request_body.is_some() {
            let message = format!("the body of a {} may not arrive", operation.method.as_str());
            diagnostics
                .report(Code::BodyWithoutMeaning, &operation.location.member("requestBody").name(), message)
                .help("send it as parameters, or use POST");
        }
    }
}
