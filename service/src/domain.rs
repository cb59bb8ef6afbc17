//! Rules that mention neither HTTP nor SQL.

pub mod file_name;
pub mod json_patch;
pub mod odata;
pub mod schedule;
pub mod thumbnail;
