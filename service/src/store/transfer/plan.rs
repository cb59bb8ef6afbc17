//! Converts the rows of a table to rows of the same table in another database.

use sha2::{Digest as _, Sha256};

use crate::store::{
    Error,
    table::Table,
    text::fold,
    value::{Value, hexadecimal},
};

/// The columns of a table that are read, written and compared. Every row begins with its tenant.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) table: &'static Table,
    /// The columns that are read.
    pub(super) read: Vec<String>,
    /// The columns that are written.
    pub(super) written: Vec<String>,
    /// The source of each written column.
    origins: Vec<Origin>,
    /// The columns that both tables have.
    pub(super) compared: Vec<String>,
}

/// The source of a written column; indices refer to the columns read.
#[derive(Clone, Copy, Debug)]
enum Origin {
    Same(usize),
    Folded(usize),
    Nothing,
}

/// The number and the checksum of rows.
pub(super) struct Sum {
    rows: u64,
    hash: Sha256,
}

impl Plan {
    /// A plan from the columns `here` to those `there`. Columns that only one side has must be derivable. A
    /// reference to another row of the table is written once all rows are copied.
    pub(super) fn new(table: &'static Table, here: &[String], there: &[String]) -> Result<Self, Error> {
        let position = |name: &str| here.iter().position(|column| column == name);
        let follows = |name: &str| name.ends_with("_folded") || (table.name, name) == ("audit_log", "entry");
        if let Some(lost) = here.iter().find(|name| !there.contains(name) && !follows(name)) {
            return Err(Error::Damaged(format!("the column `{}.{lost}` has no place in the new store", table.name)));
        }
        let origin = |name: &String| match position(name) {
            Some(_) if table.parent == Some(name) => Some(Origin::Nothing),
            Some(at) => Some(Origin::Same(at)),
            // Both number the changes in the order in which they became visible.
            None if (table.name, name.as_str()) == ("audit_log", "entry") => position("sequence").map(Origin::Same),
            None => name.strip_suffix("_folded").and_then(position).map(Origin::Folded),
        };
        let unknown = |name: &String| {
            Error::Damaged(format!("nothing says what is in the column `{}.{name}` of the new store", table.name))
        };
        let origins = there.iter().map(|name| origin(name).ok_or_else(|| unknown(name))).collect::<Result<_, _>>()?;
        let compared = here.iter().filter(|name| there.contains(name)).cloned().collect();
        Ok(Self { table, read: here.to_vec(), written: there.to_vec(), origins, compared })
    }

    /// The row that is written for one that was read.
    pub(super) fn row(&self, row: &[Value]) -> Vec<Value> {
        let value = |origin: &Origin| match *origin {
            Origin::Same(at) => row[at].clone(),
            Origin::Folded(at) => match &row[at] {
                Value::Text(text) => Value::Text(fold(text)),
                other => other.clone(),
            },
            Origin::Nothing => Value::Null,
        };
        self.origins.iter().map(value).collect()
    }
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
        (self.rows, hexadecimal(&self.hash.finalize()))
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
