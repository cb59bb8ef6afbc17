//! `Check` for dates and times of chrono: they have no rules, but lists of them do.

use ::chrono::{DateTime, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, Utc};

use super::rule::Check;

impl Check for DateTime<FixedOffset> {}

impl Check for DateTime<Utc> {}

impl Check for NaiveDateTime {}

impl Check for NaiveDate {}

impl Check for NaiveTime {}
