//! `/components/schemas/Follow/properties/meta`

use crate::runtime::json::{Json, Maybe};

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Json)]
#[json(read, tolerant)]
pub struct FollowMeta {
    pub next: Maybe<String>,
}
