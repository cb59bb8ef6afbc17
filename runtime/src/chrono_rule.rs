//! Rules on dates and times of chrono: there are none, but lists of them have some.

use ::chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, TimeZone};

use super::rule::Check;

impl<Z: TimeZone> Check for DateTime<Z> {}

impl Check for NaiveDateTime {}

impl Check for NaiveDate {}

impl Check for NaiveTime {}
