//! Tokens and their lookups.

use std::time::Duration;

use jiff::Timestamp;
use service::{
    domain::{
        caller::Visibility,
        token::{Grants, NewToken, Secret},
    },
    store::{Error, Options, Store},
};

use super::{Case, new_account, place, run};

#[test]
fn a_revoked_token_is_not_found_by_another_process_either() {
    let (folder, location) = place();
    let case = Case::open((folder, location.clone()));
    let (store, tenant) = (&case.store, &case.tenant);
    let (token, secret) = run(tenant.create_token(NewToken { name: "key".into(), ..NewToken::default() })).unwrap();
    let other = Store::open(location, &Options::default()).unwrap();
    let is_usable = |store: &Store| run(store.token(secret.hash())).unwrap().unwrap().is_usable(Timestamp::now());
    assert!(is_usable(store) && is_usable(&other));
    assert!(run(tenant.revoke_token(token.id)).unwrap());
    assert!(!is_usable(store) && !is_usable(&other));
}

#[test]
fn tokens_are_made_found_and_revoked() {
    let case = Case::open(place());
    let (store, tenant) = (&case.store, &case.tenant);
    run(tenant.create_account(new_account("Acme"), None)).unwrap();
    let new = |accounts: &[i32]| NewToken {
        name: "test".into(),
        grants: Grants::all([560_206]),
        visible: Visibility::Accounts(accounts.into()),
        assignee: Some(7),
        expires_on: None,
    };
    assert!(matches!(run(tenant.create_token(new(&[1, 5]))), Err(Error::Refused(_))));
    let (token, secret) = run(tenant.create_token(new(&[1]))).unwrap();
    let found = run(store.token(Secret::presented(secret.reveal()).hash())).unwrap().unwrap();
    assert!(found.is_usable(Timestamp::now()) && found.grants.allow("function:560206"));
    assert_eq!(found.visible, Visibility::Accounts([1].into()));
    assert!(run(store.token(Secret::presented("bms_x").hash())).unwrap().is_none());
    while run(tenant.tokens()).unwrap()[0].last_used_on.is_none() {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(run(tenant.revoke_token(token.id)).unwrap());
    assert!(!run(tenant.revoke_token(token.id)).unwrap());
    assert!(!run(store.token(secret.hash())).unwrap().unwrap().is_usable(Timestamp::now()));
}
