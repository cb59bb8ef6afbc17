//! A document as a tree of elements, without comments, processing instructions and namespaces.

use jiter::LinePosition;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesDecl, BytesRef, BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use crate::json::DEPTH;

/// Maximum number of attributes of an element: each is compared with the others.
const ATTRIBUTES: usize = 256;

/// An element.
#[derive(Debug, Default)]
pub(super) struct Element {
    /// Its name without a prefix.
    pub(super) name: String,
    pub(super) attributes: Vec<(String, String)>,
    pub(super) children: Vec<Self>,
    /// Its text, without that of the children.
    pub(super) text: String,
    /// `xsi:nil="true"`
    pub(super) is_nil: bool,
}

/// Why a text is refused: the violated keyword, and the rest of a sentence.
pub(super) type Refusal = (&'static str, String);

/// Parses a document. A document type is refused, so that no entity is ever expanded.
pub(super) fn parse(bytes: &[u8]) -> Result<Element, Refusal> {
    let Ok(text) = std::str::from_utf8(bytes) else { return Err(("syntax", "is not UTF-8".to_owned())) };
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    if text.trim().is_empty() {
        return Err(("syntax", "is empty".to_owned()));
    }
    let at = |index: usize, what: &str| {
        let LinePosition { line, column } = LinePosition::find(text.as_bytes(), index);
        ("syntax", format!("is not XML: {what} at line {line} column {column}"))
    };
    if let Some((index, character)) = text.char_indices().find(|(_, character)| !is_allowed(*character)) {
        return Err(at(index, &format!("U+{:04X} is not a character of XML", u32::from(character))));
    }
    let mut reader = Reader::from_str(text);
    let (mut open, mut root) = (Vec::new(), None);
    loop {
        let start = index(reader.buffer_position());
        let event = reader.read_event().map_err(|error| at(index(reader.error_position()), &error.to_string()))?;
        let refuse = |what: &str| at(start, what);
        match event {
            Event::Start(_) | Event::Empty(_) if root.is_some() => {
                return Err(refuse("there is a second element outside of the first"));
            }
            Event::Start(_) | Event::Empty(_) if open.len() >= DEPTH => {
                return Err(("depth", format!("is nested more than {DEPTH} levels deep")));
            }
            Event::Start(tag) => open.push(element(&tag).map_err(|what| refuse(&what))?),
            Event::Empty(tag) => {
                let element = element(&tag).map_err(|what| refuse(&what))?;
                close(element, &mut open, &mut root);
            }
            Event::End(_) => {
                if let Some(element) = open.pop() {
                    close(element, &mut open, &mut root);
                }
            }
            Event::Text(text) => add(&mut open, &text.xml10_content()).map_err(|what| refuse(&what))?,
            Event::CData(text) => add(&mut open, &text.xml10_content()).map_err(|what| refuse(&what))?,
            Event::GeneralRef(reference) => {
                let text = referred(&reference).map_err(|what| refuse(&what))?;
                add(&mut open, &text).map_err(|what| refuse(&what))?;
            }
            Event::Decl(declaration) => check_encoding(&declaration).map_err(|what| refuse(&what))?,
            Event::DocType(_) => return Err(refuse("a document type is not allowed")),
            Event::Comment(_) | Event::PI(_) => {}
            Event::Eof => break,
        }
    }
    match (open.last(), root) {
        (None, Some(root)) => Ok(root),
        (Some(open), _) => Err(at(text.len(), &format!("`{}` is not closed", open.name))),
        (None, None) => Err(at(text.len(), "there is no element")),
    }
}

/// Whether XML 1.0 allows this character.
pub(super) fn is_allowed(character: char) -> bool {
    !matches!(character, '\0'..='\u{8}' | '\u{B}' | '\u{C}' | '\u{E}'..='\u{1F}' | '\u{FFFE}' | '\u{FFFF}')
}

fn index(position: u64) -> usize {
    usize::try_from(position).unwrap_or(usize::MAX)
}

/// Adds a complete element to the one that is open.
fn close(element: Element, open: &mut [Element], root: &mut Option<Element>) {
    match open.last_mut() {
        Some(parent) => parent.children.push(element),
        None => *root = Some(element),
    }
}

fn element(tag: &BytesStart<'_>) -> Result<Element, String> {
    let mut element = Element { name: tag.local_name().as_ref().to_owned(), ..Element::default() };
    for attribute in tag.attributes() {
        if element.attributes.len() == ATTRIBUTES {
            return Err(format!("`{}` has more than {ATTRIBUTES} attributes", element.name));
        }
        let attribute = attribute.map_err(|error| error.to_string())?;
        let (name, prefix) = (attribute.key.local_name(), attribute.key.prefix());
        let value = attribute.normalized_value(XmlVersion::Implicit1_0).map_err(|error| error.to_string())?;
        if let Some(character) = value.chars().find(|character| !is_allowed(*character)) {
            return Err(format!("U+{:04X} is not a character of XML", u32::from(character)));
        }
        match (prefix.as_ref().map(AsRef::as_ref), name.as_ref()) {
            (Some("xsi"), "nil") => element.is_nil = matches!(value.trim(), "true" | "1"),
            (Some("xmlns" | "xml" | "xsi"), _) | (None, "xmlns") => {}
            (_, name) => element.attributes.push((name.to_owned(), value.into_owned())),
        }
    }
    Ok(element)
}

/// Adds to the text of the element that is open.
fn add(open: &mut [Element], text: &str) -> Result<(), String> {
    match open.last_mut() {
        Some(element) => element.text.push_str(text),
        None if text.trim().is_empty() => {}
        None => return Err("there is text outside of the element".to_owned()),
    }
    Ok(())
}

/// The text of `&amp;` or `&#38;`.
fn referred(reference: &BytesRef<'_>) -> Result<String, String> {
    match reference.resolve_char_ref().map_err(|error| error.to_string())? {
        Some(character) if is_allowed(character) => Ok(character.to_string()),
        None if let Some(text) = resolve_predefined_entity(reference) => Ok(text.to_owned()),
        Some(_) | None => Err(format!("`&{};` means nothing here", &**reference)),
    }
}

/// The text is UTF-8 already, whatever it was sent in.
fn check_encoding(declaration: &BytesDecl<'_>) -> Result<(), String> {
    let Some(encoding) = declaration.encoding() else { return Ok(()) };
    let encoding = encoding.map_err(|error| error.to_string())?;
    let known = ["utf-8", "utf8", "us-ascii", "ascii"];
    if known.iter().any(|known| encoding.eq_ignore_ascii_case(known)) {
        return Ok(());
    }
    Err(format!("the encoding `{encoding}` is not UTF-8"))
}
