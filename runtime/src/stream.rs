//! Items that come one after the other: server-sent events, JSON Lines and JSON text sequences.

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

/// One item, as it was sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Frame {
    /// The line it ends on, from 1.
    pub(crate) line: u64,
    /// The data of an event, or a JSON text.
    pub(crate) data: Vec<u8>,
    /// What an event says besides its data.
    pub(crate) about: Event<()>,
}

/// An item is longer than the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooLong;

/// What finds the items in the bytes.
#[derive(Debug)]
pub(crate) enum Decoder {
    Events(EventDecoder),
    Json(JsonDecoder),
}

impl Frame {
    /// The item as it was sent, its data as text.
    pub(crate) fn raw(&self) -> Event<String> {
        self.about.clone().with(String::from_utf8_lossy(&self.data).into_owned())
    }

    /// What ends a stream of events by convention.
    fn is_done(&self) -> bool {
        self.data.trim_ascii() == b"[DONE]"
    }
}

/// Whether texts of this media type begin with a record separator (RFC 7464).
pub(crate) fn is_sequence(media_type: &str) -> bool {
    media_type.split(';').next().unwrap_or_default().trim().ends_with("json-seq")
}

/// How the items of such a media type are written.
pub(crate) fn json_writer<T: Write>(media_type: &str) -> fn(&T, &mut Vec<u8>) -> Result<(), Unwritable> {
    if is_sequence(media_type) { encoder::write_json_sequence } else { write_json_line }
}
