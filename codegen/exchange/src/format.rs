//! Formats as the generated server checks them in requests.

mod text;
mod width;

use jsonschema::ValidationOptions;

pub(crate) use width::{WIDTH, range, width};

/// The formats of strings that are checked in requests only.
const OWN: &[&str] = &["byte", "date-time-local", "decimal", "duration", "hostname", "time"];

/// Whether the format is one of strings that only requests are checked for.
pub(crate) fn is_own(format: &str) -> bool {
    OWN.contains(&format)
}

/// A validator of requests: some formats in place of its own, and the widths of numbers.
pub(crate) fn of_requests(options: ValidationOptions<'_>) -> ValidationOptions<'_> {
    options
        .with_format("byte", text::is_base64)
        .with_format("date-time", text::is_date_time)
        .with_format("date-time-local", text::is_local)
        .with_format("decimal", text::is_decimal)
        .with_format("duration", text::is_duration)
        .with_format("email", text::is_email)
        .with_format("hostname", text::is_hostname)
        .with_format("time", text::is_time_of_day)
        .with_keyword(WIDTH, width::keyword)
}
