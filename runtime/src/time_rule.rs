//! `Check` for dates and times of the crate time: they have no rules, but lists of them do.

use ::time::{Date, OffsetDateTime, PrimitiveDateTime, Time, UtcDateTime};

use super::rule::Check;

impl Check for OffsetDateTime {}

impl Check for UtcDateTime {}

impl Check for PrimitiveDateTime {}

impl Check for Date {}

impl Check for Time {}
