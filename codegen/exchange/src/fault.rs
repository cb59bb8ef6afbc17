//! Faults in the form in which a value is written.

/// What is wrong with the form in which a value is written, whatever its schema says of the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The JSON Pointer of the value.
    pub pointer: String,
    /// `type`, `duplicate`, `namespace` or `syntax`.
    pub rule: &'static str,
    /// What is wrong.
    pub detail: String,
}

impl Fault {
    pub(crate) fn new(rule: &'static str, detail: impl Into<String>) -> Self {
        Self { pointer: String::new(), rule, detail: detail.into() }
    }

    /// The fault below another pointer.
    pub(crate) fn below(self, pointer: &str) -> Self {
        Self { pointer: format!("{pointer}{}", self.pointer), ..self }
    }
}
