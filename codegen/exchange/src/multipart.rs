//! Multipart bodies: their parts, and what they mean.

use fastrand::Rng;
use futures_util::FutureExt as _;
use http::HeaderMap;
use http::header::CONTENT_TYPE;
use serde_json::{Map, Value};

use crate::check::form;
use crate::document::{Document, Named};
use crate::media_type::{self, RELATED};
use crate::operation::Operation;
use crate::place::{Direction, Place};
use crate::style::{Style, escaped, properties, types};

/// The boundary of bodies that are sent.
const BOUNDARY: &str = "specwright-2f6b1d0c";

/// The media type of senders who know no better.
pub(crate) const UNKNOWN: &str = "application/octet-stream";

/// A part of a multipart body that is sent.
#[derive(Clone, Debug)]
pub struct Part {
    pub(crate) name: String,
    pub(crate) media_type: Option<String>,
    pub(crate) is_file: bool,
    /// The headers that it requires.
    pub(crate) headers: Vec<String>,
    pub(crate) bytes: Vec<u8>,
}

impl Part {
    /// The name of the part; empty if it has none.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// The `Content-Type` of a body with these parts.
pub(crate) fn content_type(media_type: &str, parts: &[Part]) -> String {
    let whole = format!("{media_type}; boundary={BOUNDARY}");
    if media_type::essence(media_type) != RELATED || media_type.contains("type=") {
        return whole;
    }
    // RFC 2387 requires the media type of the first part.
    let root = parts.first().and_then(|part| part.media_type.as_deref()).unwrap_or("text/plain");
    format!("{whole}; type=\"{root}\"")
}

/// The bytes of a body.
pub(crate) fn written(media_type: &str, parts: &[Part]) -> Vec<u8> {
    let is_related = media_type::essence(media_type) == RELATED;
    let mut bytes = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        let mut head = vec![format!("--{BOUNDARY}")];
        if !part.name.is_empty() {
            let file = if part.is_file { "; filename=\"file.bin\"" } else { "" };
            head.push(format!("Content-Disposition: form-data; name=\"{}\"{file}", part.name));
        }
        head.extend(part.media_type.iter().map(|media_type| format!("Content-Type: {media_type}")));
        if is_related && !part.name.is_empty() {
            // Each id is used once.
            let before = parts[..index].iter().filter(|other| other.name == part.name).count();
            let number = if before == 0 { String::new() } else { format!(".{}", before + 1) };
            head.push(format!("Content-ID: <{}{number}>", part.name));
        }
        head.extend(part.headers.iter().map(|name| format!("{name}: 1")));
        bytes.extend(format!("{}\r\n\r\n", head.join("\r\n")).into_bytes());
        bytes.extend(&part.bytes);
        bytes.extend(b"\r\n");
    }
    bytes.extend(format!("--{BOUNDARY}--\r\n").into_bytes());
    bytes
}

/// A part that was received.
pub(crate) struct Received {
    /// Empty if it has none.
    pub(crate) name: String,
    /// A file has no text.
    pub(crate) text: Option<String>,
    pub(crate) headers: HeaderMap,
}

impl Received {
    /// The media type that it says.
    pub(crate) fn media_type(&self) -> Option<&str> {
        text_of(&self.headers, CONTENT_TYPE.as_str())
    }
}

/// Whether a part with this schema is a file, if it has the media type.
pub(crate) fn is_file(schema: &Value, media_type: Option<&str>) -> bool {
    let is_text = |media_type| media_type::is_json(media_type) || media_type::is_text(media_type);
    schema["format"] == "binary"
        || schema["type"] == "file"
        || schema.get("contentMediaType").is_some()
        || schema["type"] == "string" && !media_type.is_none_or(is_text)
}

/// Random bytes without zeros, which a command line cannot have.
pub(crate) fn bytes(random: &mut Rng) -> Vec<u8> {
    (0..random.usize(1..40)).map(|_| random.u8(1..)).collect()
}

/// The parts of a body; `None` if it is not a multipart body.
pub(crate) fn read(content_type: &str, body: &[u8]) -> Option<Vec<Received>> {
    let boundary = multer::parse_boundary(as_form_data(content_type)).ok()?;
    let body = with_headers(body, &boundary);
    let stream = futures_util::stream::iter([Ok::<_, std::convert::Infallible>(body)]);
    let read = async {
        let mut multipart = multer::Multipart::new(stream, boundary);
        let mut parts = Vec::new();
        while let Some(field) = multipart.next_field().await.ok()? {
            let name = field.name().unwrap_or_default().to_owned();
            let is_file = field.file_name().is_some();
            let headers = field.headers().clone();
            let bytes = field.bytes().await.ok()?;
            let text = (!is_file).then(|| String::from_utf8_lossy(&bytes).into_owned());
            parts.push(Received { name, text, headers });
        }
        Some(parts)
    };
    // The whole body is here, so nothing waits.
    read.now_or_never()?
}

