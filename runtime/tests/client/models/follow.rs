//! `Follow`

use crate::models;
use crate::runtime::json::object;

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Follow {
    pub data: Option<Vec<models::Account>>,
    pub meta: Option<models::FollowMeta>,
}

object! {
    Follow, exact, open, read {
        optional data = "data",
        optional meta = "meta",
    }
}
