//! Paging, sorting, excluding and filtering, on accounts.

use futures_util::StreamExt as _;
use generated_client::{
    Client,
    accounts::*,
    attachments::GetAttachments,
    models::{AccountLocationAddressInput, AccountPost, AccountSummary},
    runtime::{json::Maybe, multipart::Part},
};

use serde_json::json;
use service::domain::caller::Visibility;

use crate::{
    app::App,
    records::{account, create, import, location, refusal},
};

/// 25 accounts `List 00` to `List 24`; every fifth is inactive.
async fn app() -> (App, Client) {
    let app = App::start().await;
    let client = app.client();
    for number in 0..25 {
        let mut body = account(&format!("List {number:02}"));
        body.account_code = Maybe::Value(format!("L-{number:02}"));
        body.is_active = Maybe::Value(number % 5 != 0);
        create(&client, body).await;
    }
    (app, client)
}

fn listed() -> GetAccountsListSummary {
    GetAccountsListSummary { filter_account_name: Some("lIsT ".into()), ..GetAccountsListSummary::default() }
}

fn names(accounts: &[AccountSummary]) -> Vec<&str> {
    accounts.iter().filter_map(|account| account.account_name.as_deref()).collect()
}

#[tokio::test]
async fn pages_follow_each_other_and_say_where_the_others_are() {
    let (_app, client) = app().await;
    let page = |page_number, page_size| {
        let request = GetAccountsListSummary { page_number, page_size, sort: Some("AccountName".into()), ..listed() };
        client.accounts().get_accounts_list_summary(request)
    };
    let second = page(Some(2), Some(10)).await.expect("a page");
    let records = second.body.result.into_option().expect("records");
    assert_eq!(second.body.total_records, Some(25));
    assert_eq!((names(&records)[0], records.len()), ("List 10", 10));
    let link = second.link.expect("links");
    for (relation, number) in [("first", 1), ("prev", 1), ("next", 3), ("last", 3)] {
        assert!(link.contains(&format!("PageNumber={number}>; rel=\"{relation}\"")), "{relation}: {link}");
    }
    assert!(link.contains("Filter.AccountName="), "the filter goes with the links: {link}");
    for (number, relations) in [(1, "first next last"), (3, "first prev last"), (9, "first prev last")] {
        let link = page(Some(number), Some(10)).await.expect("a page").link.expect("links");
        let found: Vec<_> = link.split("rel=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        assert_eq!(found.join(" "), relations, "{link}");
        assert!(number < 9 || link.contains("PageNumber=3>; rel=\"prev\""), "{link}");
    }

    let past = page(Some(9), Some(10)).await.expect("a page past the end").body;
    assert_eq!((past.result.value().map(Vec::len), past.total_records), (Some(0), Some(25)));
    let zero = page(Some(0), Some(10)).await.expect("0 is the first page").body.result.into_option().expect("records");
    assert_eq!(names(&zero)[0], "List 00");
    let only = page(None, None).await.expect("all on one page");
    assert_eq!(only.link, None);

    for (number, size, word) in
        [(Some(-1), None, "PageNumber"), (None, Some(0), "PageSize"), (None, Some(1001), "1000")]
    {
        let (status, texts) = refusal(page(number, size).await.expect_err("refused"));
        assert_eq!(status, 400);
        assert!(texts[0].contains(word), "{texts:?}");
    }
}

#[tokio::test]
async fn the_client_walks_all_pages() {
    let (_app, client) = app().await;
    let request = GetAccountsListSummary { page_size: Some(7), ..listed() };
    let all: Vec<_> = client.accounts().get_accounts_list_summary(request).items().try_collect().await.expect("walked");
    assert_eq!(all.len(), 25);
    let mut ids: Vec<_> = all.iter().map(|account| account.id).collect();
    ids.dedup();
    assert_eq!(ids.len(), 25, "no record comes twice");
}

#[tokio::test]
async fn a_walk_along_the_links_loses_and_repeats_nothing_while_others_write() {
    let app = App::start().await;
    let client = app.client();
    let attach = async |name: String| {
        let created = crate::attachments::attach(&client, Part::bytes(&*name, "text")).await;
        created.id.expect("an id")
    };
    let delete = async |id: i32| {
        client.attachments().delete_attachments(id.to_string()).await.expect("deleted");
    };
    for sort in [None, Some("Id desc")] {
        let mut there = Vec::new();
        for number in 0..30 {
            there.push(attach(format!("{sort:?} {number}")).await);
        }
        let (all, mut gone, mut seen) = (there.clone(), Vec::new(), Vec::new());
        let request = GetAttachments {
            module_id: 1,
            object_id: 101,
            sort: sort.map(str::to_owned),
            exclude: Some("Id".into()),
            page_size: Some(4),
            page_number: None,
            after: None,
        };
        let mut items = client.attachments().get_attachments(request).items();
        // Paging does not need excluded properties. The name identifies the account.
        while let Some(item) = items.next().await {
            let name = item.expect("walked").original_file_name.into_option().expect("a name");
            if let Some(number) = name.strip_prefix(&format!("{sort:?} ")) {
                seen.push(all[number.parse::<usize>().expect("a number")]);
            }
            // Delete an account early in the order and one late in it, and create another.
            if there.len() > 12 {
                for position in [1, there.len() / 2] {
                    let id = there.remove(position);
                    delete(id).await;
                    gone.push(id);
                }
                attach("later".into()).await;
            }
        }
        let count = |id: &i32| seen.iter().filter(|seen| *seen == id).count();
        assert!(there.iter().all(|id| count(id) == 1), "{seen:?} of {there:?}, sorted by {sort:?}");
        assert!(gone.iter().all(|id| count(id) <= 1), "{seen:?} of {gone:?}, sorted by {sort:?}");
    }
}

#[tokio::test]
async fn sort_and_exclude_take_member_names_in_any_case() {
    let (_app, client) = app().await;
    let request = |sort: &str, exclude: &str| GetAccountsListSummary {
        sort: Some(sort.to_owned()),
        exclude: Some(exclude.to_owned()),
        ..listed()
    };
    for (sort, first) in
        [("accountname desc", "List 24"), ("-AccountName", "List 24"), ("IsActive, AccountName desc", "List 20")]
    {
        let call = client.accounts().get_accounts_list_summary(request(sort, "Locations,website,ID"));
        let records = call.await.expect("sorted").body.result.into_option().expect("records");
        assert_eq!(names(&records)[0], first, "{sort}");
        assert!(records.iter().all(|record| record.id.is_none()), "excluded");
        assert!(
            records.iter().all(|record| record.locations.is_absent() && record.website.is_absent()),
            "not even null"
        );
        assert!(records.iter().all(|record| record.description.value().is_some()), "the others stay");
    }
    for (sort, exclude, allowed) in
        [("Nonsense", "", "AccountName"), ("Id sideways", "", "asc"), ("Id", "Nonsense", "Locations")]
    {
        let error = client.accounts().get_accounts_list_summary(request(sort, exclude)).await.expect_err("refused");
        let (status, texts) = refusal(error);
        assert_eq!(status, 400);
        assert!(texts[0].contains(allowed), "{texts:?}");
    }
}

#[tokio::test]
async fn filters_join_with_and() {
    let (_app, client) = app().await;
    let total = async |request: GetAccountsListSummary| {
        client.accounts().get_accounts_list_summary(request).await.expect("filtered").body.total_records
    };
    assert_eq!(total(listed()).await, Some(25));
    assert_eq!(total(GetAccountsListSummary { filter_is_active: Some(false), ..listed() }).await, Some(5));
    assert_eq!(total(GetAccountsListSummary { filter_account_code: Some("l-07".into()), ..listed() }).await, Some(1));
    assert_eq!(total(GetAccountsListSummary { filter_account_code: Some("l-0".into()), ..listed() }).await, Some(0));
    assert_eq!(total(GetAccountsListSummary { filter_account_type_id: Some(987), ..listed() }).await, Some(0));
    let now = jiff::Timestamp::now();
    let hour = jiff::SignedDuration::from_hours(1);
    let recent = GetAccountsListSummary { filter_created_on_from: Some(now - hour), ..listed() };
    assert_eq!(total(recent.clone()).await, Some(25));
    let none = GetAccountsListSummary { filter_created_on_to: Some(now - hour), ..recent };
    assert_eq!(total(none).await, Some(0));

    let lookup = GetAccounts { filter_name: Some("list".into()), ..GetAccounts::default() };
    let active = client.accounts().get_accounts(lookup.clone()).await.expect("a lookup").body.result;
    assert_eq!(active.value().map(Vec::len), Some(20), "a lookup has active accounts only, and all of them");
    let all = GetAccounts { filter_with_inactive_accounts: Some(true), ..lookup.clone() };
    let all = client.accounts().get_accounts(all).await.expect("a lookup").body.result.into_option().expect("records");
    assert_eq!(all.len(), 25);
    let ids: Vec<i32> = all.iter().filter_map(|account| account.id).take(3).collect();
    let by_id = GetAccounts { filter_ids: Some(ids.clone()), filter_with_inactive_accounts: Some(true), ..lookup };
    let by_id =
        client.accounts().get_accounts(by_id).await.expect("a lookup").body.result.into_option().expect("records");
    assert_eq!(by_id.iter().filter_map(|account| account.id).collect::<Vec<_>>(), ids);
}

#[tokio::test]
async fn query_names_are_read_in_any_case_and_dates_without_a_zone() {
    let (app, _client) = app().await;
    let answer = app
        .raw("GET /v2/crm/accounts/summary?pagesize=3&filter.accountNAME=list&FILTER.CREATEDONFROM=2020-01-01&filter.isactive=TRUE HTTP/1.1\nhost: x\nauthorization: Bearer {token}\nconnection: close\n\n")
        .await;
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("\"TotalRecords\":20"), "{answer}");
}

