use std::sync::Arc;

use generated_server::{
    models::{AccountLocationAddressInput, AccountLocationInput, AccountPost, AccountSummary},
    runtime::json::Maybe,
};

use super::{change, new_account, open, place, run};
use crate::{
    domain::{
        account::{AccountFilter, AccountLookupFilter, AlertKind},
        caller::Visibility,
        list::{Exclude, ListQuery, Sort, Window},
        refusal::Refusal,
    },
    store::{
        Error, TenantStore,
        record::{ACCOUNTS, Record, Value},
        shape,
    },
};

fn account(number: i32) -> AccountPost {
    let words = ["Äpfel", "acme", "Zoo", "ACME Tools", "birne"];
    let address = AccountLocationAddressInput {
        country: Maybe::Value("österreich".into()),
        is_main: Some(true),
        ..AccountLocationAddressInput::default()
    };
    let locations = (0..number % 3).map(|location| AccountLocationInput {
        location_name: format!("Place {location}"),
        is_main: Some(location == 0),
        is_active: Some(true),
        addresses: vec![address.clone(); usize::try_from(location + 1).unwrap()],
    });
    AccountPost {
        account_code: (number % 4 != 0).then(|| format!("C-{}", number % 13)).into(),
        account_type_id: number % 2 + 1,
        business_type_id: number * 5 % 2 + 1,
        is_active: Maybe::Value(number % 6 != 0),
        locations: locations.collect(),
        ..new_account(words[usize::try_from(number * 7 % 5).unwrap()])
    }
}

fn filled(tenant: &TenantStore, number: i32) -> Vec<AccountSummary> {
    (0..number).map(|number| run(tenant.create_account(account(number), None)).unwrap().value).collect()
}

#[test]
fn what_is_created_is_read_again_by_every_way() {
    let (_folder, _store, tenant) = open(place());
    let created = filled(&tenant, 30);
    let last = created.last().unwrap();
    assert_eq!(last.id, Some(30));
    assert_eq!(last.created_by.value(), Some(&7));
    assert_eq!(last.account_manager_user_name.value().map(String::as_str), Some("jdoe"));
    assert_eq!(last.tenant_name.value().map(String::as_str), Some("Example MSP"));
    let locations = last.locations.value().unwrap();
    assert_eq!(locations.len(), 2);
    assert_eq!(locations[1].addresses.value().unwrap().len(), 2);
    assert_eq!(locations[1].addresses.value().unwrap()[0].country.value().map(String::as_str), Some("Österreich"));

    let listed = run(tenant.account_summaries(ListQuery::default())).unwrap();
    assert_eq!((listed.total, &listed.records), (30, &created));
    assert_eq!(run(tenant.account_summary(30)).unwrap().as_ref(), Some(last));
    assert_eq!(run(tenant.account_summary(31)).unwrap(), None);
    let places = run(tenant.account_locations(30)).unwrap().unwrap();
    assert_eq!(places.len(), 2);
    let place = run(tenant.account_location(30, places[1].id.unwrap())).unwrap();
    assert_eq!(place.as_ref(), Some(&locations[1]));
    assert_eq!(run(tenant.account_location(29, places[1].id.unwrap())).unwrap(), None);
    assert_eq!(run(tenant.account_locations(31)).unwrap(), None);
    assert_eq!(run(tenant.account_alert(31, AlertKind::NewTicket)).unwrap(), None);
    assert_eq!(run(tenant.account_alert(30, AlertKind::NewTicket)).unwrap().unwrap().id, None);
}

#[test]
fn references_are_checked_and_nothing_is_kept_of_what_is_refused() {
    let (_folder, _store, tenant) = open(place());
    let mut wrong = account(2);
    wrong.account_type_id = 99;
    wrong.parent_id = Maybe::Value(1);
    wrong.locations[0].addresses[0].country = Maybe::Value("Atlantis".into());
    let Err(Error::Refused(refusals)) = run(tenant.create_account(wrong, None)) else { panic!("it is taken") };
    let pointers: Vec<_> = refusals.iter().map(|refusal| refusal.pointer.as_str()).collect();
    assert_eq!(pointers, ["/ParentId", "/AccountTypeId", "/Locations/0/Addresses/0/Country"]);
    assert_eq!(run(tenant.account_summaries(ListQuery::default())).unwrap().total, 0);
}

