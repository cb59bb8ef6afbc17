//! `Problem`

use crate::runtime::json::Json;

#[derive(Clone, Debug, PartialEq, Eq, Hash, Json)]
#[json(read, tolerant)]
pub struct Problem {
    pub message: String,
}
