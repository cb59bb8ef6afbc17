//! The state that client and server of one call share: the values sent, the values received, and the next
//! values to send.

use std::error::Error;
use std::fmt::{self, Debug, Display, Formatter};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use http::StatusCode;
use serde_json::Value;

use crate::Place;
use crate::scene::Scene;

/// A call that cannot continue. The stage has recorded the reason.
#[derive(Debug)]
pub struct Failed;

impl Display for Failed {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("the call cannot go on")
    }
}

impl Error for Failed {}

/// The state that client and server of one call share.
#[derive(Clone, Default)]
pub struct Stage {
    scene: Arc<Mutex<Scene>>,
}

impl Stage {
    pub(crate) fn lock(&self) -> MutexGuard<'_, Scene> {
        self.scene.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes random valid JSON for a place.
    pub fn make(&self, place: Place) -> Result<Vec<u8>, Failed> {
        let mut scene = self.lock();
        if place.is_json() || place.is_xml() {
            scene.bodies.push(place);
        }
        let Some(value) = scene.value(place) else {
            scene.problem("unmade", format!("no valid value is found for {place}"));
            return Err(Failed);
        };
        Ok(value.to_string().into_bytes())
    }

    /// Records that a side cannot read a valid value, and fails.
    pub fn unread(&self, place: Place, side: &str, json: &[u8], violations: &impl Debug) -> Failed {
        let json = String::from_utf8_lossy(json);
        self.lock().problem("unread", format!("the {side} cannot read {place}: {violations:?}: {json}"));
        Failed
    }

    /// Records that a body broke off.
    pub fn broken_off(&self, error: &impl Debug) -> Failed {
        self.lock().problem("response", format!("the body broke off: {error:?}"));
        Failed
    }

    /// Records that the client returned no answer.
    pub fn unanswered(&self, error: &impl Debug, status: Option<StatusCode>, body: Option<&Bytes>) -> Failed {
        let body = body.map(|body| String::from_utf8_lossy(body).into_owned()).unwrap_or_default();
        let mut scene = self.lock();
        let kind = if scene.arrived.is_none() { "request" } else { "response" };
        let status = status.map_or(0, |status| status.as_u16());
        let text = if scene.arrived.is_none() {
            format!("the server refuses what the client sends, with {status}: {body}")
        } else {
            format!("the client refuses what the server answers, with {status}: {error:?}")
        };
        scene.problem(kind, text);
        Failed
    }

    /// Records a value that the client sends.
    pub fn sends(&self, place: Place, value: &impl Debug) {
        self.lock().sent.push((place.to_string(), format!("{value:?}")));
    }

    /// Records a value that the server received.
    pub fn received(&self, place: Place, value: &impl Debug) {
        self.lock().received.push((place.to_string(), format!("{value:?}")));
    }

    /// Records a value that the server received, unless it is the default of a value that the client omitted.
    pub fn received_or_filled(&self, place: Place, value: &impl Debug, is_default: bool) {
        let mut scene = self.lock();
        let place = place.to_string();
        if !is_default || scene.sent.iter().any(|(sent, _)| *sent == place) {
            scene.received.push((place, format!("{value:?}")));
        }
    }

    /// Records a value that the server answers.
    pub fn answers(&self, place: Place, value: &impl Debug) {
        if !place.is_of_http() {
            self.lock().answered.push((place.to_string(), format!("{value:?}")));
        }
    }

    /// Records a value that the client received.
    pub fn seen(&self, place: Place, value: &impl Debug) {
        if !place.is_of_http() {
            self.lock().seen.push((place.to_string(), format!("{value:?}")));
        }
    }

    /// Makes a text that the client sends.
    pub fn sends_text(&self, place: Place) -> Result<String, Failed> {
        let text = self.text(place)?;
        self.sends(place, &text);
        Ok(text)
    }

    /// Makes a text that the server answers.
    pub fn answers_text(&self, place: Place) -> Result<String, Failed> {
        let text = self.text(place)?;
        self.answers(place, &text);
        Ok(text)
    }

    fn text(&self, place: Place) -> Result<String, Failed> {
        let json = self.make(place)?;
        match serde_json::from_slice(&json) {
            Ok(Value::String(text)) => Ok(text),
            _ => Ok(String::from_utf8_lossy(&json).into_owned()),
        }
    }

    /// Makes bytes that the client sends.
    pub fn sends_bytes(&self, place: Place) -> Vec<u8> {
        let bytes = self.lock().bytes();
        self.sends(place, &bytes);
        bytes
    }

    /// Records the bytes that the server received.
    pub fn received_bytes(&self, place: Place, bytes: &Bytes) {
        self.received(place, &bytes.to_vec());
    }

    /// Makes bytes that the server answers. The answer to `HEAD` does not contain them.
    pub fn answers_bytes(&self, place: Place, sent: bool) -> Vec<u8> {
        let bytes = self.lock().bytes();
        if sent {
            self.answers(place, &bytes);
        }
        bytes
    }

    /// Records the bytes that the client received.
    pub fn seen_bytes(&self, place: Place, bytes: &Bytes) {
        self.seen(place, &bytes.to_vec());
    }

    /// Makes the name and the bytes of a file that the client sends.
    pub fn sends_file(&self, place: Place, media_type: &str) -> (String, Vec<u8>) {
        let (name, bytes) = self.file();
        self.lock().sent.push((place.to_string(), text_of_file(Some(&name), Some(media_type), &bytes)));
        (name, bytes)
    }

