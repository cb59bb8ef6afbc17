//! Every version of OpenAPI → the one object model, `openapiv3::OpenAPI`, its structure checked.

use openapiv3::OpenAPI;
use serde_json::Value;

use crate::location::Location;

/// A description whose structure is right.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    /// The root; members of it are named with [`Location::member`].
    pub root: Location,
    /// As OpenAPI 3.0 objects.
    pub openapi: OpenAPI,
    /// The same as it was written, for what the objects do not hold.
    pub tree: Value,
}
