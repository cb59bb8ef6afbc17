//! Rules on dates and times of the crate time: there are none, but lists of them have some.

use ::time::{Date, OffsetDateTime, PrimitiveDateTime, Time, UtcDateTime};

use super::rule::Check;

impl Check for OffsetDateTime {}

impl Check for UtcDateTime {}

impl Check for PrimitiveDateTime {}

impl Check for Date {}

impl Check for Time {}
