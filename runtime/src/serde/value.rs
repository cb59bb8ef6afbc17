//! Values of any type.

use crate::json::Value;

super::bridge!(Value, from_slice);
