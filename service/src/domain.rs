//! Rules that mention neither HTTP nor SQL.

pub mod schedule;
