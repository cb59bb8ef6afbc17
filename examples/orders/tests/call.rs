//! A generated client calls a generated server.

use axum::Router;
use example_orders::Shop;
use example_orders::client::Client;
use example_orders::client::models;
use example_orders::server::{self, runtime::server::Options};

async fn client() -> Client {
    let app: Router = server::router(Shop::default(), &Options::default());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, app).await });
    Client::builder(&format!("http://{address}")).unwrap().build().unwrap()
}

#[tokio::test]
async fn an_order_gets_a_number() {
    let client = client().await;
    for number in 1..3 {
        let order = models::Order::new("tea".to_owned());
        let receipt = client.orders().place_order(order).await.unwrap();
        assert_eq!((receipt.number, receipt.order.item.as_str()), (number, "tea"));
    }
}

#[tokio::test]
async fn what_the_description_forbids_does_not_reach_the_shop() {
    let order = models::Order::new(String::new());
    let refused = client().await.orders().place_order(order).await.unwrap_err();
    assert_eq!(refused.status(), Some(http::StatusCode::UNPROCESSABLE_ENTITY));
}