#[test]
fn an_update_is_one_with_its_reading() {
    let (_folder, _store, tenant) = open(place());
    filled(&tenant, 3);
    let rename = |name: &'static str| {
        change(move |account| {
            let Value::Text(text) = account.get(&ACCOUNTS, "AccountName").unwrap() else { panic!("it has a name") };
            let text = format!("{text} {name}");
            account.set(&ACCOUNTS, "AccountName", text.into());
        })
    };
    let changed = run(tenant.update_account(2, crate::store::Condition::none(), rename("two"))).unwrap().unwrap();
    assert_eq!(changed.account_name.value().map(String::as_str), Some("Zoo two"));
    assert!(run(tenant.update_account(9, crate::store::Condition::none(), rename("nine"))).unwrap().is_none());

    let refuse = Arc::new(|_: &Record| Err(vec![Refusal::new("/AccountName", "test", "is another")]));
    assert!(matches!(run(tenant.update_account(2, crate::store::Condition::none(), refuse)), Err(Error::Refused(_))));
    let below = |parent: i32| {
        change(move |account| {
            account.set(&ACCOUNTS, "ParentId", parent.into());
            account.set(&ACCOUNTS, "IsActive", false.into());
        })
    };
    assert!(run(tenant.update_account(3, crate::store::Condition::none(), below(2))).is_ok());
    assert!(matches!(run(tenant.update_account(2, crate::store::Condition::none(), below(3))), Err(Error::Refused(_))));
    assert!(matches!(run(tenant.update_account(2, crate::store::Condition::none(), below(2))), Err(Error::Refused(_))));

    let active = |is_active| ListQuery {
        filter: AccountFilter { is_active: Some(is_active), ..AccountFilter::default() },
        ..ListQuery::default()
    };
    // The first is inactive from the beginning, the third since it stands below the second.
    assert_eq!(run(tenant.account_summaries(active(true))).unwrap().total, 1);
    assert_eq!(run(tenant.account_summaries(active(false))).unwrap().total, 2);
}

/// A condition as it is asked of the store, and as it is asked of a record.
type Condition = (AccountFilter, fn(&AccountSummary) -> bool);

fn conditions() -> Vec<Condition> {
    let none = AccountFilter::default;
    let text = |text: &str| Some(text.to_owned());
    vec![
        (none(), |_| true),
        (AccountFilter { name: text("ÄPF"), ..none() }, |a| a.account_name.value().unwrap() == "Äpfel"),
        (AccountFilter { name: text("acme"), ..none() }, |a| {
            a.account_name.value().unwrap().to_lowercase().contains("acme")
        }),
        (AccountFilter { code: text("c-3"), ..none() }, |a| a.account_code.value().is_some_and(|code| code == "C-3")),
        (AccountFilter { type_id: Some(2), ..none() }, |a| a.account_type_id.value() == Some(&2)),
        (AccountFilter { type_name: text("VEND"), ..none() }, |a| a.account_type_id.value() == Some(&2)),
        (AccountFilter { type_name: text("nothing"), ..none() }, |_| false),
        (AccountFilter { is_active: Some(false), ..none() }, |a| a.is_active == Some(false)),
        (AccountFilter { is_active: Some(true), name: text("o"), ..none() }, |a| {
            a.is_active == Some(true) && a.account_name.value().unwrap().to_lowercase().contains('o')
        }),
    ]
}

