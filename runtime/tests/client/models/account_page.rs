//! `AccountPage`

use crate::models;
use crate::runtime::json::{Json, Maybe};

#[derive(Clone, Debug, PartialEq, Eq, Hash, Json)]
#[json(read, tolerant)]
pub struct AccountPage {
    pub items: Vec<models::Account>,
    pub total: Maybe<i64>,
}
