//! Multipart bodies of requests.

use super::body::Body;
use super::request::Request;
use super::request_error::RequestProblem;
use crate::multipart::{MultipartWriter, Part, Problem, Written};

impl Request {
    /// A body of parts.
    pub fn multipart(mut self, content_type: &'static str, parts: MultipartWriter) -> Self {
        let Written { content_type: with_boundary, pieces, problem } = parts.finish(content_type);
        if let Some(problem) = problem {
            self.parts.problem.get_or_insert(match problem {
                Problem::Number(place) => RequestProblem::Number { place },
                Problem::Repeated(place) => RequestProblem::Repeated { place },
                Problem::Delimiter(parameter) => RequestProblem::Delimiter { parameter },
                Problem::Gap(position) => RequestProblem::Gap { position },
            });
        }
        self.body(content_type, Body { content_type: Some(with_boundary), pieces })
    }
}

/// The content and its media type, without a name.
impl From<Part> for Body {
    fn from(part: Part) -> Self {
        Self { content_type: part.content_type, pieces: vec![part.piece] }
    }
}
