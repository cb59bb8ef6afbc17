//! Types of the user are read and written on both sides, in every position.

use std::collections::BTreeMap;

use crate::client_side::models::{Medal, Wallet as Sent, WalletFound};
use crate::client_side::own_types as client;
use crate::client_side::runtime::json::{self, Maybe};
use crate::server_side::models::Wallet;
use crate::server_side::own_types::{
    FillWallet, FillWalletForm, FillWalletParts, FillWalletPartsPart, FillWalletResponse, OwnTypes, router,
};
use crate::server_side::runtime::server::{Call, Failure, Options};
use compiled_types::{Celsius, Money, Point};
use serde_json::{Value, json};

use crate::serve::{client_of, serve};

struct Purse;

impl OwnTypes for Purse {
    async fn fill_wallet(&self, _: Call<()>, request: FillWallet) -> Result<FillWalletResponse, Failure<FillWallet>> {
        let FillWallet { amount, steps, near, x_celsius, body } = request;
        let steps = steps.into_iter().flatten();
        let cents = steps.fold(amount.cents, |cents, step| cents + step.cents);
        let body = Wallet { home: near, celsius: x_celsius, ..body };
        Ok(FillWalletResponse { x_left: Money { cents, currency: amount.currency }.into(), body })
    }

    async fn fill_wallet_form(&self, _: Call<()>, request: FillWalletForm) -> Result<Wallet, Failure<FillWalletForm>> {
        Ok(request.body)
    }

    async fn fill_wallet_parts(
        &self,
        _: Call<()>,
        mut request: FillWalletParts,
    ) -> Result<Wallet, Failure<FillWalletParts>> {
        let mut wallet = Wallet::new(money("0.00 EUR"));
        while let Some(part) = request.body.next().await? {
            match part {
                FillWalletPartsPart::Total(total) => wallet.total = total,
                FillWalletPartsPart::Home(home) => wallet.home = Some(home),
            }
        }
        Ok(wallet)
    }
}

fn money<T: From<Money>>(text: &str) -> T {
    let money: Money = text.parse().expect("it is an amount");
    money.into()
}

fn point<T: From<Point>>(x: i32, y: i32) -> T {
    Point { x, y }.into()
}

fn wallet() -> Sent {
    Sent {
        spent: Maybe::Null,
        history: Some(vec![money("1.00 EUR"), money("2.00 CHF")]),
        places: Some(BTreeMap::from([("a".to_owned(), point(1, -2))])),
        found: Some(WalletFound::Spot(point(3, 4))),
        since: Some("long ago".to_owned()),
        ..Sent::new(money("12.50 EUR"))
    }
}

#[tokio::test]
async fn they_arrive_in_every_place() {
    let client = client_of(router(Purse, &Options::default())).await;
    let request = client::FillWallet {
        amount: money("5.00 EUR"),
        steps: Some(vec![money("0.50 EUR"), money("0.25 EUR")]),
        near: Some(point(-7, 8)),
        x_celsius: Some(Celsius(-12.5).into()),
        body: wallet(),
    };
    let answer = client.own_types().fill_wallet(request).await.expect("it is answered");
    assert_eq!(answer.x_left, Ok(money("5.75 EUR")));
    assert_eq!(answer.body, Sent { home: Some(point(-7, 8)), celsius: Some(Celsius(-12.5).into()), ..wallet() });

    let sent = Sent { spent: Maybe::Absent, home: Some(point(5, 6)), found: None, ..wallet() };
    let answer = client.own_types().fill_wallet_form(client::FillWalletForm { body: sent.clone() }).await;
    assert_eq!(answer.expect("it is answered"), sent);

    let body = client::FillWalletPartsBody { total: money("3.21 USD"), home: point(0, 9) };
    let answer = client.own_types().fill_wallet_parts(client::FillWalletParts { body }).await;
    assert_eq!(answer.expect("it is answered"), Sent { home: Some(point(0, 9)), ..Sent::new(money("3.21 USD")) });
}

#[tokio::test]
async fn what_they_refuse_is_a_violation_at_its_place() {
    let address = serve(router(Purse, &Options::default())).await;
    let body = json!({
        "total": "1,50 EUR", "celsius": "12", "places": { "a": { "x": 1, "y": 2, "z": 3 } }, "history": ["1.00 EUR", "1.00 EUR"],
        "found": true,
    });
    let request = reqwest::Client::new().put(format!("{address}/wallets/5?near=1"));
    let request = request.header("content-type", "application/json").body(body.to_string());
    let answer = request.send().await.expect("it is answered");
    assert_eq!(answer.status(), 422);
    let bytes = answer.bytes().await.expect("it has a body");
    let problem: Value = serde_json::from_slice(&bytes).expect("it is JSON");
    let errors = problem["errors"].as_array().expect("it lists them");
    let places: Vec<_> = errors.iter().map(|error| error["pointer"].as_str().or(error["name"].as_str())).collect();
    let expected = ["amount", "near", "/total", "/celsius", "/places/a", "/history/1", "/found"];
    assert_eq!(places.len(), expected.len(), "{errors:#?}");
    assert!(expected.iter().all(|place| places.contains(&Some(place))), "{errors:#?}");
    let total = errors.iter().find(|error| error["pointer"] == "/total").expect("it is one of them");
    assert_eq!(total["detail"], "is `1,50 EUR`: an amount looks like `12.50 EUR`");
}

#[test]
fn additional_derives_do_not_change_the_wire_format() {
    let medal = |level| Medal { level: Some(level), name: Some("gold".to_owned()) };
    assert!(medal(1) < medal(2));
    assert_eq!(serde_json::to_value(medal(1)).expect("it is derived"), json!({ "LEVEL": 1, "NAME": "gold" }));
    assert_eq!(json::to_vec(&medal(1)), br#"{"level":1,"name":"gold"}"#);
}

#[test]
fn a_display_that_is_not_a_number_keeps_the_document_valid() {
    let wallet = Sent { celsius: Some(Celsius(f64::NAN).into()), ..Sent::new(money("1.00 EUR")) };
    assert_eq!(json::to_vec(&wallet), br#"{"total":"1.00 EUR","celsius":"NaN"}"#);
}
