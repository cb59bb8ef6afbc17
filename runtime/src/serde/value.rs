//! Values that may be anything.

use crate::json::Value;

super::bridge!(Value, from_slice);
