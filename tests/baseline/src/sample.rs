//! The values that are sent.

use std::sync::LazyLock;

use bytes::Bytes;

/// The number of orders in a list.
pub const ORDERS: usize = 100;

/// The content of a file: 10 MiB.
pub static FILE: LazyLock<Bytes> = LazyLock::new(|| vec![b'x'; 10 << 20].into());

/// An order of 1 KB, as JSON.
pub const ORDER: &str = include_str!("../order.json").trim_ascii_end();

/// A list of orders, as JSON.
pub fn orders() -> String {
    format!("[{}]", vec![ORDER; ORDERS].join(","))
}
