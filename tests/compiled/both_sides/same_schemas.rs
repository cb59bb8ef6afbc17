//! Equal unnamed schemas become one type, available under each of their names.

use compiled_client::letters as asked;
use compiled_client::models as client;
use compiled_server::letters::{Letters, ListLetters, PostLetter};
use compiled_server::models;
use compiled_server::parcels::{ListParcels, ListParcelsError, Parcels};
use compiled_server::runtime::server::{Call, Failure, Options};

use crate::echo::client_of;

const NAMES: [&str; 5] = ["a", "b", "c", "d", "e"];

struct Office;

/// A page of both lists, with the names of one of them.
fn page(order: Option<models::ListParcelsOrder>, page: Option<i64>, size: Option<i64>) -> models::ListParcelsResponse {
    let mut items: Vec<_> =
        NAMES.iter().map(|id| models::ListLettersResponseItemsItem { id: (*id).to_owned() }).collect();
    if order == Some(models::ListParcelsOrder::Newest) {
        items.reverse();
    }
    let size = usize::try_from(size.unwrap_or(50)).unwrap_or_default();
    let before = usize::try_from(page.unwrap_or(1) - 1).unwrap_or_default() * size;
    models::ListParcelsResponse { items: items.into_iter().skip(before).take(size).collect(), total: 5 }
}

impl Parcels for Office {
    async fn list_parcels(
        &self,
        _: Call<()>,
        request: ListParcels,
    ) -> Result<models::ListParcelsResponse, Failure<ListParcels>> {
        if request.page > Some(3) {
            let body = models::ListParcelsDefaultResponse { detail: "there are three pages".to_owned() };
            return Err(ListParcelsError::ClientError { status: http::StatusCode::NOT_FOUND, body }.into());
        }
        Ok(page(request.order, request.page, request.size))
    }
}

impl Letters for Office {
    async fn list_letters(
        &self,
        _: Call<()>,
        request: ListLetters,
    ) -> Result<models::ListLettersResponse, Failure<ListLetters>> {
        Ok(page(request.order, request.page, request.size))
    }

    async fn post_letter(&self, _: Call<()>, request: PostLetter) -> Result<(), Failure<PostLetter>> {
        assert_eq!(request.body.sheets, [models::ListParcelsResponseItemsItem { id: "1".to_owned() }]);
        Ok(())
    }
}

#[tokio::test]
async fn both_lists_are_read_with_one_type() {
    let parcels = client_of(compiled_server::parcels::router(Office, &Options::default())).await;
    let letters = client_of(compiled_server::letters::router(Office, &Options::default())).await;
    let order = Some(client::ListLettersOrder::Newest);
    let first = compiled_client::parcels::ListParcels { order: order.clone(), page: None, size: Some(2) };
    let mut items = parcels.parcels().list_parcels(first).items();
    let mut read: Vec<client::ListLettersResponseItemsItem> = Vec::new();
    while let Some(item) = items.try_next().await.expect("every page is answered") {
        read.push(item);
    }
    assert_eq!(read.iter().map(|item| item.id.as_str()).collect::<String>(), "edcba");

    let second = asked::ListLetters { order, page: Some(2), size: Some(3) };
    let page: client::ListParcelsResponse = letters.letters().list_letters(second).await.expect("it is answered");
    assert_eq!(page.items, read[3..]);
}

#[tokio::test]
async fn what_is_answered_can_be_sent() {
    let letters = client_of(compiled_server::letters::router(Office, &Options::default())).await;
    let sheets = vec![client::ListParcelsResponseItemsItem { id: "1".to_owned() }];
    let request = asked::PostLetter { body: client::PostLetterBody { sheets } };
    letters.letters().post_letter(request).await.expect("it is sent");
}

#[tokio::test]
async fn failures_may_be_of_the_same_type() {
    let client = client_of(compiled_server::parcels::router(Office, &Options::default())).await;
    let beyond = compiled_client::parcels::ListParcels { order: None, page: Some(4), size: None };
    let error = client.parcels().list_parcels(beyond).await.expect_err("there is no such page");
    assert!(error.to_string().contains("404"), "{error}");
}
