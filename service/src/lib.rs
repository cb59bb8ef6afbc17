//! The business-management service.
