//! Multipart bodies that are read, part by part while they arrive.

mod bounded;
mod description;
mod error;
mod field;
mod file_name;
mod headless;
#[cfg(all(feature = "server", feature = "schema"))]
mod values;
#[cfg(feature = "server")]
mod whole;

use std::borrow::Cow;
use std::marker::PhantomData;
use std::sync::Arc;

use http::HeaderMap;

use crate::byte_stream::ByteStream;
use crate::media_type;
use crate::text::quoted;
use crate::violation::{Location, Violation};
use bounded::{Between, OneByOne};
pub use description::{PartDescription, Parts};
pub use error::{PartError, ReadError};
pub use field::{Field, FilePart};

/// A multipart body, with the description of its parts. The type of its errors decides how strictly it is read.
#[derive(Debug)]
pub struct MultipartReader<E> {
    parts: multer::Multipart<'static>,
    declared: &'static Parts,
    /// Number of arrivals of each part.
    seen: Vec<usize>,
    count: usize,
    limits: Limits,
    between: Arc<Between>,
    #[cfg(feature = "server")]
    whole: whole::Whole,
    error: PhantomData<fn() -> E>,
}

/// What is kept in memory at most.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Bytes of a part that is read as a whole.
    pub(crate) part: u64,
    /// Number of parts.
    pub(crate) parts: usize,
}

impl<E: PartError> MultipartReader<E> {
    /// The parts of a stream of bytes with this boundary.
    pub(crate) fn new(stream: ByteStream, boundary: &str, declared: &'static Parts, limits: Limits) -> Self {
        let between = Arc::<Between>::default();
        let stream = OneByOne::new(stream, boundary, Arc::clone(&between));
        Self {
            parts: multer::Multipart::new(stream, boundary),
            declared,
            seen: vec![0; declared.described.len()],
            count: 0,
            limits,
            between,
            #[cfg(feature = "server")]
            whole: whole::Whole::default(),
            error: PhantomData,
        }
    }

    /// The next described part; the previous one must have been dropped.
    pub async fn next(&mut self) -> Result<Option<Field<E>>, E> {
        self.find().await.map_err(E::new)
    }

    async fn find(&mut self) -> Result<Option<Field<E>>, ReadError> {
        loop {
            self.between.begin();
            let found = self.parts.next_field().await;
            self.between.end();
            let Some(mut field) = found? else {
                if E::IS_STRICT {
                    self.check_end()?;
                }
                return Ok(None);
            };
            self.count += 1;
            if self.count > self.limits.parts {
                return Err(ReadError::TooLarge(format!("the body has more than {} parts", self.limits.parts)));
            }
            let (place, index) = self.place_of(&field);
            if let Some(index) = index {
                self.seen[index] += 1;
            }
            if E::IS_STRICT {
                self.check_part(&place, index, field.headers())?;
            }
            #[cfg(all(feature = "server", feature = "schema"))]
            self.whole.values.begin(&place, index.is_some_and(|index| self.declared.described[index].repeated));
            if let Some(index) = index {
                let part = &self.declared.described[index];
                let field = Field::new(part.name, place, field, Arc::clone(&self.between), self.limits);
                #[cfg(all(feature = "server", feature = "schema"))]
                let field = field.with_values(self.whole.values.clone());
                return Ok(Some(field));
            }
            while field.chunk().await?.is_some() {}
        }
    }

    /// The name or position of a part, and the index of its description.
    fn place_of(&self, field: &multer::Field<'_>) -> (Cow<'static, str>, Option<usize>) {
        if self.declared.positional {
            let position = self.count - 1;
            return (Cow::Owned(position.to_string()), self.declared.at(position));
        }
        let name = self.name_of(field);
        match self.declared.described.iter().position(|part| part.name == name) {
            Some(index) => (Cow::Borrowed(self.declared.described[index].name), Some(index)),
            None => (Cow::Owned(name.into_owned()), None),
        }
    }

    /// The name of a part: that of `Content-Disposition`, or else its `Content-ID`, or else that of the first part that has
    /// its media type and has not arrived.
    fn name_of<'f>(&self, field: &'f multer::Field<'_>) -> Cow<'f, str> {
        if let Some(name) = field.name() {
            return unquoted(name);
        }
        let header = |name: &str| field.headers().get(name)?.to_str().ok();
        let id = header("content-id").unwrap_or_default().trim().trim_start_matches('<').trim_end_matches('>');
        let parts = self.declared.described;
        if parts.iter().any(|part| part.name == id) {
            return Cow::Borrowed(id);
        }
        let essence = media_type::essence(header("content-type").unwrap_or_default());
        let mut fitting = std::iter::zip(parts, &self.seen).filter(|(part, seen)| {
            let is_free = **seen == 0 || part.repeated;
            is_free && part.content_types.iter().any(|range| media_type::covers(range, essence))
        });
        Cow::Borrowed(fitting.next().map_or(id, |(part, _)| part.name))
    }