/// The body with a header in each part without any, which the parser cannot read.
fn with_headers(body: &[u8], boundary: &str) -> Vec<u8> {
    let delimiter = format!("\r\n--{boundary}\r\n\r\n").into_bytes();
    let header = format!("\r\n--{boundary}\r\nContent-Transfer-Encoding: binary\r\n\r\n").into_bytes();
    // The first delimiter may be the start of the body.
    let body = [b"\r\n", body].concat();
    let mut changed = Vec::with_capacity(body.len());
    let mut rest = body.as_slice();
    while let Some(first) = rest.first() {
        if rest.starts_with(&delimiter) {
            changed.extend(&header);
            // The last line break may also be the one before the next delimiter.
            changed.truncate(changed.len() - 2);
            rest = &rest[delimiter.len() - 2..];
        } else {
            changed.push(*first);
            rest = &rest[1..];
        }
    }
    changed
}

/// The parser knows the boundary of `multipart/form-data` only.
fn as_form_data(content_type: &str) -> String {
    let parameters = content_type.split_once(';').map_or("", |(_, parameters)| parameters);
    format!("multipart/form-data;{parameters}")
}

/// The members of a body; a file is any text.
pub(crate) fn members(
    document: &Document,
    schema: &Value,
    parts: Vec<Received>,
    styles: &[(String, Style)],
) -> Map<String, Value> {
    let in_form = |name: &str, text: &str| match styles.iter().find(|(styled, _)| styled == name) {
        Some((_, style)) => style.part_in_form(text),
        None => escaped(text),
    };
    // Files are not values.
    let (files, texts): (Vec<_>, Vec<_>) = parts.into_iter().partition(|part| part.text.is_none());
    let texts = texts.iter().map(|part| (&part.name, part.text.as_deref().unwrap_or_default()));
    let pairs: Vec<_> = texts.map(|(name, text)| (escaped(name), in_form(name, text))).collect();
    let mut members = form(document, schema, &pairs, styles);
    for Received { name, .. } in files {
        let is_list = types(document, crate::style::member(document, schema, &name, 0), 0).array;
        let file = Value::String("file".to_owned());
        match members.get_mut(&name) {
            Some(Value::Array(files)) => files.push(file),
            _ => {
                members.insert(name, if is_list { Value::Array(vec![file]) } else { file });
            }
        }
    }
    members
}

impl Document {
    /// The names of the parts of a body.
    pub(crate) fn part_names<'o>(&self, operation: &'o Operation, body: Place<'_>) -> Vec<&'o str> {
        let Some(described) = self.describe(operation.named(), body) else { return Vec::new() };
        let mut described_here = Vec::new();
        match self.positions(operation.named(), body) {
            Some(positions) => described_here = positions.names(),
            None => properties(self, &described.schema, &mut described_here, 0),
        }
        let all = match body.direction() {
            Direction::Request => operation.body.as_ref().map(|body| &body.parts),
            Direction::Response => {
                operation.responses.iter().find(|response| response.key == body.of).map(|response| &response.parts)
            }
        };
        let names = all.into_iter().flatten().map(String::as_str);
        names.filter(|name| described_here.iter().any(|here| here == name)).collect()
    }

    /// The parts with the names that they have by `Content-Disposition`, or else by `Content-ID`, or else by their media
    /// types, as the server finds them.
    pub(crate) fn parts_by_name(
        &self,
        operation: &Operation,
        body: Place<'_>,
        names: &[&str],
        parts: Vec<Received>,
    ) -> Vec<Received> {
        let mut found: Vec<Received> = Vec::new();
        for part in parts {
            let name = if part.name.is_empty() {
                let id = text_of(&part.headers, "content-id").unwrap_or_default();
                let id = id.trim().trim_start_matches('<').trim_end_matches('>');
                let essence = text_of(&part.headers, CONTENT_TYPE.as_str()).map(media_type::essence);
                let is_fitting = |name: &&&str| {
                    let is_free = !found.iter().any(|before| before.name == **name);
                    let ranges = self.part_types(operation.named(), body.part(name));
                    let covers = |range: &String| essence.as_ref().is_some_and(|own| media_type::covers(range, own));
                    (is_free || self.is_list(operation, body.part(name))) && ranges.iter().any(covers)
                };
                let by_id = names.iter().find(|name| **name == id);
                by_id.or_else(|| names.iter().find(is_fitting)).map_or(id, |name| *name).to_owned()
            } else {
                part.name
            };
            found.push(Received { name, ..part });
        }
        found
    }

    /// The rule that a part breaks on its own.
    pub(crate) fn fault_of_part(
        &self,
        named: Named<'_>,
        place: Place<'_>,
        part: &Received,
    ) -> Option<(&'static str, String)> {
        let required = self.part_headers(named, place);
        if let Some(header) = required.iter().find(|header| !part.headers.contains_key(header.as_str())) {
            return Some(("required", format!("has no header `{header}`")));
        }
        let essence = media_type::essence(part.media_type()?);
        let ranges = self.part_types(named, place);
        let is_allowed = ranges.is_empty() || essence == UNKNOWN;
        if is_allowed || ranges.iter().any(|range| media_type::covers(range, &essence)) {
            return None;
        }
        Some(("contentType", format!("is `{essence}`, not {}", ranges.join(" or "))))
    }

    /// Whether a part may be repeated.
    fn is_list(&self, operation: &Operation, place: Place<'_>) -> bool {
        let described = self.describe(operation.named(), place);
        described.is_some_and(|described| types(self, &described.schema, 0).array)
    }
}

fn text_of<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers.get(name)?.to_str().ok()
}
