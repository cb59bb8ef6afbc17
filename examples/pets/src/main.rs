//! A service for pets, whose interface a macro generates from `pets.yaml`.

use std::io;

use axum::Router;
use tokio::net::TcpListener;

use api::models::{Pet, PetKind};
use api::pets::{GetPet, Pets};
use api::runtime::server::{Call, Failure, Options};

mod api {
    specwright_macro::server!("pets.yaml");
}

struct Shop;

impl Pets for Shop {
    async fn get_pet(&self, _: Call<()>, request: GetPet) -> Result<Pet, Failure<GetPet>> {
        if request.id > 9 {
            return Err(Failure::not_found("pet", request.id).into());
        }
        Ok(Pet { name: format!("Cat {}", request.id), kind: PetKind::Cat })
    }
}

fn app() -> Router {
    api::router(Shop, &Options::default())
}

#[tokio::main]
async fn main() -> io::Result<()> {
    let listener = TcpListener::bind("127.0.0.1:8080").await?;
    axum::serve(listener, app()).await
}

#[cfg(test)]
mod tests {
    use http::StatusCode;

    mod client {
        specwright_macro::client!("pets.yaml");
    }

    use client::Client;

    /// A client of the service in memory.
    fn client() -> Client {
        Client::builder("http://pets.test").unwrap().transport(super::app()).build().unwrap()
    }

    #[tokio::test]
    async fn a_pet_has_its_name() {
        let pet = client().pets().get_pet(7).await.unwrap();
        assert_eq!(pet.name, "Cat 7");
    }

    #[tokio::test]
    async fn what_is_wrong_does_not_reach_the_shop() {
        let refused = client().pets().get_pet(0).await.unwrap_err();
        assert_eq!(refused.status(), Some(StatusCode::BAD_REQUEST));
    }

    #[tokio::test]
    async fn an_absent_pet_is_not_found() {
        let absent = client().pets().get_pet(10).await.unwrap_err();
        assert_eq!(absent.status(), Some(StatusCode::NOT_FOUND));
    }
}
