//! Paginated lists.

use crate::accounts::{CappedAccounts, CountedAccounts, FollowAccounts, ListAccounts, SkipAccounts};
use crate::errors::causes;
use crate::runtime::client::{Error, Items, Page};
use crate::script::{Script, json, reply};

fn account(id: u32) -> String {
    format!(r#"{{"id": {id}, "name": "n{id}"}}"#)
}

fn accounts(ids: impl IntoIterator<Item = u32>) -> String {
    ids.into_iter().map(account).collect::<Vec<_>>().join(", ")
}

fn page(ids: impl IntoIterator<Item = u32>, total: &str) -> String {
    format!(r#"{{"items": [{}], "total": {total}}}"#, accounts(ids))
}

async fn ids<T: Page<Item = crate::models::Account>, E: std::fmt::Debug>(items: Items<T, E>) -> Vec<i64> {
    items.try_collect().await.unwrap().into_iter().map(|account| account.id).collect()
}

#[tokio::test]
async fn numbered_pages_up_to_the_total() {
    let script = Script::of([json(&page(1..=3, "5")), json(&page(4..=5, "5"))]).await;
    let request = ListAccounts { name: Some("n".to_owned()), ..ListAccounts::default() };
    assert_eq!(ids(script.accounts().list_accounts(request).items()).await, [1, 2, 3, 4, 5]);
    assert_eq!(script.targets(), ["/accounts?name=n&page=1&size=3", "/accounts?name=n&page=2&size=3"]);
}

#[tokio::test]
async fn numbered_pages_without_a_total_end_with_a_short_one() {
    let replies = [page(1..=2, "null"), page(3..=4, "null"), page(5..=5, "null")];
    let script = Script::of(replies.iter().map(|page| json(page))).await;
    let request = ListAccounts { size: Some(2), ..ListAccounts::default() };
    assert_eq!(ids(script.accounts().list_accounts(request).items()).await, [1, 2, 3, 4, 5]);
    assert_eq!(script.targets(), ["/accounts?size=2&page=1", "/accounts?size=2&page=2", "/accounts?size=2&page=3"]);

    let script = Script::of([json(&page(1..=2, "null")), json(&page([], "null"))]).await;
    let request = ListAccounts { size: Some(2), page: Some(7), ..ListAccounts::default() };
    assert_eq!(ids(script.accounts().list_accounts(request).items()).await, [1, 2]);
    assert_eq!(script.targets(), ["/accounts?page=7&size=2", "/accounts?page=8&size=2"]);
}

#[tokio::test]
async fn a_list_that_begins_in_the_middle_ends_at_the_total_too() {
    let script = Script::of([json(&page(4..=6, "6"))]).await;
    let request = ListAccounts { page: Some(2), ..ListAccounts::default() };
    assert_eq!(ids(script.accounts().list_accounts(request).items()).await, [4, 5, 6]);
    assert_eq!(script.asked().len(), 1);
}

#[tokio::test]
async fn a_server_that_gives_shorter_pages_than_asked_for() {
    let script = Script::of([json(&page(1..=2, "3")), json(&page(3..=3, "3"))]).await;
    assert_eq!(ids(script.accounts().list_accounts(ListAccounts::default()).items()).await, [1, 2, 3]);
}

#[tokio::test]
async fn numbers_may_begin_at_zero() {
    let script = Script::of([json(&page(1..=2, "3")), json(&page(3..=3, "3"))]).await;
    let request = CountedAccounts { size: Some(2), ..CountedAccounts::default() };
    assert_eq!(ids(script.accounts().counted_accounts(request).items()).await, [1, 2, 3]);
    assert_eq!(script.targets(), ["/accounts/counted?size=2&page=0", "/accounts/counted?size=2&page=1"]);
}

#[tokio::test]
async fn a_page_may_be_shorter_than_a_size_that_nobody_gave() {
    let replies = [page(1..=50, "null"), page(51..=70, "null"), page([], "null")];
    let script = Script::of(replies.iter().map(|page| json(page))).await;
    let found = ids(script.accounts().counted_accounts(CountedAccounts::default()).items()).await;
    assert_eq!(found, (1..=70).collect::<Vec<_>>());
    assert_eq!(script.targets(), [0, 1, 2].map(|number| format!("/accounts/counted?page={number}&size=100")));

    // Nor does it say how many items come before the first page.
    let script = Script::of([json(&page(101..=150, "170")), json(&page(151..=170, "170"))]).await;
    let request = CountedAccounts { page: Some(2), ..CountedAccounts::default() };
    let found = ids(script.accounts().counted_accounts(request).items()).await;
    assert_eq!(found, (101..=170).collect::<Vec<_>>());
    assert_eq!(script.asked().len(), 2);

    let replies = [format!("[{}]", accounts(1..=4)), format!("[{}]", accounts(5..=5)), "[]".to_owned()];
    let script = Script::of(replies.iter().map(|page| json(page))).await;
    let found = ids(script.accounts().capped_accounts(CappedAccounts::default()).items()).await;
    assert_eq!(found, [1, 2, 3, 4, 5]);
    let targets = ["", "&skip=4", "&skip=5"].map(|skip| format!("/accounts/capped?top=10{skip}"));
    assert_eq!(script.targets(), targets);
}

#[tokio::test]
async fn a_list_whose_last_page_is_repeated_is_an_error() {
    let replies = [page(1..=5, "null"), page(6..=7, "null"), page(6..=7, "null"), page(6..=7, "null")];
    let script = Script::of(replies.iter().map(|page| json(page))).await;
    let mut pages = script.accounts().counted_accounts(CountedAccounts::default()).pages();
    for _ in 0..3 {
        assert!(pages.try_next().await.unwrap().is_some());
    }
    let error = pages.try_next().await.unwrap_err();
    assert_eq!(causes(&error), ["it is the same as the page before it, so the list has no end"]);
    assert_eq!(script.asked().len(), 3);
}

#[tokio::test]
async fn a_page_is_asked_for_when_it_is_wanted() {
    let script = Script::of([json(&page(1..=3, "6")), json(&page(4..=6, "6"))]).await;
    let mut items = script.accounts().list_accounts(ListAccounts::default()).items();
    for id in 1..=3 {
        assert_eq!(items.try_next().await.unwrap().unwrap().id, id);
        assert_eq!(script.asked().len(), usize::from(id == 1));
    }
    assert_eq!(items.try_next().await.unwrap().unwrap().id, 4);
    assert_eq!(script.asked().len(), 1);
}

#[tokio::test]
async fn whole_pages() {
    let script = Script::of([json(&page(1..=3, "4")), json(&page(4..=4, "4"))]).await;
    let mut pages = script.accounts().list_accounts(ListAccounts::default()).pages();
    assert_eq!(pages.try_next().await.unwrap().unwrap().items.len(), 3);
    assert_eq!(pages.try_next().await.unwrap().unwrap().items.len(), 1);
    assert!(pages.try_next().await.unwrap().is_none());
}

#[tokio::test]
async fn offsets_count_items() {
    let script = Script::of(["1..3", "3..5", ""].map(|_| String::new()).iter().enumerate().map(|(index, _)| {
        let first = u32::try_from(index).unwrap() * 2 + 1;
        json(&if index == 2 { "[]".to_owned() } else { format!("[{}]", accounts(first..first + 2)) })
    }))
    .await;
    assert_eq!(ids(script.accounts().skip_accounts(SkipAccounts::default()).items()).await, [1, 2, 3, 4]);
    let expected = ["/accounts/offset?top=2", "/accounts/offset?top=2&skip=2", "/accounts/offset?top=2&skip=4"];
    assert_eq!(script.targets(), expected);
}

#[tokio::test]
async fn cursors_are_followed_until_there_is_none() {
    let script = Script::of([
        json(&format!(r#"{{"data": [{}], "meta": {{"next": "b c"}}}}"#, account(1))),
        json(r#"{"data": [], "meta": {"next": "d"}}"#),
        json(&format!(r#"{{"data": [{}]}}"#, account(2))),
    ])
    .await;
    assert_eq!(ids(script.accounts().follow_accounts(FollowAccounts::default()).items()).await, [1, 2]);
    assert_eq!(script.targets(), ["/accounts/cursor", "/accounts/cursor?after=b%20c", "/accounts/cursor?after=d"]);
}

#[tokio::test]
async fn a_cursor_that_leads_around_in_a_circle_is_an_error() {
    let round = format!(r#"{{"data": [{}], "meta": {{"next": "a"}}}}"#, account(1));
    let script = Script::of([json(&round), json(&round), json(&round)]).await;
    let mut items = script.accounts().follow_accounts(FollowAccounts::default()).items();
    assert!(items.try_next().await.unwrap().is_some());
    assert!(items.try_next().await.unwrap().is_some());
    let error = items.try_next().await.unwrap_err();
    assert_eq!(causes(&error), ["its next page, `a`, has been the next page before"]);
    assert_eq!(error.bytes().unwrap().as_ref(), round.as_bytes());
    assert!(items.try_next().await.unwrap().is_none());
    assert_eq!(script.asked().len(), 2);
}

#[tokio::test]
async fn links_are_followed_on_the_same_server() {
    let script = Script::of([
        json(&page(1..=1, "9")).header("link", r#"</a,b>; rel="prev", <?after=1>; title="x, y"; rel="last next""#),
        json(&page(2..=2, "9")).header("link", "<{url}/accounts/link?after=2>; REL=next"),
        json(&page(3..=3, "9")).header("link", r#"<{url}/accounts/link>; rel="first""#),
    ])
    .await;
    assert_eq!(ids(script.accounts().link_accounts(()).items()).await, [1, 2, 3]);
    assert_eq!(script.targets(), ["/accounts/link", "/accounts/link?after=1", "/accounts/link?after=2"]);

    let elsewhere = json(&page(1..=1, "9")).header("link", r#"<http://127.0.0.1:1/accounts>; rel="next""#);
    let script = Script::of([elsewhere]).await;
    let mut items = script.accounts().link_accounts(()).items();
    assert!(items.try_next().await.unwrap().is_some());
    let error = items.try_next().await.unwrap_err();
    assert_eq!(causes(&error), ["its next page, `http://127.0.0.1:1/accounts`, is on another server"]);
}

#[tokio::test]
async fn a_list_ends_with_the_first_error() {
    let problem = r#"{"message": "broken"}"#;
    let script = Script::of([json(&page(1..=3, "9")), json(problem).status(500), reply(200)]).await;
    let mut items = script.accounts().list_accounts(ListAccounts::default()).items();
    for _ in 0..3 {
        assert!(items.try_next().await.unwrap().is_some());
    }
    assert!(matches!(items.try_next().await, Err(Error::Api(failure)) if failure.body.message == "broken"));
    assert!(items.try_next().await.unwrap().is_none());
}
