//! A document as a tree of elements, without comments and processing instructions.

use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::name::{LocalName, NamespaceResolver, ResolveResult};
use quick_xml::{NsReader, XmlVersion};

use crate::fault::Fault;

/// Elements may be nested this deep, as objects in JSON.
const DEEPEST: usize = 128;

const XSI: &str = "http://www.w3.org/2001/XMLSchema-instance";

/// The name of an element or an attribute.
#[derive(Clone, Debug, Default)]
pub(super) struct Name {
    pub(super) local: String,
    pub(super) namespace: Option<String>,
}

/// An element.
#[derive(Debug, Default)]
pub(super) struct Element {
    pub(super) name: Name,
    pub(super) attributes: Vec<(Name, String)>,
    pub(super) children: Vec<Self>,
    /// Its text, without that of the children.
    pub(super) text: String,
    /// `xsi:nil="true"`
    pub(super) is_nil: bool,
}

/// Parses a document. A document type is refused.
pub(super) fn parse(bytes: &[u8]) -> Result<Element, Fault> {
    let text = std::str::from_utf8(bytes).map_err(|_| fault("is not UTF-8"))?;
    let mut reader = NsReader::from_str(text.trim_start_matches('\u{FEFF}'));
    let (mut open, mut root): (Vec<Element>, Option<Element>) = (Vec::new(), None);
    loop {
        let event = reader.read_event().map_err(fault)?;
        let is_empty = matches!(event, Event::Empty(_));
        match event {
            Event::Start(_) | Event::Empty(_) if root.is_some() => return Err(fault("there is a second element")),
            Event::Start(_) | Event::Empty(_) if open.len() == DEEPEST => {
                return Err(fault(format!("it is nested more than {DEEPEST} levels deep")));
            }
            Event::Start(tag) | Event::Empty(tag) => {
                open.push(element(reader.resolver(), &tag)?);
                if is_empty {
                    close(&mut open, &mut root);
                }
            }
            Event::End(_) => close(&mut open, &mut root),
            Event::Text(text) => add(&mut open, &text.xml10_content())?,
            Event::CData(text) => add(&mut open, &text.xml10_content())?,
            Event::GeneralRef(reference) => add(&mut open, &referred(&reference)?)?,
            Event::DocType(_) => return Err(fault("a document type is not allowed")),
            Event::Decl(_) | Event::Comment(_) | Event::PI(_) => {}
            Event::Eof => break,
        }
    }
    match root {
        Some(root) if open.is_empty() => Ok(root),
        _ => Err(fault("an element is not closed")),
    }
}

/// Whether XML 1.0 has the character.
pub(super) fn is_allowed(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\r') || character >= ' ' && !matches!(character, '\u{FFFE}' | '\u{FFFF}')
}

fn close(open: &mut Vec<Element>, root: &mut Option<Element>) {
    let Some(element) = open.pop() else { return };
    match open.last_mut() {
        Some(parent) => parent.children.push(element),
        None => *root = Some(element),
    }
}

fn element(resolver: &NamespaceResolver, tag: &BytesStart<'_>) -> Result<Element, Fault> {
    let name = name(resolver.resolve_element(tag.name()));
    let mut element = Element { name, ..Element::default() };
    for attribute in tag.attributes() {
        let attribute = attribute.map_err(fault)?;
        let value = attribute.normalized_value(XmlVersion::Implicit1_0).map_err(fault)?;
        check(&value)?;
        let prefix = attribute.key.prefix();
        let own = self::name(resolver.resolve_attribute(attribute.key));
        match prefix.as_ref().map(AsRef::as_ref) {
            _ if own.namespace.as_deref() == Some(XSI) => {
                element.is_nil |= own.local == "nil" && matches!(value.trim(), "true" | "1");
            }
            Some("xmlns" | "xml") => {}
            None if own.local == "xmlns" => {}
            _ => element.attributes.push((own, value.into_owned())),
        }
    }
    Ok(element)
}

fn name((namespace, local): (ResolveResult<'_>, LocalName<'_>)) -> Name {
    let namespace = match namespace {
        ResolveResult::Bound(namespace) => Some(namespace.as_ref().to_owned()),
        ResolveResult::Unbound | ResolveResult::Unknown(_) => None,
    };
    Name { local: local.as_ref().to_owned(), namespace }
}

/// Adds to the text of the element that is open.
fn add(open: &mut [Element], text: &str) -> Result<(), Fault> {
    check(text)?;
    match open.last_mut() {
        Some(element) => element.text.push_str(text),
        None if text.trim().is_empty() => {}
        None => return Err(fault("there is text outside of the element")),
    }
    Ok(())
}

fn check(text: &str) -> Result<(), Fault> {
    match text.chars().find(|character| !is_allowed(*character)) {
        Some(character) => Err(fault(format!("U+{:04X} is not a character of XML", u32::from(character)))),
        None => Ok(()),
    }
}

/// The text of `&amp;` or `&#38;`.
fn referred(reference: &BytesRef<'_>) -> Result<String, Fault> {
    match reference.resolve_char_ref().map_err(fault)? {
        Some(character) => Ok(character.to_string()),
        None => match resolve_predefined_entity(reference) {
            Some(text) => Ok(text.to_owned()),
            None => Err(fault("an entity is not defined")),
        },
    }
}

fn fault(why: impl std::fmt::Display) -> Fault {
    Fault::new("syntax", format!("is not XML: {why}"))
}
