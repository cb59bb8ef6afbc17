//! Multipart bodies that are written.

use std::collections::HashMap;
use std::fmt::{self, Display, Formatter};
use std::hash::{BuildHasher, RandomState};

use http::{HeaderMap, HeaderValue};

use super::Part;
use crate::json::{self, Reason, Unwritable, Write};
use crate::parameter::{Style, ToParameter};
use crate::piece::Piece;
use crate::text::{NO_TEXT, ToText};

/// Its parts have a `Content-ID`, and it has the media type of the first one (RFC 2387).
const RELATED: &str = "multipart/related";

/// A multipart body that is being written.
#[derive(Debug)]
#[must_use = "a multipart body is sent in a request or a response"]
pub struct MultipartWriter {
    parts: Vec<Built>,
    /// The first problem.
    problem: Option<Problem>,
    /// The headers of the next part.
    headers: Vec<(String, String)>,
    /// Whether parts have no names: what they are added with is their position.
    positional: bool,
}

/// Why a body would not arrive as it is.
#[derive(Debug)]
pub(crate) enum Problem {
    /// A number at this place cannot be written.
    Number(String),
    /// The additional member at this place has the name of a described one.
    Repeated(String),
    /// The texts in this part cannot be separated again.
    Delimiter(&'static str),
    /// The part at this position would arrive at another one.
    Gap(usize),
}

impl Display for Problem {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(place) => write!(formatter, "a number {place} is not finite"),
            Self::Repeated(place) => write!(formatter, "an additional member {place} has the name of a described one"),
            Self::Delimiter(part) => write!(formatter, "a text in the part `{part}` has the separator of the texts"),
            Self::Gap(position) => write!(formatter, "a part before the one at position {position} is left out"),
        }
    }
}

/// A multipart body that is complete.
pub(crate) struct Written {
    /// The media type with the boundary.
    pub(crate) content_type: String,
    pub(crate) pieces: Vec<Piece>,
    pub(crate) problem: Option<Problem>,
}

/// A part that is complete.
#[derive(Debug)]
struct Built {
    name: String,
    content_type: Option<String>,
    /// The lines of its headers.
    head: String,
    content: Content,
}

/// What a part holds.
#[derive(Debug)]
enum Content {
    Text(String),
    Piece(Piece),
}

impl Default for MultipartWriter {
    fn default() -> Self {
        Self::new()
    }
}

impl MultipartWriter {
    /// Begins an empty one.
    pub fn new() -> Self {
        Self { parts: Vec::new(), problem: None, headers: Vec::new(), positional: false }
    }

    /// Begins an empty one whose parts have no names. Each is added with its position as the name, those of a list with
    /// that of the first.
    pub fn positional() -> Self {
        Self { positional: true, ..Self::new() }
    }

    /// Adds something for each item.
    pub fn each<T>(self, items: impl IntoIterator<Item = T>, add: impl FnMut(Self, T) -> Self) -> Self {
        items.into_iter().fold(self, add)
    }

    /// Sets the headers of the next part.
    pub fn headers(mut self, headers: &HeaderMap) -> Self {
        let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
        self.headers.extend(headers.iter().map(|(name, value)| (name.as_str().to_owned(), text(value))));
        self
    }

    /// Adds a file.
    pub fn file(mut self, name: &str, content_type: &str, part: Part) -> Self {
        let content_type = part.content_type.as_deref().unwrap_or(content_type);
        let head = self.head(name, part.file_name.as_deref(), Some(content_type), &part.headers);
        self.add(name, Some(content_type), head, Content::Piece(part.piece));
        self
    }

    /// Adds files with the same name.
    pub fn files(self, name: &str, content_type: &str, parts: impl IntoIterator<Item = Part>) -> Self {
        parts.into_iter().fold(self, |writer, part| writer.file(name, content_type, part))
    }

    /// Adds a text.
    pub fn text<T: ToText>(mut self, name: &str, value: &T) -> Self {
        self.add_text(name, None, &value.to_text());
        self
    }

    /// Adds texts with the same name.
    pub fn texts<'t, T: ToText + 't>(self, name: &str, values: impl IntoIterator<Item = &'t T>) -> Self {
        values.into_iter().fold(self, |writer, value| writer.text(name, value))
    }

    /// Adds a list or an object as one text.
    pub fn text_with<T: ToParameter>(mut self, name: &'static str, style: Style, value: &T) -> Self {
        let raw = value.to_parameter();
        if !style.keeps_header(&raw) {
            self.problem.get_or_insert(Problem::Delimiter(name));
        }
        let text = if raw.has_text() { style.write_header(&raw) } else { NO_TEXT.to_owned() };
        self.add_text(name, None, &text);
        self
    }

    /// Adds a list or an object as one text, unless it is absent.
    pub fn texts_with<'t, T: ToParameter + 't>(
        self,
        name: &'static str,
        style: Style,
        values: impl IntoIterator<Item = &'t T>,
    ) -> Self {
        values.into_iter().fold(self, |writer, value| writer.text_with(name, style, value))
    }

    /// Adds a text with its own media type.
    pub fn typed_text<T: ToText>(mut self, name: &str, content_type: &str, value: &T) -> Self {
        self.add_text(name, Some(content_type), &value.to_text());
        self
    }

    /// Adds texts with the same name and their own media type.
    pub fn typed_texts<'t, T: ToText + 't>(
        self,
        name: &str,
        content_type: &str,
        values: impl IntoIterator<Item = &'t T>,
    ) -> Self {
        values.into_iter().fold(self, |writer, value| writer.typed_text(name, content_type, value))
    }

