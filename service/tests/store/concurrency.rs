//! Many writers, in many processes, on one database.

use std::thread;

use generated_server::models::AccountSummary;
use service::{
    domain::{
        change::Feed,
        idempotency::{IdempotencyKey, RequestHash},
        list::ListQuery,
        tenant::TenantId,
    },
    store::{Condition, Error, Location, Options, Store, TenantStore},
};

use super::{Case, actor, execute, new_account as account, place, replaced, run};

fn key(name: &str, request: &[u8]) -> IdempotencyKey {
    IdempotencyKey {
        key: name.into(),
        request: RequestHash::of(&[request]),
        kept_since: jiff::Timestamp::now() - jiff::SignedDuration::from_hours(1),
    }
}

/// Runs as many at once, each with a store of its own, as another process has it.
fn together<T: Send>(location: &Location, number: usize, work: impl Fn(usize, TenantStore) -> T + Sync) -> Vec<T> {
    thread::scope(|threads| {
        let running: Vec<_> = (0..number)
            .map(|at| {
                let work = &work;
                threads.spawn(move || {
                    let store = Store::open(location.clone(), &Options::default()).unwrap();
                    work(at, store.tenant(TenantId::FIRST).acting_for(actor()))
                })
            })
            .collect();
        running.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

#[test]
fn ten_that_start_at_once_make_one_store() {
    let (_folder, location) = place();
    let new = thread::scope(|threads| {
        let open = || Store::open(location.clone(), &Options::default()).unwrap().is_new();
        let opening: Vec<_> = (0..10).map(|_| threads.spawn(open)).collect();
        opening.into_iter().map(|thread| thread.join().unwrap()).filter(|is_new| *is_new).count()
    });
    assert_eq!(new, 1);
    let store = Store::open(location, &Options::default()).unwrap();
    assert_eq!(run(store.tenants()).unwrap().len(), 1);
}

#[test]
fn a_newer_an_altered_and_a_foreign_store_are_left_alone() {
    let (_folder, location) = place();
    let again = || Store::open(location.clone(), &Options::default());
    let makes_none = Options { creates: false, ..Options::default() };
    assert!(matches!(Store::open(location.clone(), &makes_none), Err(Error::NoStore)));
    assert!(matches!(Store::open_read_only(location.clone(), &Options::default()), Err(Error::NoStore)));
    again().unwrap();
    execute(&location, "INSERT INTO schema_migrations VALUES (1000, 'later', '', 0)");
    assert!(matches!(again(), Err(Error::Newer { found: 1000, .. })));
    execute(&location, "DELETE FROM schema_migrations WHERE number = 1000");
    execute(&location, "UPDATE schema_migrations SET checksum = 'x' WHERE number = 1");
    assert!(matches!(again(), Err(Error::Altered(1))));
    execute(&location, "ALTER TABLE schema_migrations RENAME TO theirs");
    assert!(matches!(again(), Err(Error::Foreign(_))));
}

#[test]
fn every_write_of_many_is_kept_counted_and_told_once() {
    let (folder, location) = place();
    let case = Case::open((folder, location.clone()));
    let tenant = &case.tenant;
    let start = last(tenant);
    together(&location, 8, |at, tenant| {
        for number in 0..10 {
            run(tenant.create_account(account(&format!("{at} {number}")), None)).unwrap();
            run(tenant.changes(None, 1)).unwrap();
        }
    });
    let listed = run(tenant.account_summaries(ListQuery::default())).unwrap();
    let ids: Vec<_> = listed.records.iter().map(|account| account.id.unwrap()).collect();
    assert_eq!((listed.total, ids.len()), (80, 80));
    // Each process takes ids in blocks, which leaves gaps.
    assert!(ids.is_sorted_by(|one, next| one < next), "{ids:?}");
    assert_eq!(last(tenant), start + 80);
    let entries = run(tenant.audit_log(start, 1000)).unwrap();
    let numbers: Vec<_> = entries.iter().map(|entry| entry.change.sequence).collect();
    assert_eq!(numbers, (start + 1..=start + 80).collect::<Vec<_>>());
}

/// The number of the last change.
fn last(tenant: &TenantStore) -> i64 {
    let Feed::Changes(changes) = run(tenant.changes(None, 1)).unwrap()
    else {
        panic!("nothing was removed")
    };
    assert!(changes.has_more);
    run(tenant.audit_log(0, u32::MAX >> 1)).unwrap().last().unwrap().change.sequence
}

#[test]
fn of_writers_that_expect_the_same_one_writes() {
    let (folder, location) = place();
    let case = Case::open((folder, location.clone()));
    let tenant = &case.tenant;
    run(tenant.create_account(account("before"), None)).unwrap();
    let written = together(&location, 8, |at, tenant| {
        let expected: Condition<AccountSummary> = Some(std::sync::Arc::new(|account| {
            account.account_name.value().is_some_and(|name| name == "before")
        }));
        match run(tenant.update_account(1, expected, replaced(&format!("after {at}"), None))) {
            Ok(account) => account.is_some(),
            Err(Error::NotAsExpected) => false,
            Err(error) => panic!("{error}"),
        }
    });
    assert_eq!(written.iter().filter(|is_written| **is_written).count(), 1);
}

#[test]
fn a_key_is_used_once_however_many_come_with_it() {
    let (folder, location) = place();
    let case = Case::open((folder, location.clone()));
    let tenant = &case.tenant;
    let done = together(&location, 8, |_, tenant| {
        run(tenant.create_account(account("once"), Some(key("k", b"same")))).unwrap()
    });
    assert_eq!(done.iter().filter(|done| !done.is_replayed).count(), 1);
    assert!(done.iter().all(|other| other.value == done[0].value));
    assert_eq!(run(tenant.account_summaries(ListQuery::default())).unwrap().total, 1);
    let other = run(tenant.create_account(account("other"), Some(key("k", b"other"))));
    assert!(matches!(other, Err(Error::KeyReused)));
}

#[test]
fn two_moves_do_not_make_a_circle() {
    let (folder, location) = place();
    let case = Case::open((folder, location.clone()));
    let tenant = &case.tenant;
    for _ in 0..5 {
        let pair = ["a", "b"].map(|name| run(tenant.create_account(account(name), None)).unwrap().value.id.unwrap());
        let moved = together(&location, 2, |at, tenant| {
            let parent = pair[1 - at];
            run(tenant.update_account(pair[at], None, replaced("moved", Some(parent)))).is_ok()
        });
        assert_eq!(moved.iter().filter(|is_moved| **is_moved).count(), 1);
    }
}

#[test]
fn a_setting_is_made_once() {
    let (folder, location) = place();
    let case = Case::open((folder, location.clone()));
    let tenant = &case.tenant;
    for name in ["a", "b", "c", "d", "e"] {
        together(&location, 4, |at, tenant| {
            run(tenant.put_settings(1, [(name.to_owned(), (at as u64).into())].into(), None)).unwrap();
        });
    }
    let log = run(tenant.audit_log(0, u32::MAX >> 1)).unwrap();
    let settings = log.iter().filter(|entry| entry.change.kind == "CompanySetting");
    let made = settings.filter(|entry| entry.before.is_none() && entry.change.record_id.len() == 1).count();
    assert_eq!(made, 5);
}
