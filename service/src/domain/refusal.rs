//! Why a record is not taken.

/// One rule that an input violates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Where, as a JSON Pointer into the input: `/Locations/0/Addresses`.
    pub pointer: String,
    /// The rule, in the words of the codes of the generated reader: `reference`, `required`, `duplicate`.
    pub code: &'static str,
    /// What is wrong, reading on after the name of the place: "is 7, and there is no such account type".
    pub detail: String,
}

impl Refusal {
    /// Of the value at `pointer`, by the rule `code`.
    pub fn new(pointer: impl Into<String>, code: &'static str, detail: impl Into<String>) -> Self {
        Self { pointer: pointer.into(), code, detail: detail.into() }
    }

    /// Of a reference to `what`, which is not there.
    pub fn reference(pointer: impl Into<String>, what: &str, id: impl std::fmt::Display) -> Self {
        Self::new(pointer, "reference", format!("is {id}, and there is no such {what}"))
    }
}
