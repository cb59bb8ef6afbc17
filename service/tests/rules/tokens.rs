//! Tokens: their secrets, and the scopes that operations ask for.

use std::collections::BTreeSet;

use generated_server::OPERATIONS;
use service::{
    api::functions,
    domain::token::{self, AREAS, Grants, Secret},
};

#[test]
fn secrets_are_long_random_and_never_printed() {
    let (one, other) = (Secret::generate().unwrap(), Secret::generate().unwrap());
    assert_eq!(one.reveal().len(), "bms_".len() + 64);
    assert_ne!(one, other);
    assert_eq!(format!("{one:?}"), "Secret(…)");
    assert_eq!(one.hash(), Secret::presented(one.reveal()).hash());
}

#[test]
fn stars_stand_for_either_part_of_a_scope() {
    let grants = |scopes: &[&str]| Grants {
        functions: BTreeSet::new(),
        scopes: scopes.iter().map(|scope| (*scope).to_owned()).collect(),
    };
    assert!(grants(&["*"]).allow("write:crm"));
    assert!(grants(&["read:*"]).allow("read:crm"));
    assert!(!grants(&["read:*"]).allow("write:crm"));
    assert!(grants(&["*:crm"]).allow("write:crm"));
    assert!(!grants(&["read:crm", "write:system"]).allow("write:crm"));
    assert!(!grants(&[]).allow("read:crm"));
    assert!(!grants(&["*", "function:*", "*:560206", "function:560206"]).allow("function:560206"));
    assert!(Grants::all([560_206]).allow("function:560206") && !Grants::all([560_206]).allow("function:560207"));

    assert_eq!(grants(&["*", "read:*", "*:hr", "write:system"]).empty_scope(), None);
    for misspelt in ["crm", "read:crmm", "reed:crm", "read:", ""] {
        assert_eq!(grants(&["*", misspelt]).empty_scope(), Some(misspelt));
    }
}

#[test]
fn every_area_is_documented() {
    let page = include_str!("../../../docs/service.md");
    let (_, areas) = page.split_once("The areas are").expect("a list of areas");
    let (areas, _) = areas.split_once("**functions**").expect("its end");
    for area in AREAS {
        assert!(areas.contains(&format!("`{area}`")), "{area}");
    }
}

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
