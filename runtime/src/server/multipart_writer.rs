//! Multipart bodies of responses.

use http::StatusCode;
use http::header::CONTENT_TYPE;

use super::reply::named;
use super::{Answer, Download, Reply};
use crate::multipart::{MultipartWriter, Written};
use crate::piece::{self, Sending};

impl Reply {
    /// A body of parts.
    pub fn multipart(self, status: StatusCode, parts: MultipartWriter) -> Answer {
        let media_type = named(self.media_type(), "multipart/mixed");
        let Written { content_type, pieces, problem } = parts.finish(media_type);
        if let Some(problem) = problem {
            return Answer::unwritable("a multipart body", &problem);
        }
        let length = piece::total(&pieces);
        let body = Download::stream(Sending::new(pieces)).header(CONTENT_TYPE, content_type);
        let body = length.into_iter().fold(body, Download::content_length);
        body.into_response(status, None).into()
    }
}
