//! Keys of `responses`, and the names of statuses.

use heck::ToUpperCamelCase;
use http::StatusCode;

use crate::ir::Status;

/// The status that a key stands for.
pub(crate) fn status(key: &str) -> Option<Status> {
    if key == "default" {
        return Some(Status::Default);
    }
    if let Ok(code) = key.parse() {
        return (100..1000).contains(&code).then_some(Status::Code(code));
    }
    match key.as_bytes() {
        [first @ b'1'..=b'9', b'x' | b'X', b'x' | b'X'] => Some(Status::Range(first - b'0')),
        _ => None,
    }
}

/// Whether it is a success.
pub(crate) fn is_success(status: Status) -> bool {
    match status {
        Status::Code(code) => code < 400,
        Status::Range(first) => first < 4,
        Status::Default => false,
    }
}

/// Whether HTTP sends it before the response. `101` is final: another protocol follows.
pub(crate) fn is_interim(status: Status) -> bool {
    matches!(status, Status::Code(100 | 102..=199) | Status::Range(1))
}

/// The phrase of a status: `NotFound`.
pub(crate) fn variant(status: Status) -> String {
    match status {
        Status::Default => "Default".to_owned(),
        Status::Range(first) => match first {
            1 => "Informational".to_owned(),
            2 => "Success".to_owned(),
            3 => "Redirection".to_owned(),
            4 => "ClientError".to_owned(),
            5 => "ServerError".to_owned(),
            _ => format!("Status{first}Xx"),
        },
        // RFC 9110 gave two statuses another phrase.
        Status::Code(413) => "ContentTooLarge".to_owned(),
        Status::Code(422) => "UnprocessableContent".to_owned(),
        Status::Code(code) => match StatusCode::from_u16(code).ok().and_then(|known| known.canonical_reason()) {
            Some(phrase) => phrase.replace('\'', "").to_upper_camel_case(),
            None => format!("Status{code}"),
        },
    }
}
