//! Rules on dates and times of chrono: there are none, but lists of them have some.

use ::chrono::{DateTime, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, Utc};

use super::rule::Check;

impl Check for DateTime<FixedOffset> {}

impl Check for DateTime<Utc> {}

impl Check for NaiveDateTime {}

impl Check for NaiveDate {}

impl Check for NaiveTime {}
