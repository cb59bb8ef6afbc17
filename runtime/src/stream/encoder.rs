//! Encodes items as the chunks of a body.

use std::fmt::Write as _;
use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use futures_core::Stream;

use super::Event;
use super::json_decoder::RECORD_SEPARATOR;
use crate::json::{self, Unwritable, Write};

/// Items to send.
pub(crate) type Items<T, E> = Pin<Box<dyn Stream<Item = Result<T, E>> + Send>>;

/// Writes items as they come, one chunk each.
pub(crate) struct Encoder<T, E> {
    pub(crate) items: Items<T, E>,
    pub(crate) write: fn(&T, &mut Vec<u8>) -> Result<(), Unwritable>,
}

impl<T, E: From<Unwritable>> Stream for Encoder<T, E> {
    type Item = Result<Bytes, E>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let write = self.write;
        self.items.as_mut().poll_next(context).map(|item| {
            item.map(|item| {
                let mut bytes = Vec::new();
                write(&item?, &mut bytes)?;
                Ok(bytes.into())
            })
        })
    }
}

/// An event with JSON data, which contains no line breaks.
pub(crate) fn write_json_event<T: Write>(event: &Event<T>, bytes: &mut Vec<u8>) -> Result<(), Unwritable> {
    write_event(event, &String::from_utf8_lossy(&json::try_to_vec(&event.data)?), bytes);
    Ok(())
}

/// An event with text data.
#[allow(clippy::unnecessary_wraps, reason = "the other writers of events can fail")]
pub(crate) fn write_text_event(event: &Event<String>, bytes: &mut Vec<u8>) -> Result<(), Unwritable> {
    write_event(event, &event.data, bytes);
    Ok(())
}

/// JSON on its own line.
pub(crate) fn write_json_line<T: Write>(item: &T, bytes: &mut Vec<u8>) -> Result<(), Unwritable> {
    bytes.extend(json::try_to_vec(item)?);
    bytes.push(b'\n');
    Ok(())
}

/// JSON after a record separator.
pub(crate) fn write_json_sequence<T: Write>(item: &T, bytes: &mut Vec<u8>) -> Result<(), Unwritable> {
    bytes.push(RECORD_SEPARATOR);
    write_json_line(item, bytes)
}

fn write_event<T>(event: &Event<T>, data: &str, bytes: &mut Vec<u8>) {
    let mut text = String::with_capacity(data.len() + 16);
    // A line break would start another field; an id with a NUL is ignored.
    let clean = |value: &str| value.replace(['\r', '\n', '\0'], " ");
    // Writing to a `String` cannot fail.
    if let Some(name) = &event.event {
        let _ = writeln!(text, "event: {}", clean(name));
    }
    if let Some(id) = &event.id {
        let _ = writeln!(text, "id: {}", clean(id));
    }
    if let Some(retry) = event.retry {
        let _ = writeln!(text, "retry: {}", retry.as_millis());
    }
    for line in data.replace("\r\n", "\n").split(['\r', '\n']) {
        let _ = writeln!(text, "data: {line}");
    }
    text.push('\n');
    bytes.extend_from_slice(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::EventDecoder;
    use super::*;

    #[test]
    fn events_are_read_as_they_were_written() {
        for (data, read) in
            [("", ""), (" a", " a"), ("a\nb\r\nc\rd\n", "a\nb\nc\nd\n"), ("data: x", "data: x"), ("ü", "ü")]
        {
            let event = Event::new(data.to_owned()).event("e").id("7").retry(Duration::from_millis(9));
            let mut bytes = Vec::new();
            write_text_event(&event, &mut bytes).unwrap();
            let frame = EventDecoder::new(1000).next(&mut bytes.into()).unwrap().unwrap();
            assert_eq!(frame.raw(), Event { data: read.to_owned(), ..event });
        }
    }

    #[test]
    fn names_and_ids_cannot_begin_other_fields() {
        let mut bytes = Vec::new();
        let event = Event::new(Vec::<i64>::from([1, 2])).event("a\ndata: b").id("1\r\n\n2\0");
        write_json_event(&event, &mut bytes).unwrap();
        assert_eq!(String::from_utf8(bytes).unwrap(), "event: a data: b\nid: 1   2 \ndata: [1,2]\n\n");
    }

    #[test]
    fn json_stands_on_lines() {
        let mut bytes = Vec::new();
        write_json_line(&"a\nb".to_owned(), &mut bytes).unwrap();
        write_json_sequence(&1_i64, &mut bytes).unwrap();
        assert_eq!(bytes, b"\"a\\nb\"\n\x1E1\n");
    }
}
