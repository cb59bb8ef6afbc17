//! The values of a request as the members of one object.

/// The name of each value of a request; no two values of an operation have the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arguments {
    /// Those of the parameters, in their order.
    pub parameters: Vec<String>,
    /// That of the body, and the index of the content that it is sent as.
    pub body: Option<(String, usize)>,
}
