//! A service for orders; `build.rs` generates its interface from `orders.yaml`.

use std::sync::atomic::{AtomicI64, Ordering};

use server::models::Receipt;
use server::orders::{Orders, PlaceOrder};
use server::runtime::server::{Call, Failure};

/// The strict side: a trait for each tag, and the router.
pub mod server {
    include!(concat!(env!("OUT_DIR"), "/server/lib.rs"));
}

/// The tolerant side: a method for each operation.
pub mod client {
    include!(concat!(env!("OUT_DIR"), "/client/lib.rs"));
}

/// The service, which numbers its orders.
#[derive(Debug, Default)]
pub struct Shop {
    orders: AtomicI64,
}

impl Orders for Shop {
    async fn place_order(&self, _: Call<()>, request: PlaceOrder) -> Result<Receipt, Failure<PlaceOrder>> {
        let number = self.orders.fetch_add(1, Ordering::Relaxed) + 1;
        Ok(Receipt { number, order: request.body })
    }
}
