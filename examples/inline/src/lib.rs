//! A service for pets; macros generate its interface from `pets.yaml`.

use api::server::models::{Pet, PetKind};
use api::server::pets::{GetPet, Pets};
use api::server::runtime::server::{Call, Failure};

/// Both sides of the interface.
pub mod api {
    /// The strict side: a trait for each tag, and the router.
    pub mod server {
        specwright_macro::server!("pets.yaml");
    }

    /// The tolerant side: a method for each operation.
    pub mod client {
        specwright_macro::client!("pets.yaml");
    }
}

/// A shop whose pets are cats.
#[derive(Debug)]
pub struct Shop;

impl Pets for Shop {
    async fn get_pet(&self, _: Call<()>, request: GetPet) -> Result<Pet, Failure<GetPet>> {
        Ok(Pet { name: format!("Cat {}", request.id), kind: PetKind::Cat })
    }
}
