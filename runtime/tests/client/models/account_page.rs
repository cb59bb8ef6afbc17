//! `AccountPage`

use crate::models;
use crate::runtime::json::{Maybe, object};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AccountPage {
    pub items: Vec<models::Account>,
    pub total: Maybe<i64>,
}

object! {
    AccountPage, exact, open, read {
        required items = "items",
        maybe total = "total",
    }
}