    /// Records a file that the server received.
    pub fn received_file(&self, place: Place, name: Option<&str>, media_type: Option<&str>, bytes: &Bytes) {
        self.lock().received.push((place.to_string(), text_of_file(name, media_type, bytes)));
    }

    /// Makes the name and the bytes of a file that the server answers.
    pub fn answers_file(&self, place: Place, media_type: &str) -> (String, Vec<u8>) {
        let (name, bytes) = self.file();
        self.lock().answered.push((place.to_string(), text_of_file(Some(&name), Some(media_type), &bytes)));
        (name, bytes)
    }

    /// Records a file that the client received.
    pub fn seen_file(&self, place: Place, name: Option<&str>, media_type: Option<&str>, bytes: &Bytes) {
        self.lock().seen.push((place.to_string(), text_of_file(name, media_type, bytes)));
    }

    fn file(&self) -> (String, Vec<u8>) {
        let mut scene = self.lock();
        (format!("{} \u{e4}\".bin", scene.random().alphanumeric()), scene.bytes())
    }

    /// Whether to omit an optional value. Headers that belong to HTTP, and parameters that cannot be
    /// distinguished from others, are always omitted.
    pub fn leaves_out(&self, place: Place) -> bool {
        let mut scene = self.lock();
        let required = scene.described(place).is_some_and(|(_, required)| required);
        !required && (place.is_of_http() || scene.is_ambiguous(place) || scene.random().bool())
    }

    /// Which of `count` optional parts to send, so that there are at least `least` and at most `most`.
    pub fn choose(&self, count: usize, least: usize, most: usize) -> Vec<bool> {
        let mut scene = self.lock();
        let least = least.min(count);
        let sent = scene.random().usize(least..=most.clamp(least, count));
        let mut chosen: Vec<bool> = (0..count).map(|index| index < sent).collect();
        scene.random().shuffle(&mut chosen);
        chosen
    }

    /// Whether to omit the body of a request.
    pub fn leaves_out_body(&self) -> bool {
        self.lock().random().u8(0..4) == 0
    }

    /// Number of parts to send with the name.
    pub fn count(&self, place: Place) -> Result<usize, Failed> {
        let mut scene = self.lock();
        let Some((schema, required)) = scene.described(place) else { return Ok(1) };
        let document = scene.document();
        let schema = document.follow(&schema);
        let bound = |word: &str| schema.get(word).and_then(Value::as_u64).and_then(|bound| usize::try_from(bound).ok());
        let least = bound("minItems").unwrap_or(0).max(usize::from(required));
        Ok((least + scene.random().usize(0..3)).min(bound("maxItems").unwrap_or(usize::MAX).max(least)))
    }

    /// Picks a number below `count`.
    pub fn pick(&self, count: usize) -> usize {
        self.lock().random().usize(0..count)
    }

    /// The index of the answer to give.
    pub fn choice(&self) -> usize {
        self.lock().choice
    }

    /// Records that the operation was called on the server.
    pub fn arrived(&self, id: &'static str) {
        self.lock().arrived = Some(id);
    }

    /// Picks a status for the response with the key, and records it.
    pub fn status(&self, key: &str, declared: &[&str], is_failure: bool) -> u16 {
        let code = status(key, declared, is_failure);
        self.lock().answered.insert(0, ("status".to_owned(), code.to_string()));
        code
    }

    /// Records the key of the only response.
    pub fn status_of_only(&self, key: &str) {
        self.lock().answered.insert(0, ("status".to_owned(), key.to_owned()));
    }

    /// Records the status that the client received.
    pub fn seen_status(&self, status: &str) {
        self.lock().seen.insert(0, ("status".to_owned(), status.to_owned()));
    }
}

/// What is compared of a file. The sender escapes quotes in names as browsers do, and receivers do not undo that.
fn text_of_file(name: Option<&str>, media_type: Option<&str>, bytes: &[u8]) -> String {
    format!("{:?} {media_type:?} {bytes:?}", name.map(|name| name.replace('"', "%22")))
}

/// A status that belongs to the key of `responses` and to no other.
fn status(key: &str, declared: &[&str], is_failure: bool) -> u16 {
    if let Ok(code) = key.parse() {
        return code;
    }
    let hundred: Option<u16> = key.get(..1).and_then(|digit| digit.parse().ok());
    let is_free = |code: &u16| {
        let (exact, range) = (code.to_string(), format!("{}XX", code / 100));
        !declared.contains(&exact.as_str()) && (range == key || !declared.contains(&range.as_str()))
    };
    // Statuses that clients handle specially are left out.
    let usual: &[u16] = if is_failure { &[500, 501, 502, 418, 409, 410, 400] } else { &[200, 201, 202, 203] };
    let of_range: Vec<u16> = match hundred {
        Some(hundred) => [0, 1, 2, 3, 9, 10, 18, 20, 30].iter().map(|rest| hundred * 100 + rest).collect(),
        None => usual.to_vec(),
    };
    let avoided = [204, 205, 304, 401, 503];
    of_range.into_iter().filter(|code| !avoided.contains(code)).find(is_free).unwrap_or(500)
}

impl Debug for Stage {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stage").finish_non_exhaustive()
    }
}