#[tokio::test]
async fn a_lookup_without_a_size_has_all_rows() {
    let app = App::start().await;
    let account = |number: i32| {
        json!({
            "Id": 1_000_000 + number, "AccountName": format!("Many {number:04}"), "AccountTypeId": 1, "BusinessTypeId": 1,
            "AccountManagerId": 12
        })
    };
    let accounts = (0..1_200).map(account).collect::<Vec<_>>();
    import(&app, &json!({ "Accounts": accounts })).await.expect("imported");

    let client = app.client();
    let lookup = || GetAccounts { filter_name: Some("many".into()), ..GetAccounts::default() };
    let rows = async |lookup: GetAccounts| {
        let answer = client.accounts().get_accounts(lookup).await.expect("a lookup");
        (answer.body.result.value().map(Vec::len), answer.link)
    };
    assert_eq!(rows(lookup()).await, (Some(1200), None));
    assert_eq!(rows(GetAccounts { after: Some(1_000_099), ..lookup() }).await, (Some(1100), None));
    let (second, _) = rows(GetAccounts { page_number: Some(2), ..lookup() }).await;
    assert_eq!(second, Some(0), "all of them are on the first page");
    let (some, link) = rows(GetAccounts { page_size: Some(1000), ..lookup() }).await;
    assert_eq!(some, Some(1000));
    assert!(link.is_some_and(|link| link.contains("After=1000999>; rel=\"next\"")));
    for (sort, last) in [("-Id", 1_001_195), ("Id desc, Name", 1_001_195)] {
        let sorted = GetAccounts { page_size: Some(5), sort: Some(sort.to_owned()), ..lookup() };
        let (_, link) = rows(sorted).await;
        assert!(link.is_some_and(|link| link.contains(&format!("After={last}>; rel=\"next\""))), "{sort}");
    }
    let (some, link) = rows(GetAccounts { page_size: Some(1000), after: Some(1_000_999), ..lookup() }).await;
    assert!(some == Some(200) && link.is_some_and(|link| !link.contains("next") && !link.contains("prev")));
    let all: Vec<_> = client.accounts().get_accounts(lookup()).items().try_collect().await.expect("walked");
    assert_eq!(all.len(), 1200, "nothing is lost by following the links");
}

