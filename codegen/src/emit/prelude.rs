//! Names that emitters write without a path, and their imports.

use std::sync::LazyLock;

use foldhash::{HashMap, HashMapExt as _};

/// Modules with the names imported from them. `side`, `side_stream` and `section` depend on the file's
/// [`Places`](super::Places).
const IMPORTS: &[(&str, &[&str])] = &[
    ("std", &["fmt"]),
    ("std::borrow", &["Cow"]),
    ("std::collections", &["BTreeMap"]),
    ("std::net", &["Ipv4Addr", "Ipv6Addr"]),
    ("std::str", &["FromStr"]),
    ("bytes", &["Bytes"]),
    ("http", &["StatusCode"]),
    ("jiff", &["SpanFieldwise", "Timestamp"]),
    ("jiff::civil", &["Date", "DateTime", "Time"]),
    ("rust_decimal", &["Decimal"]),
    ("uuid", &["Uuid"]),
    ("crate", &["models", "xml_elements"]),
    (
        "crate::runtime",
        &[
            "client",
            "foreign",
            "foreign_json",
            "json",
            "multipart",
            "parameter",
            "rule",
            "server",
            "stream",
            "text",
            "unknown",
            "with",
            "wrapped",
            "xml",
        ],
    ),
    ("crate::runtime::client", &["Undocumented"]),
    ("crate::runtime::decimal", &["DecimalNumber"]),
    ("crate::runtime::json", &["Base64", "Json", "Maybe"]),
    ("crate::runtime::multipart", &["Part"]),
    ("crate::runtime::parameter", &["FromParameter", "Raw", "Shape", "Style", "ToParameter"]),
    ("crate::runtime::rule", &["rules"]),
    ("crate::runtime::text", &["FromText", "Refusal", "ToText"]),
    ("crate::runtime::unknown", &["Unknown"]),
    ("crate::runtime::violation", &["Notes"]),
    ("section", &["security"]),
    ("section::client", &["Client", "ClientBuilder"]),
    ("side", &["Body", "Download"]),
    ("side_stream", &["ItemBody", "ItemStream"]),
];

/// Modules whose types are used without a prefix: `client::Call` becomes `Call`.
pub(crate) const UNQUALIFIED: &[&str] = &["client", "multipart", "server"];

/// The module that a name is imported from.
pub(crate) fn module_of(name: &str) -> Option<&'static str> {
    static MODULES: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
        let mut modules = HashMap::new();
        for (module, names) in IMPORTS {
            modules.extend(names.iter().map(|name| (*name, *module)));
        }
        modules
    });
    MODULES.get(name).copied()
}

#[cfg(test)]
mod tests {
    use super::IMPORTS;
    use crate::lower::TAKEN_BY_MODELS;
    use crate::lower::name::PRELUDE;

    fn is_type(name: &str) -> bool {
        name.starts_with(char::is_uppercase)
    }

    #[test]
    fn no_model_is_called_what_its_file_imports() {
        // Only operations use statuses, streams and clients.
        let other =
            ["http", "crate::runtime::client", "crate::runtime::multipart", "side", "side_stream", "section::client"];
        let models = IMPORTS.iter().filter(|(module, _)| !other.contains(module));
        let types = models.flat_map(|(_, names)| *names).filter(|name| is_type(name));
        let free: Vec<_> = types.filter(|name| !TAKEN_BY_MODELS.contains(name) && !PRELUDE.contains(name)).collect();
        assert!(free.is_empty(), "a model may be called like these: {free:?}");
    }
}
