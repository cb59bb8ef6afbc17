//! Values that may be anything.

use crate::runtime::json::Value;

super::bridge!(Value, from_slice);
