//! Every style of pagination is followed to the end of the list.

use compiled_client::pagination as asked;
use compiled_server::models::{Item, LinkedPage, LinkedPageLinks, MarkedPage, Page, PageMeta};
use compiled_server::pagination::{
    ListAfterCursor, ListAfterLast, ListByUrl, ListFromOffset, ListLinked, ListLinkedResponse, ListNumbered,
    Pagination, router,
};
use compiled_server::runtime::json::Maybe;
use compiled_server::runtime::server::{Call, Failure, Options};

use crate::echo::client_of;
use crate::serve::client_in_memory;

const TOTAL: i64 = 7;

/// Seven items, at most three at a time.
pub(crate) struct Seven;

fn page(start: i64, length: i64, next: Option<String>) -> Page {
    let items = (start..TOTAL.min(start + length)).map(|id| Item { id }).collect();
    Page { items, meta: PageMeta { total: TOTAL, next: Maybe::or_null(next) } }
}

impl Pagination for Seven {
    async fn list_numbered(&self, _: Call<()>, request: ListNumbered) -> Result<Page, Failure<ListNumbered>> {
        let size = i64::from(request.size.unwrap_or(3));
        Ok(page((i64::from(request.page.unwrap_or(1)) - 1) * size, size, None))
    }

    async fn list_from_offset(&self, _: Call<()>, request: ListFromOffset) -> Result<Page, Failure<ListFromOffset>> {
        Ok(page(request.skip.unwrap_or(0).into(), request.top.unwrap_or(3).into(), None))
    }

    async fn list_after_cursor(&self, _: Call<()>, request: ListAfterCursor) -> Result<Page, Failure<ListAfterCursor>> {
        let start = request.after.map_or(Ok(0), |after| after.trim_start_matches("a&b=").parse::<i64>())?;
        Ok(page(start, 3, (start + 3 < TOTAL).then(|| format!("a&b={}", start + 3))))
    }

    async fn list_by_url(&self, call: Call<()>, _: ListByUrl) -> Result<LinkedPage, Failure<ListByUrl>> {
        let query = call.uri().query().unwrap_or_default();
        let start = query.strip_prefix("from=").map_or(Ok(0), str::parse::<i64>)?;
        let next = (start + 3 < TOTAL).then(|| format!("/by-url?from={}", start + 3));
        let links = Some(LinkedPageLinks { next: Maybe::or_null(next) });
        Ok(LinkedPage { items: page(start, 3, None).items, links })
    }

    async fn list_after_last(&self, _: Call<()>, request: ListAfterLast) -> Result<MarkedPage, Failure<ListAfterLast>> {
        let start = request.starting_after.map_or(0, |last| last + 1);
        Ok(MarkedPage { data: Some(page(start, 3, None).items), has_more: start + 3 < TOTAL })
    }

    async fn list_linked(&self, call: Call<()>, _: ListLinked) -> Result<ListLinkedResponse, Failure<ListLinked>> {
        let query = call.uri().query().unwrap_or_default();
        let start = query.strip_prefix("from=").map_or(Ok(0), str::parse::<i64>)?;
        let link = (start + 3 < TOTAL).then(|| format!("</linked?from={}>; rel=\"next\"", start + 3));
        Ok(ListLinkedResponse { link, body: page(start, 3, None).items })
    }
}

/// All items of a list, by their ids.
macro_rules! ids {
    ($call:expr) => {{
        let mut items = $call.items();
        let mut ids = Vec::new();
        while let Some(item) = items.try_next().await.expect("every page is answered") {
            ids.push(item.id);
        }
        ids
    }};
}

#[tokio::test]
async fn lists_are_followed_to_their_end() {
    let client = client_of(router(Seven, &Options::default())).await;
    let lists = client.pagination();
    let all: Vec<i64> = (0..TOTAL).collect();
    assert_eq!(ids!(lists.list_numbered(asked::ListNumbered { page: None, size: Some(3) })), all);
    assert_eq!(ids!(lists.list_numbered(asked::ListNumbered { page: Some(2), size: Some(2) })), all[2..]);
    assert_eq!(ids!(lists.list_from_offset(asked::ListFromOffset { skip: None, top: Some(3) })), all);
    assert_eq!(ids!(lists.list_from_offset(asked::ListFromOffset { skip: Some(5), top: None })), all[5..]);
    assert_eq!(ids!(lists.list_after_cursor(asked::ListAfterCursor::default())), all);
    assert_eq!(ids!(lists.list_linked(())), all);
    assert_eq!(ids!(lists.list_by_url(())), all);
    assert_eq!(ids!(lists.list_after_last(asked::ListAfterLast::default())), all);
    assert_eq!(ids!(lists.list_after_last(asked::ListAfterLast { starting_after: Some(4) })), all[5..]);
}

#[tokio::test]
async fn pages_come_one_by_one() {
    let client = client_of(router(Seven, &Options::default())).await;
    let mut pages = client.pagination().list_after_cursor(asked::ListAfterCursor::default()).pages();
    let mut lengths = Vec::new();
    while let Some(page) = pages.try_next().await.expect("every page is answered") {
        lengths.push(page.items.len());
    }
    assert_eq!(lengths, [3, 3, 1]);
}

#[tokio::test]
async fn lists_are_followed_without_a_socket_too() {
    let client = client_in_memory(router(Seven, &Options::default()));
    let lists = client.pagination();
    let all: Vec<i64> = (0..TOTAL).collect();
    assert_eq!(ids!(lists.list_after_cursor(asked::ListAfterCursor::default())), all);
    assert_eq!(ids!(lists.list_linked(())), all);
    let error = lists.list_after_cursor(asked::ListAfterCursor { after: Some("x".to_owned()) }).await;
    let error = error.expect_err("that is not a cursor");
    assert_eq!(error.status(), Some(http::StatusCode::INTERNAL_SERVER_ERROR));
}