    /// Adds a value as JSON.
    pub fn json<T: Write>(mut self, name: &str, content_type: &str, value: &T) -> Self {
        let head = self.head(name, None, Some(content_type), &[]);
        let json = json::try_to_vec(value).unwrap_or_else(|Unwritable { pointer, reason }| {
            let place = format!("at `{pointer}` of the part `{name}`");
            self.problem.get_or_insert(match reason {
                Reason::Number => Problem::Number(place),
                Reason::Repeated => Problem::Repeated(place),
            });
            Vec::new()
        });
        self.add(name, Some(content_type), head, Content::Piece(Piece::Bytes(json.into())));
        self
    }

    /// Adds values as JSON, with the same name.
    pub fn jsons<'t, T: Write + 't>(
        self,
        name: &str,
        content_type: &str,
        values: impl IntoIterator<Item = &'t T>,
    ) -> Self {
        values.into_iter().fold(self, |writer, value| writer.json(name, content_type, value))
    }

    /// The bytes of the body, and its media type with a boundary.
    pub(crate) fn finish(self, content_type: &str) -> Written {
        // Every `RandomState` has its own keys, so its hashes are random numbers.
        let random = RandomState::new();
        let boundary = format!("{:016x}{:016x}", random.hash_one(0), random.hash_one(1));
        let is_related = content_type.starts_with(RELATED);
        let has_ids = is_related && !self.positional;
        let mut content_type = format!("{content_type}; boundary={boundary}");
        if let Some(root) = self.parts.first().filter(|_| is_related && !content_type.contains("type=")) {
            let root = root.content_type.as_deref().unwrap_or("text/plain").replace(['"', '\\'], "");
            content_type = format!("{content_type}; type=\"{root}\"");
        }
        let (mut pieces, mut text, mut ids) = (Vec::new(), String::new(), HashMap::<String, usize>::new());
        for Built { name, head, content, .. } in self.parts {
            text.extend(["--", &boundary, "\r\n", &head]);
            if has_ids && !head.to_ascii_lowercase().contains("\r\ncontent-id:") {
                let count = ids.entry(name.clone()).or_default();
                *count += 1;
                // Each id is used once.
                let id = if *count == 1 { format!("<{name}>") } else { format!("<{name}.{count}>") };
                header(&mut text, "Content-ID", &id);
            }
            text.push_str("\r\n");
            match content {
                Content::Text(own) => text.push_str(&own),
                Content::Piece(piece) => pieces.extend([Piece::Bytes(std::mem::take(&mut text).into()), piece]),
            }
            text.push_str("\r\n");
        }
        text.extend(["--", &boundary, "--\r\n"]);
        pieces.push(Piece::Bytes(text.into()));
        Written { content_type, pieces, problem: self.problem }
    }

    fn add(&mut self, name: &str, content_type: Option<&str>, head: String, content: Content) {
        let content_type = content_type.map(str::to_owned);
        if self.positional
            && let Ok(position) = name.parse::<usize>()
            && position > self.parts.len()
        {
            self.problem.get_or_insert(Problem::Gap(position));
        }
        self.parts.push(Built { name: name.to_owned(), content_type, head, content });
    }

    fn add_text(&mut self, name: &str, content_type: Option<&str>, text: &str) {
        if text == NO_TEXT {
            self.problem.get_or_insert_with(|| Problem::Number(format!("of the part `{name}`")));
        }
        // Outside of forms, the default is ASCII.
        let content_type = content_type.or(self.positional.then_some("text/plain; charset=utf-8"));
        let head = self.head(name, None, content_type, &[]);
        self.add(name, content_type, head, Content::Text(text.to_owned()));
    }

    /// The lines of the headers.
    fn head(
        &mut self,
        name: &str,
        file_name: Option<&str>,
        content_type: Option<&str>,
        headers: &[(String, String)],
    ) -> String {
        let mut head = String::new();
        let kind = if self.positional { "attachment" } else { "form-data" };
        let own = [("name", Some(name).filter(|_| !self.positional)), ("filename", file_name)];
        let own: Vec<_> = own.into_iter().filter_map(|(word, text)| Some((word, text?))).collect();
        if !own.is_empty() {
            head.extend(["Content-Disposition: ", kind]);
            for (word, text) in own {
                head.extend(["; ", word, "=\""]);
                push_quoted(&mut head, text);
                head.push('"');
            }
            head.push_str("\r\n");
        }
        if let Some(content_type) = content_type {
            header(&mut head, "Content-Type", content_type);
        }
        for (name, value) in std::mem::take(&mut self.headers).iter().chain(headers) {
            header(&mut head, name, value);
        }
        head
    }
}

fn header(text: &mut String, name: &str, value: &str) {
    let name = name.chars().filter(|character| character.is_ascii_alphanumeric() || "-_.".contains(*character));
    text.extend(name);
    text.push_str(": ");
    // A line break would start another header.
    text.extend(value.chars().filter(|character| !character.is_control()));
    text.push_str("\r\n");
}

/// A name in quotes, as browsers write it: in UTF-8, with quotes and line breaks escaped.
fn push_quoted(text: &mut String, name: &str) {
    for character in name.chars() {
        match character {
            '"' => text.push_str("%22"),
            '\r' => text.push_str("%0D"),
            '\n' => text.push_str("%0A"),
            other => text.push(other),
        }
    }
}
