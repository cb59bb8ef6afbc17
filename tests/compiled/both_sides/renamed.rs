//! Renamed items: user's names in Rust, the description's names on the wire.

use compiled_client::ledger as client;
use compiled_client::models::{
    Language as ClientLanguage, NumberedAccount as Received, NumberedAccountHeld as ReceivedHeld,
};
use compiled_server::ledger::{Account, Ledger};
use compiled_server::models::{Language, NumberedAccount, NumberedAccountHeld, NumberedAccountSort};
use compiled_server::runtime::server::{Call, Failure, Options};
use serde_json::{Value, json};

use crate::echo::{client_of, serve};

struct Book;

impl Ledger for Book {
    async fn account(&self, _: Call<()>, request: Account) -> Result<NumberedAccount, Failure<Account>> {
        Ok(NumberedAccount {
            language: request.language,
            kind: Some(NumberedAccountSort::ForeignAccount),
            held: Some(NumberedAccountHeld::Points(7)),
            ..NumberedAccount::new(request.number)
        })
    }
}

#[tokio::test]
async fn both_sides_agree() {
    let client = client_of(compiled_server::ledger::router(Book, &Options::default())).await;
    let request = client::Account { number: 12, language: Some(ClientLanguage::English) };
    let answer = client.ledger().account(request).await.expect("it is answered");
    assert_eq!(answer.number, 12);
    assert_eq!(answer.held, Some(ReceivedHeld::Points(7)));
    assert_eq!(answer.language, Some(ClientLanguage::English));
}

#[tokio::test]
async fn the_wire_has_the_names_of_the_description() {
    let address = serve(compiled_server::ledger::router(Book, &Options::default())).await;
    let answer = reqwest::get(format!("{address}/v1/api/Account_Get/5?lang=d")).await.expect("it is answered");
    let bytes = answer.bytes().await.expect("it has a body");
    let body: Value = serde_json::from_slice(&bytes).expect("it is JSON");
    assert_eq!(body, json!({ "nr": 5, "lng": "d", "kind": 2, "held": 7 }));
    let read: Received = compiled_client::runtime::json::from_slice(&bytes).expect("it can be read");
    assert_eq!((read.number, read.language), (5, Some(ClientLanguage::German)));
    let language: Language = "e".parse().expect("it is one");
    assert_eq!(language, Language::English);
}
