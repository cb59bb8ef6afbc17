//! Parses server-sent events by the HTML Standard.

use std::time::Duration;

use bytes::Bytes;

use super::lines::Lines;
use super::{Event, Frame, TooLong};

const BYTE_ORDER_MARK: char = '\u{FEFF}';

/// Splits bytes into events.
#[derive(Debug)]
pub(crate) struct EventDecoder {
    lines: Lines,
    /// No line has been read yet, so a byte order mark may come.
    first: bool,
    /// The data so far, with line ends.
    data: String,
    event: Option<String>,
    /// The last id sent, which also applies to later events.
    id: Option<String>,
    retry: Option<Duration>,
    limit: u64,
}

impl EventDecoder {
    /// A decoder with a maximum size of an event in bytes.
    pub(crate) fn new(limit: u64) -> Self {
        let lines = Lines::new(|byte| matches!(byte, b'\r' | b'\n'), limit);
        Self { lines, first: true, data: String::new(), event: None, id: None, retry: None, limit }
    }

    /// Takes an event from the front of `chunk`; `None`: the chunk is used up. An unfinished event at the end
    /// is dropped.
    pub(crate) fn next(&mut self, chunk: &mut Bytes) -> Result<Option<Frame>, TooLong> {
        while let Some((line, _)) = self.lines.next(chunk)? {
            let line = String::from_utf8_lossy(&line);
            let mut line = &*line;
            if std::mem::take(&mut self.first) {
                line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
            }
            if !line.is_empty() {
                self.field(line)?;
            } else if let Some(frame) = self.dispatch() {
                return Ok(Some(frame));
            }
        }
        Ok(None)
    }

    fn field(&mut self, line: &str) -> Result<(), TooLong> {
        let (name, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match name {
            "data" => {
                if (self.data.len() + value.len()) as u64 > self.limit {
                    return Err(TooLong);
                }
                self.data.push_str(value);
                self.data.push('\n');
            }
            "event" => self.event = Some(value.to_owned()).filter(|event| !event.is_empty()),
            "id" if !value.contains('\0') => self.id = Some(value.to_owned()).filter(|id| !id.is_empty()),
            "retry" if value.bytes().all(|byte| byte.is_ascii_digit()) => {
                self.retry = value.parse().ok().map(Duration::from_millis).or(self.retry);
            }
            // Comments (empty names) and unknown fields.
            _ => {}
        }
        Ok(())
    }

    /// The event that ends here; `None` if it has no data.
    fn dispatch(&mut self) -> Option<Frame> {
        let event = self.event.take();
        let mut data = std::mem::take(&mut self.data);
        data.pop()?;
        let about = Event { event, data: (), id: self.id.clone(), retry: self.retry.take() };
        Some(Frame { line: self.lines.count(), data: data.into_bytes(), about })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The events of a text split into chunks of `size` bytes.
    fn in_chunks(text: &[u8], size: usize) -> Vec<Event<String>> {
        let mut decoder = EventDecoder::new(1000);
        let mut events = Vec::new();
        for chunk in text.chunks(size) {
            let mut chunk = Bytes::copy_from_slice(chunk);
            while let Some(frame) = decoder.next(&mut chunk).unwrap() {
                events.push(frame.raw());
            }
        }
        events
    }

    /// The events of a text, which must not depend on the chunks.
    fn events(text: impl AsRef<[u8]>) -> Vec<Event<String>> {
        let whole = in_chunks(text.as_ref(), usize::MAX);
        for size in 1..=5 {
            assert_eq!(in_chunks(text.as_ref(), size), whole, "in chunks of {size}");
        }
        whole
    }

    fn message(data: &str) -> Event<String> {
        Event::new(data.to_owned())
    }

    #[test]
    fn the_examples_of_the_standard() {
        let stocks = "data: YHOO\ndata: +2\ndata: 10\n\n";
        assert_eq!(events(stocks), [message("YHOO\n+2\n10")]);

        let comments = ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n";
        assert_eq!(
            events(comments),
            [message("first event").id("1"), message("second event"), message(" third event")]
        );
        // The last event has no empty line after it.
        assert_eq!(events("data\n\ndata\ndata\n\ndata:"), [message(""), message("\n")]);
        assert_eq!(events("data:test\n\ndata: test\n\n"), [message("test"), message("test")]);

        let named = "event: add\ndata: 73857293\n\nevent: remove\ndata: 2153\n\ndata: 113411\n\n";
        assert_eq!(
            events(named),
            [message("73857293").event("add"), message("2153").event("remove"), message("113411")]
        );
    }

    #[test]
    fn lines_end_in_three_ways() {
        let expected = [message("a\nb"), message("c")];
        for end in ["\n", "\r", "\r\n"] {
            assert_eq!(events("data:a\ndata:b\n\ndata:c\n\n".replace('\n', end)), expected, "{end:?}");
        }
        assert_eq!(events("data:a\r\ndata:b\n\rdata:c\r\r"), expected);
    }

    #[test]
    fn what_is_not_a_field_is_skipped() {
        assert_eq!(events("\u{FEFF}data:a\n\n\u{FEFF}data:b\n\n"), [message("a")]);
        assert_eq!(events("DATA:a\n data:b\ndata :c\nother\n:data\n\n"), []);
        assert_eq!(events("event:x\n\ndata:a\n\n"), [message("a")], "an event without data is none");
        assert_eq!(events("event:x\nevent\ndata:a\n\n"), [message("a")]);
    }

    #[test]
    fn ids_last_and_waiting_times_are_numbers() {
        assert_eq!(
            events("id:7\n\ndata:a\n\nid:\0\ndata:b\n\nid:\ndata:c\n\n"),
            [message("a").id("7"), message("b").id("7"), message("c")]
        );
        let retry = |text: &str| events(text)[0].retry;
        assert_eq!(retry("retry: 250\ndata\n\n"), Some(Duration::from_millis(250)));
        for text in
            ["retry:2s\ndata\n\n", "retry:\ndata\n\n", "retry:-1\ndata\n\n", "retry:99999999999999999999\ndata\n\n"]
        {
            assert_eq!(retry(text), None, "{text:?}");
        }
    }

    #[test]
    fn characters_may_be_cut_in_two_and_bytes_may_be_wrong() {
        assert_eq!(events("data:ü🦀\u{2028}\n\n"), [message("ü🦀\u{2028}")]);
        assert_eq!(events(b"data:a\xFFb\n\n"), [message("a\u{FFFD}b")]);
    }

    #[test]
    fn events_are_not_held_beyond_the_limit() {
        let next = |text: &'static str| EventDecoder::new(10).next(&mut Bytes::from_static(text.as_bytes()));
        assert!(next("data:12345\n\n").is_ok());
        assert_eq!(next("data:123456"), Err(TooLong), "a line");
        assert_eq!(next("data:1234\ndata:1234\ndata:1234\n\n"), Err(TooLong), "several lines");
    }
}
