//! `format: byte`.

use std::borrow::Cow;
use std::ops::{Deref, DerefMut};

use base64::Engine;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use base64::{alphabet, engine::DecodePaddingMode};

use super::{FromText, Refusal, ToText};

const CONFIG: GeneralPurposeConfig =
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
const STANDARD: GeneralPurpose = GeneralPurpose::new(&alphabet::STANDARD, CONFIG);
const URL_SAFE: GeneralPurpose = GeneralPurpose::new(&alphabet::URL_SAFE, CONFIG);

/// Bytes that are sent as base64.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Base64(pub Vec<u8>);

impl FromText for Base64 {
    /// The standard or the URL-safe alphabet, with or without padding and line breaks.
    fn from_text(text: &str) -> Result<Self, Refusal> {
        let text =
            &*if Self::is_exact(text) { Cow::Borrowed(text) } else { text.replace(char::is_whitespace, "").into() };
        let engine = if text.contains(['-', '_']) { &URL_SAFE } else { &STANDARD };
        match engine.decode(text) {
            Ok(bytes) => Ok(Self(bytes)),
            Err(error) => Err(Refusal { code: "format", detail: format!("is not base64: {error}") }),
        }
    }

    fn is_exact(text: &str) -> bool {
        !text.contains(char::is_whitespace)
    }
}

impl ToText for Base64 {
    fn to_text(&self) -> Cow<'_, str> {
        Cow::Owned(STANDARD.encode(&self.0))
    }
}

impl Deref for Base64 {
    type Target = Vec<u8>;

    fn deref(&self) -> &Vec<u8> {
        &self.0
    }
}

impl DerefMut for Base64 {
    fn deref_mut(&mut self) -> &mut Vec<u8> {
        &mut self.0
    }
}

impl AsRef<[u8]> for Base64 {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl From<Vec<u8>> for Base64 {
    fn from(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }
}

impl From<&[u8]> for Base64 {
    fn from(bytes: &[u8]) -> Self {
        Self(bytes.to_vec())
    }
}

impl From<Base64> for Vec<u8> {
    fn from(bytes: Base64) -> Self {
        bytes.0
    }
}
