//! Proof that the description says what the interface document says, and marks everything else.

mod described;
mod stated;

use std::collections::BTreeMap;

/// One thing that is said about the interface: `GET /v2/x query Filter.Name`, `type`, `string`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Fact {
    /// What it is about.
    subject: String,
    /// Which of its properties.
    keyword: String,
    /// What that is.
    value: String,
}

impl Fact {
    fn new(subject: &str, keyword: &str, value: &str) -> Self {
        Self { subject: subject.into(), keyword: keyword.into(), value: value.into() }
    }
}

/// Where a fact of the description comes from: the interface document, or what its `x-source` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    /// No mark.
    Interface,
    /// `contract`
    Contract,
    /// `decided`
    Decided,
}

/// Where the description says something else than the interface document, marked as decided.
const REPAIRS: [&str; 5] = [
    // A deletion that names nothing is a mistake.
    "DELETE /v2/system/attachments attachmentIds: `required` is true",
    // The document declares these two in a path that has no room for them.
    "GET /v2/admin/finance/chartofaccounts/lookup/{parentAccountCodeId} PageNumber: `in` is query",
    "GET /v2/admin/finance/chartofaccounts/lookup/{parentAccountCodeId} PageNumber: `required` is false",
    "GET /v2/admin/finance/chartofaccounts/lookup/{parentAccountCodeId} PageSize: `in` is query",
    "GET /v2/admin/finance/chartofaccounts/lookup/{parentAccountCodeId} PageSize: `required` is false",
];

#[test]
fn what_is_unmarked_stands_in_the_interface() {
    let stated = stated::facts();
    let unfounded: Vec<_> = described::facts()
        .into_iter()
        .filter(|(fact, source)| *source == Source::Interface && !stated.contains(fact))
        .map(|(fact, _)| fact)
        .collect();

    assert!(unfounded.is_empty(), "needs an `x-source`, as the interface document does not say it: {unfounded:#?}");
}

#[test]
fn what_the_interface_says_is_described() {
    let described: BTreeMap<_, _> = described::facts()
        .into_iter()
        .map(|(fact, source)| ((fact.subject, fact.keyword), (fact.value, source)))
        .collect();
    let mut missing = Vec::new();
    let mut repaired = Vec::new();
    for fact in stated::facts() {
        match described.get(&(fact.subject.clone(), fact.keyword.clone())) {
            Some((value, _)) if *value == fact.value => {}
            Some((value, Source::Contract | Source::Decided)) => {
                repaired.push(format!("{}: `{}` is {value}", fact.subject, fact.keyword));
            }
            Some((_, Source::Interface)) | None => missing.push(fact),
        }
    }

    assert!(missing.is_empty(), "stands in the interface document, not in the description: {missing:#?}");
    assert_eq!(repaired, REPAIRS);
}

#[test]
fn every_operation_is_there_once() {
    let operations = stated::facts().into_iter().filter(|fact| fact.keyword == "operation").count();

    assert_eq!(operations, 41);
}
