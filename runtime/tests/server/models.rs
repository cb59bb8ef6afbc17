//! The named types of the description, one file each.

use crate::runtime::json::Json;

/// A customer.
#[derive(Clone, Debug, PartialEq, Eq, Json)]
#[json(any_case, closed)]
pub struct Account {
    /// The name to show.
    #[json("Name", min_length = 1)]
    pub name: String,
    /// How many people work there.
    #[json("Employees")]
    pub employees: Option<i32>,
}
