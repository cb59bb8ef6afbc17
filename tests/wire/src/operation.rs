//! An operation as the generated program lists it.

use std::pin::Pin;

use crate::{Failed, Stage};

/// An operation as the generated program lists it; `C` is the generated client.
#[derive(Clone, Copy, Debug)]
pub struct Operation<C> {
    /// `operationId`, or what is made for it.
    pub id: &'static str,
    /// The HTTP method as it is sent.
    pub method: &'static str,
    /// The path template.
    pub path: &'static str,
    /// Every answer there can be: the key of the response and a media type, which is empty where there is no body.
    pub answers: &'static [(&'static str, &'static str)],
    /// Calls it once with random values.
    pub call: fn(C, Stage) -> Calling,
}

impl<C> Operation<C> {
    /// Nothing about a method and a path tells them apart (W0502).
    pub(crate) fn matches_the_same(&self, other: &Self) -> bool {
        self.method == other.method && shape(self.path) == shape(other.path)
    }
}

/// The template without the names of its parameters.
fn shape(path: &str) -> String {
    let path = path.split('#').next().unwrap_or(path);
    let mut pieces = path.split('{');
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |shape, piece| shape + "{}" + piece.split_once('}').map_or("", |(_, rest)| rest))
}

/// A call on its way.
pub type Calling = Pin<Box<dyn Future<Output = Result<(), Failed>> + Send>>;

#[cfg(test)]
mod tests {
    use super::shape;

    #[test]
    fn only_the_names_of_parameters_are_left_out() {
        assert_eq!(shape("/a/{b}/c.{d}"), shape("/a/{x}/c.{y}"));
        assert_eq!(shape("/a/{b}#c"), shape("/a/{x}"));
        assert_ne!(shape("/a/{b}"), shape("/a/b"));
    }
}
