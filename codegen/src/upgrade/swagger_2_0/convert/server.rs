//! `schemes`, `host` and `basePath` → `servers`.

use serde_json::{Value, json};

use super::Upgrade;

impl Upgrade<'_> {
    /// The servers of the whole document.
    pub(super) fn servers(&self) -> Option<Value> {
        self.servers_with(self.old.get("schemes"))
    }

    /// The servers of an operation with its own `schemes`.
    pub(super) fn servers_with(&self, schemes: Option<&Value>) -> Option<Value> {
        let text = |name| self.old.get(name).and_then(Value::as_str).unwrap_or_default();
        let (host, base) = (text("host"), text("basePath").trim_end_matches('/'));
        let schemes: Vec<&str> =
            schemes.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
        let urls: Vec<String> = match (host, base, schemes.as_slice()) {
            ("", "", _) => return None,
            ("", base, _) => vec![base.to_owned()],
            // The scheme that the description was fetched with.
            (host, base, []) => vec![format!("//{host}{base}")],
            (host, base, schemes) => schemes.iter().map(|scheme| format!("{scheme}://{host}{base}")).collect(),
        };
        Some(urls.into_iter().map(|url| json!({"url": url})).collect())
    }
}
