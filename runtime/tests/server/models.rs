//! The named types of the description, one file each.

use crate::runtime::json::object;

/// A customer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// The name to show.
    pub name: String,
    /// How many people work there.
    pub employees: Option<i32>,
}

object! {
    Account, any_case, closed, read(checked), write {
        required name = "Name" [Rule::MinLength(1)],
        optional employees = "Employees",
    }
}