#[tokio::test]
async fn a_page_that_would_be_too_large_is_cut_by_id_and_refused_in_another_order() {
    let app = App::start_with(|config| config.bounds.list_bytes = 20_000).await;
    let client = app.client();
    for number in 0..25 {
        create(&client, account(&format!("List {number:02}"))).await;
    }
    let cut = client.accounts().get_accounts_list_summary(listed()).await.expect("a part of it");
    assert!(cut.link.is_some_and(|link| link.contains("rel=\"next\"")), "the next page begins behind it");
    let all: Vec<_> =
        client.accounts().get_accounts_list_summary(listed()).items().try_collect().await.expect("walked");
    assert_eq!(all.len(), 25, "and nothing is lost");
    let by_name = GetAccountsListSummary { sort: Some("AccountName".into()), ..listed() };
    let (status, texts) = refusal(client.accounts().get_accounts_list_summary(by_name).await.expect_err("too large"));
    assert_eq!(status, 400);
    assert!(texts[0].contains("PageSize") && texts[0].contains("Exclude"), "{texts:?}");
    let smaller = GetAccountsListSummary { page_size: Some(5), ..listed() };
    let all: Vec<_> = client.accounts().get_accounts_list_summary(smaller).items().try_collect().await.expect("walked");
    assert_eq!(all.len(), 25, "and nothing is lost");
    let leaner = GetAccountsListSummary { exclude: Some("Locations,Description,Website".into()), ..listed() };
    client.accounts().get_accounts_list_summary(leaner).await.expect("what is left fits");
}

