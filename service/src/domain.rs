//! Rules without HTTP or SQL.

pub mod agent;
pub mod attachment;
pub mod caller;
pub mod change;
pub mod file_name;
pub mod idempotency;
pub mod job;
pub mod json_patch;
pub mod list;
pub mod module;
pub mod moment;
pub mod odata;
pub mod refusal;
pub mod retention;
pub mod scan;
pub mod scan_plan;
pub mod schedule;
pub mod tenant;
pub mod text;
pub mod thumbnail;
pub mod time_zone;
pub mod token;
