//! Streams of items: server-sent events, JSON Lines and JSON text sequences.

mod encoder;
mod event;
mod event_decoder;
mod items;
mod json_decoder;
mod lines;

use crate::json::{Unwritable, Write};

pub use event::Event;

pub(crate) use encoder::{Encoder, Items as Encoded, write_json_event, write_json_line, write_text_event};
pub(crate) use event_decoder::EventDecoder;
pub(crate) use items::{Broken, Items};
pub(crate) use json_decoder::JsonDecoder;

/// One item as sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Frame {
    /// The line it ends on, starting at 1.
    pub(crate) line: u64,
    /// The data of an event, or a JSON text.
    pub(crate) data: Vec<u8>,
    /// The fields of an event other than its data.
    pub(crate) about: Event<()>,
}

/// An item exceeds the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooLong;

/// Splits bytes into items.
#[derive(Debug)]
pub(crate) enum Decoder {
    Events(EventDecoder),
    Json(JsonDecoder),
}

impl Frame {
    /// The item as sent, with its data as text.
    pub(crate) fn raw(&self) -> Event<String> {
        self.about.clone().with(String::from_utf8_lossy(&self.data).into_owned())
    }

    /// Whether it is `[DONE]`, the conventional end of a stream of events.
    fn is_done(&self) -> bool {
        self.data.trim_ascii() == b"[DONE]"
    }
}

/// Whether items of this media type start with a record separator (RFC 7464).
pub(crate) fn is_sequence(media_type: &str) -> bool {
    media_type.split(';').next().unwrap_or_default().trim().ends_with("json-seq")
}

/// The function that writes items of this media type.
pub(crate) fn json_writer<T: Write>(media_type: &str) -> fn(&T, &mut Vec<u8>) -> Result<(), Unwritable> {
    if is_sequence(media_type) { encoder::write_json_sequence } else { write_json_line }
}
