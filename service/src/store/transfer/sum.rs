//! The number and the checksum of rows.

use sha2::{Digest as _, Sha256};

use crate::{domain::attachment::ContentHash, store::value::Value};

/// Rows that are counted and summed.
pub(super) struct Sum {
    rows: u64,
    hash: Sha256,
}

impl Sum {
    /// The sum of no rows, beginning with a text.
    pub(super) fn new(prefix: &str) -> Self {
        Self { rows: 0, hash: Sha256::new_with_prefix(prefix) }
    }

    /// Adds a row. Each value is preceded by its type, and texts and bytes by their length.
    pub(super) fn add(&mut self, row: &[Value]) {
        self.rows += 1;
        for value in row {
            match value {
                Value::Null => self.hash.update([0]),
                Value::Integer(number) => self.number(1, number.to_le_bytes()),
                Value::Real(number) => self.number(2, number.to_le_bytes()),
                Value::Text(text) => self.bytes(3, text.as_bytes()),
                Value::Bytes(bytes) => self.bytes(4, bytes),
            }
        }
    }

    /// The number of rows and their checksum in hexadecimal.
    pub(super) fn end(self) -> (u64, String) {
        (self.rows, ContentHash(self.hash.finalize().into()).to_string())
    }

    fn number(&mut self, kind: u8, bytes: [u8; 8]) {
        self.hash.update([kind]);
        self.hash.update(bytes);
    }

    fn bytes(&mut self, kind: u8, bytes: &[u8]) {
        self.number(kind, (bytes.len() as u64).to_le_bytes());
        self.hash.update(bytes);
    }
}
