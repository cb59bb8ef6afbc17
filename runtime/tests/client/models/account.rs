//! `Account`

use crate::runtime::json::Json;

#[derive(Clone, Debug, PartialEq, Eq, Hash, Json)]
#[json(tolerant)]
pub struct Account {
    pub id: i64,
    pub name: String,
}
