//! The version of the specification.

use serde_json::Value;

use crate::diagnostic::{Code, Diagnostics};
use crate::location::Location;

/// The supported versions, oldest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Version {
    Swagger2_0,
    OpenApi3_0,
    OpenApi3_1,
    OpenApi3_2,
}

impl Version {
    /// `OpenAPI 3.1`
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Swagger2_0 => "Swagger 2.0",
            Self::OpenApi3_0 => "OpenAPI 3.0",
            Self::OpenApi3_1 => "OpenAPI 3.1",
            Self::OpenApi3_2 => "OpenAPI 3.2",
        }
    }

    /// The declared version.
    pub(super) fn read(tree: &Value, root: &Location, diagnostics: &mut Diagnostics) -> Option<Self> {
        let (name, value) =
            ["openapi", "swagger"].into_iter().find_map(|name| Some((name, tree.get(name)?))).or_else(|| {
                diagnostics
                    .report(Code::UnknownVersion, root, "this is not an OpenAPI description: it has no field `openapi`")
                    .help("a description starts with `openapi: 3.0.3`");
                None
            })?;
        let version = match value {
            Value::String(version) => version.clone(),
            other => other.to_string(),
        };
        let is =
            |family: &str| version.strip_prefix(family).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        match name {
            "openapi" if is("3.0") => return Some(Self::OpenApi3_0),
            "openapi" if is("3.1") => return Some(Self::OpenApi3_1),
            "openapi" if is("3.2") => return Some(Self::OpenApi3_2),
            "swagger" if is("2.0") || version == "2" => return Some(Self::Swagger2_0),
            _ => {}
        }
        let message = match name {
            "openapi" => format!("there is no OpenAPI {version}"),
            _ => format!("there is no Swagger {version}"),
        };
        diagnostics
            .report(Code::UnknownVersion, &root.member(name), message)
            .help("write the description in OpenAPI 3.0, 3.1 or 3.2");
        None
    }
}
