//! `Account`

use crate::runtime::json::object;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Account {
    pub id: i64,
    pub name: String,
}

object! {
    Account, exact, open, read, write {
        required id = "id",
        required name = "name",
    }
}
