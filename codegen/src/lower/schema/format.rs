//! `format` of strings and numbers.

use super::types::{INTEGER, NUMBER, STRING};
use crate::ir::{IntegerKind, Type};

/// `type`, `format`, and the resulting type.
static FORMATS: &[(&str, &str, Type)] = &[
    (STRING, "date", Type::Date),
    (STRING, "time", Type::Time),
    (STRING, "date-time", Type::DateTime),
    (STRING, "datetime", Type::DateTime),
    (STRING, "date-time-local", Type::DateTimeLocal),
    (STRING, "duration", Type::Duration),
    (STRING, "uuid", Type::Uuid),
    (STRING, "ipv4", Type::Ipv4),
    (STRING, "ipv6", Type::Ipv6),
    (STRING, "byte", Type::Base64),
    (STRING, "decimal", Type::Decimal),
    (STRING, "email", Type::String),
    (STRING, "uri", Type::String),
    (STRING, "uri-reference", Type::String),
    (STRING, "hostname", Type::String),
    // JSON, forms and parameters cannot hold raw bytes, so `binary` is a text in them. `media_type` and
    // `multipart` handle whole binary bodies and parts.
    (STRING, "binary", Type::String),
    (INTEGER, "int8", Type::Integer(IntegerKind::I8)),
    (INTEGER, "int16", Type::Integer(IntegerKind::I16)),
    (INTEGER, "int32", Type::Integer(IntegerKind::I32)),
    (INTEGER, "int64", Type::Integer(IntegerKind::I64)),
    (INTEGER, "uint8", Type::Integer(IntegerKind::U8)),
    (INTEGER, "uint16", Type::Integer(IntegerKind::U16)),
    (INTEGER, "uint32", Type::Integer(IntegerKind::U32)),
    (INTEGER, "uint64", Type::Integer(IntegerKind::U64)),
    (NUMBER, "float", Type::Float),
    (NUMBER, "double", Type::Double),
    (NUMBER, "decimal", Type::DecimalNumber),
];

/// The type of a string or a number with this format.
pub(crate) fn ty(json: &str, format: &str) -> Option<Type> {
    FORMATS.iter().find(|(of, name, _)| *of == json && *name == format).map(|(.., ty)| ty.clone())
}

/// The `type` implied by a format; a `decimal` may be a string or a number.
pub(crate) fn implied(format: &str) -> Option<&'static str> {
    let mut found = FORMATS.iter().filter(|(_, name, _)| *name == format);
    let (Some((json, ..)), None) = (found.next(), found.next()) else { return None };
    Some(json)
}

/// Sample texts of the type, from shortest to longest: a rule that all satisfy adds nothing to the format.
pub(crate) fn samples(ty: &Type) -> &'static [&'static str] {
    match ty {
        Type::Date => &["1999-12-31", "2024-02-29"],
        Type::Time => &["00:00:00", "23:59:59.999999"],
        Type::DateTime => &["1999-12-31T00:00:00Z", "2024-02-29T23:59:59.999999+01:00"],
        Type::DateTimeLocal => &["1999-12-31T00:00:00", "2024-02-29T23:59:59.999999"],
        Type::Duration => &["P1D", "P1Y2M3DT4H5M6S"],
        // The last two have no version or variant of RFC 9562.
        Type::Uuid => &[
            "01890a5d-ac96-774b-bcce-b302099a8057",
            "f47ac10b-58cc-4372-a567-0e02b2c3d479",
            "00000000-0000-0000-0000-000000000000",
            "f47ac10b-58cc-f372-c567-0e02b2c3d479",
        ],
        Type::Ipv4 => &["1.1.1.1", "255.255.255.255"],
        Type::Ipv6 => &["::", "2001:0db8:1234:5678:9abc:def0:1234:5678"],
        Type::Decimal => &["0", "-1234567890.0123456789"],
        _ => &[],
    }
}
