//! `Problem`

use crate::runtime::json::object;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Problem {
    pub message: String,
}

object! {
    Problem, exact, open, read {
        required message = "message",
    }
}
