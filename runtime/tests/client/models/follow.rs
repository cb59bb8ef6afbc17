//! `Follow`

use crate::models;
use crate::runtime::json::Json;

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Json)]
#[json(read, tolerant)]
pub struct Follow {
    pub data: Option<Vec<models::Account>>,
    pub meta: Option<models::FollowMeta>,
}
