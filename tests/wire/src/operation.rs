//! An operation as the generated program lists it.

use std::pin::Pin;

use specwright_exchange::{Direction, Document, Named, Parameter, is_empty, is_impossible};

use crate::{Failed, Place, Stage};

/// An operation as the generated program lists it; `C` is the generated client.
#[derive(Clone, Copy, Debug)]
pub struct Operation<C> {
    /// `operationId`, or the id that the generator derives.
    pub id: &'static str,
    /// The HTTP method.
    pub method: &'static str,
    /// The path template.
    pub path: &'static str,
    /// Every possible answer: the key of the response and a media type, which is empty if there is no body.
    pub answers: &'static [(&'static str, &'static str)],
    /// Calls the operation once with random values.
    pub call: fn(C, Stage) -> Calling,
}

impl<C> Operation<C> {
    /// The id and the place in the description.
    pub(crate) fn named(&self) -> Named<'static> {
        Named { id: self.id, method: self.method, path: self.path }
    }

    /// The indices of the possible answers, and the names of the others, which have no valid value.
    pub(crate) fn possible_answers(&self, document: &Document) -> (Vec<usize>, Vec<String>) {
        let (mut possible, mut impossible) = (Vec::new(), Vec::new());
        for (index, (key, media_type)) in self.answers.iter().enumerate() {
            let described = document.describe(self.named(), Place::answer(key, media_type));
            if described.is_some_and(|answer| is_impossible(document, &answer.schema, Direction::Response)) {
                impossible.push(format!("{key} {media_type}"));
            } else {
                possible.push(index);
            }
        }
        (possible, impossible)
    }

    /// A required parameter for which no value can be sent.
    pub(crate) fn unsendable(&self, document: &Document) -> Option<String> {
        let mut parameters = document.parameters_of(self.named()).into_iter().filter(|parameter| parameter.required);
        let found = parameters.find(|Parameter { within, schema, .. }| {
            is_impossible(document, schema, Direction::Request)
                || within == "path" && is_empty(document, schema, Direction::Request)
        })?;
        Some(format!("{} `{}`", found.within, found.name))
    }

    /// Whether both have the same method and template.
    pub(crate) fn has_route_of(&self, other: &Self) -> bool {
        self.method == other.method && shape(self.path) == shape(other.path)
    }

    /// Whether only the types in the path distinguish the operations (W0502): method and template are the
    /// same, and no required parameter and no parameter value tells them apart.
    pub(crate) fn matches_the_same(&self, other: &Self, document: &Document) -> bool {
        self.has_route_of(other) && !document.are_told_apart(self.named(), other.named())
    }

    /// Whether this operation receives some requests for the other one: its path has literal segments where
    /// the other one has parameters, and it is matched first.
    pub(crate) fn is_more_concrete_than(&self, other: &Self) -> bool {
        self.method == other.method && is_more_concrete(&shape(self.path), &shape(other.path))
    }
}

fn is_more_concrete(one: &str, other: &str) -> bool {
    let fits = |(own, other): (&str, &str)| own == other || (other == "{}" && !own.contains('{'));
    one != other
        && one.split('/').count() == other.split('/').count()
        && std::iter::zip(one.split('/'), other.split('/')).all(fits)
}

/// The template without the names of its parameters.
fn shape(path: &str) -> String {
    let path = path.split('#').next().unwrap_or(path);
    // A parameter in the query of a path is a query parameter.
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let fixed: Vec<&str> = query.split('&').filter(|pair| !pair.is_empty() && !pair.contains('{')).collect();
    let path = if fixed.is_empty() { path.to_owned() } else { format!("{path}?{}", fixed.join("&")) };
    let mut pieces = path.split('{');
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |shape, piece| shape + "{}" + piece.split_once('}').map_or("", |(_, rest)| rest))
}

/// A running call.
pub type Calling = Pin<Box<dyn Future<Output = Result<(), Failed>> + Send>>;

#[cfg(test)]
mod tests {
    use serde_json::json;
    use specwright_exchange::Document;

    use super::{Operation, is_more_concrete, shape};

    #[test]
    fn texts_are_matched_before_parameters() {
        assert!(is_more_concrete("/a/b/{}", "/a/{}/{}"));
        for other in ["/a/{}", "/a/b", "/a", "/{}/b", "/a/x{}"] {
            assert!(!is_more_concrete("/a/{}", other), "{other}");
        }
    }

    #[test]
    fn only_the_names_of_parameters_are_left_out() {
        assert_eq!(shape("/a/{b}/c.{d}"), shape("/a/{x}/c.{y}"));
        assert_eq!(shape("/a/{b}#c"), shape("/a/{x}"));
        assert_eq!(shape("/a?b={b}&c=1"), "/a?c=1");
        assert_ne!(shape("/a/{b}"), shape("/a/b"));
    }

    #[test]
    fn nothing_can_be_sent_for_an_object_in_the_path_whose_members_are_read_only() {
        let version =
            json!({ "type": "object", "additionalProperties": false, "properties": { "major": { "readOnly": true } } });
        let within = |place: &str| {
            let parameter = json!({ "name": "version", "in": place, "required": true, "schema": version });
            json!({ "get": { "parameters": [parameter] } })
        };
        let document = Document::of(
            json!({ "openapi": "3.0.0", "paths": { "/{version}": within("path"), "/": within("query") } }),
        );
        let unsendable = |path| {
            let call = |(), _| -> super::Calling { Box::pin(async { Ok(()) }) };
            Operation { id: "", method: "GET", path, answers: &[], call }.unsendable(&document)
        };
        assert_eq!(unsendable("/{version}").as_deref(), Some("path `version`"));
        assert_eq!(unsendable("/"), None, "a query may be empty");
    }
}
