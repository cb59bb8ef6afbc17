//! The business-management service.

pub mod domain;
