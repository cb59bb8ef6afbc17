//! Rules on UUIDs: there are none, but lists of them have some.

use super::rule::Check;

impl Check for uuid::Uuid {}
