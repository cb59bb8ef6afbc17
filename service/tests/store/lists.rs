//! Lists of accounts compared with filtering and sorting by hand.

use generated_server::{
    models::{AccountLocationAddressInput, AccountLocationInput, AccountPost, AccountSummary},
    runtime::json::Maybe,
};
use service::{
    domain::{
        caller::Visibility,
        list::{Exclude, Filter, ListQuery, Sort, Test, Window},
    },
    store::{TenantStore, resource},
};

use super::{Case, place, post, record, run};

fn account(number: i32) -> AccountPost {
    let words = ["Äpfel", "acme", "Zoo", "ACME Tools", "birne"];
    let locations = (0..number % 3).map(|location| AccountLocationInput {
        location_name: format!("Place {location}"),
        is_main: Some(location == 0),
        is_active: Some(true),
        addresses: vec![AccountLocationAddressInput::default(); usize::try_from(location + 1).unwrap()],
    });
    AccountPost {
        account_code: Maybe::or_null((number % 4 != 0).then(|| format!("C-{}", number % 13))),
        account_type_id: number % 2 + 1,
        business_type_id: number * 5 % 2 + 1,
        is_active: Maybe::Value(number % 6 != 0),
        locations: locations.collect(),
        ..post(words[usize::try_from(number * 7 % 5).unwrap()])
    }
}

fn filled(tenant: &TenantStore, number: i32) -> Vec<AccountSummary> {
    (0..number).map(|number| run(tenant.create_account(record(&account(number)), None)).unwrap().value).collect()
}

/// A condition as it is asked of the store, and as it is asked of a record.
type Condition = (Filter, fn(&AccountSummary) -> bool);

fn conditions() -> Vec<Condition> {
    let none = Filter::default;
    let text = |text: &str| Some(text.to_owned());
    vec![
        (none(), |_| true),
        (none().and("AccountName", Test::Contains, text("ÄPF")), |a| a.account_name.value().unwrap() == "Äpfel"),
        (none().and("AccountName", Test::Contains, text("acme")), |a| {
            a.account_name.value().unwrap().to_lowercase().contains("acme")
        }),
        (none().and("AccountCode", Test::is, text("c-3")), |a| {
            a.account_code.value().is_some_and(|code| code == "C-3")
        }),
        (none().and("AccountTypeId", Test::is, Some(2)), |a| a.account_type_id.value() == Some(&2)),
        (none().and("AccountType", Test::Contains, text("VEND")), |a| a.account_type_id.value() == Some(&2)),
        (none().and("AccountType", Test::Contains, text("nothing")), |_| false),
        (none().and("IsActive", Test::is, Some(false)), |a| a.is_active == Some(false)),
        (none().and("IsActive", Test::is, Some(true)).and("AccountName", Test::Contains, text("o")), |a| {
            a.is_active == Some(true) && a.account_name.value().unwrap().to_lowercase().contains('o')
        }),
    ]
}

#[test]
fn lists_are_what_filtering_and_sorting_by_hand_gives() {
    let case = Case::open(place());
    let tenant = &case.tenant;
    let all = filled(tenant, 150);
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
                        &resource::ACCOUNT_SUMMARY,
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
