//! A request as it would be sent, without credentials.

use http::header::{ACCEPT, COOKIE};
use http::{HeaderMap, HeaderValue};
use reqwest::Url;

use super::request_error::RequestProblem;
use super::{Operation, Request};
use crate::piece::Piece;

/// What a request would send. It has neither credentials nor the headers of the client, which may have keys.
#[derive(Debug)]
pub(crate) struct Outline {
    pub(crate) operation: &'static Operation,
    pub(crate) url: Url,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Option<String>,
}

impl Request {
    /// Describes the request instead of sending it.
    pub(crate) fn outline(self) -> Result<Outline, RequestProblem> {
        let parts = *self.parts;
        if let Some(problem) = parts.problem {
            return Err(problem);
        }
        let (operation, url) = (parts.operation, parts.url()?);
        let mut headers = parts.headers;
        let cookies = parts.cookies.try_into().ok().filter(|cookies: &HeaderValue| !cookies.is_empty());
        for (name, value) in [(ACCEPT, operation.accept()), (COOKIE, cookies)] {
            if let Some(value) = value {
                headers.entry(name).or_insert(value);
            }
        }
        let body = parts.body.map(|body| body.pieces.iter().map(shown).collect());
        Ok(Outline { operation, url, headers, body })
    }
}

/// A piece as text, or what it is.
fn shown(piece: &Piece) -> String {
    match piece {
        Piece::Bytes(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => text.to_owned(),
            Err(_) => format!("({} bytes)", bytes.len()),
        },
        piece @ (Piece::File { .. } | Piece::Stream { .. }) => format!("({piece:?})"),
    }
}
