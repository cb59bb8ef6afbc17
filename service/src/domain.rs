//! Rules that mention neither HTTP nor SQL.

pub mod odata;
pub mod schedule;