#[test]
fn lists_are_what_filtering_and_sorting_by_hand_gives() {
    let (_folder, _store, tenant) = open(place());
    let all = filled(&tenant, 150);
    let key = |account: &AccountSummary, member: &str| match member {
        "AccountName" => account.account_name.value().map(|name| name.to_lowercase()),
        "AccountCode" => account.account_code.value().map(|code| code.to_lowercase()),
        "IsActive" => account.is_active.map(|active| active.to_string()),
        "AccountTypeId" => account.account_type_id.value().map(ToString::to_string),
        _ => Some(format!("{:09}", account.id.unwrap())),
    };
    let limited = Visibility::Accounts([2, 40, 41, 102, 900].into());
    let cases = [Visibility::All, limited]
        .into_iter()
        .flat_map(|visible| conditions().into_iter().map(move |(filter, holds)| (visible.clone(), filter, holds)));
    for (visible, filter, holds) in cases {
        let tenant = tenant.seeing(visible.clone());
        for (member, descending) in ["Id", "AccountName", "AccountCode", "IsActive", "AccountTypeId"]
            .into_iter()
            .flat_map(|m| [(m, false), (m, true)])
        {
            let mut expected: Vec<_> =
                all.iter().filter(|account| visible.includes(account.id.unwrap()) && holds(account)).collect();
            expected.sort_by_key(|account| (key(account, member), account.id));
            if descending {
                expected.reverse();
            }
            for (offset, limit) in
                [(0, None), (0, Some(7)), (3, Some(4)), (101, Some(9)), (1000, Some(5)), (0, Some(0))]
            {
                let query = ListQuery {
                    filter: filter.clone(),
                    sort: Sort::parse(
                        &format!("{member} {}", if descending { "desc" } else { "asc" }),
                        &shape::ACCOUNT_SUMMARY,
                    )
                    .unwrap(),
                    exclude: Exclude::default(),
                    window: Window { offset, limit, after: None },
                };
                let listed = run(tenant.account_summaries(query)).unwrap();
                assert_eq!(listed.total, expected.len() as u64, "{filter:?}");
                let window = expected.iter().skip(usize::try_from(offset).unwrap());
                let window = window.take(limit.map_or(usize::MAX, |limit| limit as usize));
                let (found, wanted): (Vec<_>, Vec<_>) =
                    (listed.records.iter().map(|a| a.id).collect(), window.clone().map(|a| a.id).collect());
                assert_eq!(found, wanted, "{filter:?} by {member} {descending} from {offset} {limit:?}");
                assert!(listed.records.iter().zip(window).all(|(found, wanted)| found == *wanted));
            }
        }
    }
}

#[test]
fn excluded_members_are_absent() {
    let (_folder, _store, tenant) = open(place());
    filled(&tenant, 3);
    let exclude = Exclude::parse("locations, Id,AccountType", &shape::ACCOUNT_SUMMARY).unwrap();
    let listed = run(tenant.account_summaries(ListQuery { exclude, ..ListQuery::default() })).unwrap();
    let account = &listed.records[2];
    assert!(account.id.is_none() && account.locations.is_absent() && account.account_type.is_absent());
    assert!(account.account_type_id.value().is_some() && account.account_name.value().is_some());
}

#[test]
fn the_lookup_leaves_out_inactive_accounts_unless_asked() {
    let (_folder, _store, tenant) = open(place());
    filled(&tenant, 30);
    let count = |filter: AccountLookupFilter| {
        run(tenant.account_lookup(ListQuery { filter, ..ListQuery::default() })).unwrap().total
    };
    let none = AccountLookupFilter::default;
    assert_eq!(count(none()), 25);
    assert_eq!(count(AccountLookupFilter { with_inactive: true, ..none() }), 30);
    assert_eq!(count(AccountLookupFilter { ids: vec![1, 2, 3, 99], ..none() }), 2);
    assert_eq!(count(AccountLookupFilter { name: Some("zoo".into()), with_inactive: true, ..none() }), 6);
    let limited = tenant.seeing(Visibility::Accounts([5, 6].into()));
    assert_eq!(run(limited.account_lookup(ListQuery { filter: none(), ..ListQuery::default() })).unwrap().total, 2);
}
