//! Keys of `responses`, and the names of statuses.

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
        Status::Code(code) => PHRASES
            .iter()
            .find(|(known, _)| *known == code)
            .map_or_else(|| format!("Status{code}"), |(_, phrase)| (*phrase).to_owned()),
    }
}

/// The phrases registered with IANA.
const PHRASES: &[(u16, &str)] = &[
    (100, "Continue"),
    (101, "SwitchingProtocols"),
    (102, "Processing"),
    (103, "EarlyHints"),
    (200, "Ok"),
    (201, "Created"),
    (202, "Accepted"),
    (203, "NonAuthoritativeInformation"),
    (204, "NoContent"),
    (205, "ResetContent"),
    (206, "PartialContent"),
    (207, "MultiStatus"),
    (208, "AlreadyReported"),
    (226, "ImUsed"),
    (300, "MultipleChoices"),
    (301, "MovedPermanently"),
    (302, "Found"),
    (303, "SeeOther"),
    (304, "NotModified"),
    (305, "UseProxy"),
    (307, "TemporaryRedirect"),
    (308, "PermanentRedirect"),
    (400, "BadRequest"),
    (401, "Unauthorized"),
    (402, "PaymentRequired"),
    (403, "Forbidden"),
    (404, "NotFound"),
    (405, "MethodNotAllowed"),
    (406, "NotAcceptable"),
    (407, "ProxyAuthenticationRequired"),
    (408, "RequestTimeout"),
    (409, "Conflict"),
    (410, "Gone"),
    (411, "LengthRequired"),
    (412, "PreconditionFailed"),
    (413, "ContentTooLarge"),
    (414, "UriTooLong"),
    (415, "UnsupportedMediaType"),
    (416, "RangeNotSatisfiable"),
    (417, "ExpectationFailed"),
    (418, "ImATeapot"),
    (421, "MisdirectedRequest"),
    (422, "UnprocessableContent"),
    (423, "Locked"),
    (424, "FailedDependency"),
    (425, "TooEarly"),
    (426, "UpgradeRequired"),
    (428, "PreconditionRequired"),
    (429, "TooManyRequests"),
    (431, "RequestHeaderFieldsTooLarge"),
    (451, "UnavailableForLegalReasons"),
    (500, "InternalServerError"),
    (501, "NotImplemented"),
    (502, "BadGateway"),
    (503, "ServiceUnavailable"),
    (504, "GatewayTimeout"),
    (505, "HttpVersionNotSupported"),
    (506, "VariantAlsoNegotiates"),
    (507, "InsufficientStorage"),
    (508, "LoopDetected"),
    (510, "NotExtended"),
    (511, "NetworkAuthenticationRequired"),
];