    /// Checks a part that has begun.
    fn check_part(&self, place: &str, index: Option<usize>, headers: &HeaderMap) -> Result<(), ReadError> {
        if self.declared.positional {
            self.check_most()?;
        }
        let Some(index) = index else {
            return if self.declared.closed {
                Err(refusal(place, "unknown", "is not a part of this body"))
            } else {
                Ok(())
            };
        };
        let part = &self.declared.described[index];
        if self.seen[index] > 1 && !part.repeated {
            return Err(refusal(place, "duplicate", "is there more than once"));
        }
        if !self.declared.positional {
            self.check_most()?;
        }
        part.violation(place, headers).map_or(Ok(()), |violation| Err(ReadError::Invalid(vec![violation])))
    }

    /// Checks the body after its last part.
    fn check_end(&self) -> Result<(), ReadError> {
        let mut violations = Vec::new();
        for (part, seen) in std::iter::zip(self.declared.described, &self.seen) {
            if *seen > 0 {
                let items = if *seen == 1 { "1 item".to_owned() } else { format!("{seen} items") };
                if *seen < part.count.least {
                    let detail = format!("has {items}, at least {}", part.count.least);
                    violations.push(violation(part.name, "minItems", detail));
                }
                if *seen > part.count.most {
                    let detail = format!("has {items}, at most {}", part.count.most);
                    violations.push(violation(part.name, "maxItems", detail));
                }
            } else if part.required {
                violations.push(violation(part.name, "required", "is missing"));
            }
        }
        if !violations.is_empty() {
            return Err(ReadError::Invalid(violations));
        }
        let least = self.declared.count.least;
        if self.size() < least {
            return Err(self.wrong_size(["minItems", "minProperties"], &format!("at least {least}")));
        }
        #[cfg(feature = "server")]
        self.check_whole()?;
        Ok(())
    }

    /// Checks which parts go together.
    #[cfg(feature = "server")]
    fn check_whole(&self) -> Result<(), ReadError> {
        let has = |name: &str| {
            std::iter::zip(self.declared.described, &self.seen).any(|(part, seen)| part.name == name && *seen > 0)
        };
        let violations = self.whole.violations(&has);
        if violations.is_empty() { Ok(()) } else { Err(ReadError::Invalid(violations)) }
    }

    /// Refuses more parts than there may be.
    fn check_most(&self) -> Result<(), ReadError> {
        let most = self.declared.count.most;
        if self.size() > most {
            return Err(self.wrong_size(["maxItems", "maxProperties"], &format!("at most {most}")));
        }
        Ok(())
    }

    /// Number of distinct parts, or of all parts without names.
    fn size(&self) -> usize {
        if self.declared.positional { self.count } else { self.seen.iter().filter(|seen| **seen > 0).count() }
    }

    fn wrong_size(&self, [of_items, of_names]: [&'static str; 2], bound: &str) -> ReadError {
        let size = self.size();
        let (code, detail) = if self.declared.positional {
            (of_items, format!("has {size} parts, {bound}"))
        } else {
            let names: Vec<_> = self.declared.described.iter().map(|part| quoted(part.name)).collect();
            (of_names, format!("has {size} of the parts {}, {bound}", names.join(", ")))
        };
        ReadError::Invalid(vec![Violation { location: Location::Body, pointer: String::new(), code, detail }])
    }
}

/// Unquotes a name. The HTML standard escapes exactly these three characters, so a literal `%22` cannot be
/// told from a quotation mark.
fn unquoted(name: &str) -> Cow<'_, str> {
    if !name.contains('%') {
        return Cow::Borrowed(name);
    }
    Cow::Owned(name.replace("%22", "\"").replace("%0D", "\r").replace("%0A", "\n"))
}

/// Violations of a part's value, with pointers from the whole body.
fn inside(name: &str, violations: impl IntoIterator<Item = Violation>) -> Vec<Violation> {
    let here = pointer(name);
    violations.into_iter().map(|found| Violation { pointer: format!("{here}{}", found.pointer), ..found }).collect()
}

fn refusal(name: &str, code: &'static str, detail: impl Into<String>) -> ReadError {
    ReadError::Invalid(vec![violation(name, code, detail)])
}

fn violation(name: &str, code: &'static str, detail: impl Into<String>) -> Violation {
    Violation { location: Location::Body, pointer: pointer(name), code, detail: detail.into() }
}

fn pointer(name: &str) -> String {
    format!("/{}", name.replace('~', "~0").replace('/', "~1"))
}

/// The boundary of a multipart media type, including `multipart/related`.
pub(crate) fn boundary(content_type: &str) -> multer::Result<String> {
    let parameters = content_type.split_once(';').map_or("", |(_, parameters)| parameters);
    multer::parse_boundary(format!("multipart/form-data;{parameters}"))
}
