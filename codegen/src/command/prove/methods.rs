//! Calls methods that the description does not have.

use std::collections::BTreeSet;

use specwright_exchange::{Message, Operation};

use super::client::Answer;
use super::finding::Kind;
use super::judge::Found;

/// The methods that are tried. HEAD belongs to GET and OPTIONS to the server; TRACE would repeat credentials (RFC 9110, 9.3.8).
const TRIED: [&str; 5] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/// Requests with methods that the path of `message` does not have. `writes`: whether they may change something.
pub(super) fn undescribed(operations: &[Operation], message: &Message, writes: bool) -> Vec<Message> {
    let described = described(operations, message);
    let is_tried = |method: &&str| !described.contains(*method) && (writes || *method == "GET");
    let with = |method: &str| {
        let mut request = Message { method: method.to_owned(), ..message.clone() };
        if matches!(method, "GET" | "DELETE") {
            request.body.clear();
            request.headers.retain(|(name, _)| !name.eq_ignore_ascii_case("content-type"));
        }
        request
    };
    TRIED.into_iter().filter(is_tried).map(with).collect()
}

/// Judges the answer to a method that is not described.
pub(super) fn judge(operations: &[Operation], message: &Message, answer: &Answer) -> Option<Found> {
    let (status, method) = (answer.status, message.method.as_str());
    let found = |kind, detail| Some(Found::new(kind, method, detail));
    match status {
        200..=299 => found(Kind::UndescribedMethod, format!("answers {status} to {method}, which is not described")),
        // 501 says that the server has no such method.
        500 | 502..=599 => found(Kind::ServerError, format!("answers {status} to {method}, which is not described")),
        405 => {
            let missing = || format!("answers 405 to {method} without `Allow`, which lists the methods that it has");
            let lines: Vec<&str> =
                answer.headers.get_all("allow").iter().filter_map(|line| line.to_str().ok()).collect();
            if lines.is_empty() {
                return found(Kind::Allow, missing());
            }
            let line = lines.join(", ");
            let allowed: BTreeSet<&str> = line.split(',').map(str::trim).collect();
            if allowed.contains(method) {
                return found(Kind::Allow, format!("answers 405 to {method}, which `Allow: {line}` has"));
            }
            let absent: Vec<&str> =
                of_its_path(operations, message).filter(|method| !allowed.contains(method)).collect();
            if absent.is_empty() {
                return None;
            }
            let absent = absent.join(", ");
            found(Kind::Allow, format!("answers 405 to {method} with `Allow: {line}`; also described: {absent}"))
        }
        _ => None,
    }
}

/// The described methods at the URL of a request.
fn described<'o>(operations: &'o [Operation], message: &Message) -> BTreeSet<&'o str> {
    at(operations, message).map(|operation| operation.method.as_str()).collect()
}

/// The methods of the most concrete path alone. A service may leave the others to their template: `/pets/{id}` has no
/// `/pets/newest` if the id is a number.
fn of_its_path<'o>(operations: &'o [Operation], message: &Message) -> impl Iterator<Item = &'o str> {
    let first = at(operations, message).map(Operation::rank).min();
    let of_path = at(operations, message).filter(|operation| Some(operation.rank()) == first);
    of_path.map(|operation| operation.method.as_str()).collect::<BTreeSet<_>>().into_iter()
}

fn at<'o>(operations: &'o [Operation], message: &Message) -> impl Iterator<Item = &'o Operation> {
    let path = message.target.split('?').next().unwrap_or_default();
    operations.iter().filter(move |operation| operation.is_at(path))
}
