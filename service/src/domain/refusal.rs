//! Violations of rules in records.

/// A violated rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The location in the input as a JSON Pointer: `/Locations/0/Addresses`.
    pub pointer: String,
    /// The violated rule, as in the generated reader: `reference`, `required`, `duplicate`.
    pub code: &'static str,
    /// Completes a sentence about the value: "is 7, and there is no such account type".
    pub detail: String,
}

impl Refusal {
    /// A violation of the rule `code` at `pointer`.
    pub fn new(pointer: impl Into<String>, code: &'static str, detail: impl Into<String>) -> Self {
        Self { pointer: pointer.into(), code, detail: detail.into() }
    }

    /// A reference to a missing `what`.
    pub fn reference(pointer: impl Into<String>, what: &str, id: impl std::fmt::Display) -> Self {
        Self::new(pointer, "reference", format!("is {id}, and there is no such {what}"))
    }
}
