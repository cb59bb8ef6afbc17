//! `/components/schemas/Follow/properties/meta`

use crate::runtime::json::{Maybe, object};

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct FollowMeta {
    pub next: Maybe<String>,
}

object! {
    FollowMeta, exact, open, read {
        maybe next = "next",
    }
}
