//! A client that a macro made calls a server that a macro made, without a socket.

use axum::Router;
use example_inline::Shop;
use example_inline::api::client::Client;
use example_inline::api::server::{self, runtime::server::Options};

fn client() -> Client {
    let app: Router = server::router(Shop, &Options::default());
    Client::builder("http://pets.test").unwrap().transport(app).build().unwrap()
}

#[tokio::test]
async fn a_pet_has_its_name() {
    let pet = client().pets().get_pet(7).await.unwrap();
    assert_eq!(pet.name, "Cat 7");
}

#[tokio::test]
async fn what_the_description_forbids_does_not_reach_the_shop() {
    let refused = client().pets().get_pet(0).await.unwrap_err();
    assert_eq!(refused.status(), Some(http::StatusCode::BAD_REQUEST));
}