#[tokio::test]
async fn accounts_that_are_too_large_cost_only_the_lists_that_show_them() {
    let app = App::start_with(|config| config.bounds.list_bytes = 20_000).await;
    let client = app.client();
    let first = create(&client, account("Before")).await.id.expect("an id");
    let address = json!({ "Address1": "a".repeat(150) });
    let locations: Vec<_> = (0..200)
        .map(|number| json!({ "LocationName": format!("L {number}"), "IsMain": number == 0, "Addresses": [address] }))
        .collect();
    let large = json!({
        "Id": first + 1, "AccountName": "Large", "AccountTypeId": 1, "BusinessTypeId": 1, "AccountManagerId": 12,
        "Locations": locations
    });
    import(&app, &json!({ "Accounts": [large] })).await.expect("imported");
    let last = create(&client, account("Behind")).await.id.expect("an id");

    let ids = |accounts: Vec<AccountSummary>| accounts.iter().filter_map(|account| account.id).collect::<Vec<_>>();
    let by_name = GetAccountsListSummary { sort: Some("AccountName".into()), ..Default::default() };
    let limited = app.client_with(&["*"], &[], Visibility::Accounts([first, last].into())).await;
    let seen = limited.accounts().get_accounts_list_summary(by_name.clone()).await.expect("those it may see").body;
    assert_eq!(ids(seen.result.into_option().unwrap_or_default()), [first, last]);
    let filtered = GetAccountsListSummary { filter_account_name: Some("Be".into()), ..by_name };
    let seen = client.accounts().get_accounts_list_summary(filtered).await.expect("those it asks for").body;
    assert!(ids(seen.result.into_option().unwrap_or_default()).starts_with(&[first, last]));

    let alone = client.accounts().get_account_summary(first + 1).await.expect("one is answered, however large").body;
    assert_eq!(alone.locations.value().map(Vec::len), Some(200));
    let all = client.accounts().get_accounts_list_summary(GetAccountsListSummary::default()).items();
    let all = ids(all.try_collect().await.expect("walked"));
    assert!(all.ends_with(&[first, first + 1, last]), "{all:?}");
}

/// An account with the maximum number of addresses and the longest texts.
fn largest() -> AccountPost {
    let mut body = account("Largest");
    let wide = |length: usize| Maybe::Value("𝄞".repeat(length));
    body.account_name.push_str(&"𝄞".repeat(248));
    (body.account_code, body.description, body.website) = (wide(255), wide(4000), wide(2048));
    body.locations = (0..50).map(|number| location("L", number == 0)).collect();
    for location in &mut body.locations {
        location.addresses[0].address1 = Maybe::Value("a".repeat(150));
        location.addresses[0].city = Maybe::Null;
    }
    body
}

#[tokio::test]
async fn a_default_page_of_the_largest_accounts_fits_into_an_answer() {
    // A hundredth of the default limit, for the hundred accounts of a default page.
    let app = App::start_with(|config| config.bounds.list_bytes /= 100).await;
    let client = app.client();
    create(&client, largest()).await;
    let request = GetAccountsListSummary { filter_account_name: Some("largest".into()), ..Default::default() };
    let page = client.accounts().get_accounts_list_summary(request).await.expect("it fits").body;
    assert_eq!(page.result.value().map(Vec::len), Some(1));
}

#[tokio::test]
async fn the_addresses_of_an_account_are_limited_in_number_and_text() {
    let app = App::start().await;
    let client = app.client();
    let post = |body| client.accounts().post_account(PostAccount { idempotency_key: None, body });
    let mut more = largest();
    let address = more.locations[0].addresses[0].clone();
    more.locations[0].addresses.push(address.clone());
    let (status, texts) = refusal(post(more).await.expect_err("51 addresses"));
    assert_eq!(status, 422);
    assert!(texts.iter().any(|text| text.contains("51 addresses")), "{texts:?}");

    let mut longer = largest();
    for location in &mut longer.locations {
        location.addresses[0].address2 = Maybe::Value("b".repeat(20));
    }
    let (status, texts) = refusal(post(longer).await.expect_err("8550 bytes"));
    assert_eq!(status, 422);
    assert!(texts.iter().any(|text| text.contains("8192")), "{texts:?}");

    let mut fifty = account("Fifty at one place");
    fifty.locations[0].addresses = vec![AccountLocationAddressInput::default(); 50];
    create(&client, fifty).await;
}

#[tokio::test]
async fn a_member_stands_in_an_order_once() {
    let (_app, client) = app().await;
    let request = GetAccountsListSummary { sort: Some("Id,AccountName,-id".into()), ..listed() };
    let (status, texts) = refusal(client.accounts().get_accounts_list_summary(request).await.expect_err("refused"));
    assert_eq!(status, 400);
    assert!(texts[0].contains("twice"), "{texts:?}");
}
