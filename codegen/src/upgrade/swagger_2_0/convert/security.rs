//! `securityDefinitions` → security schemes.

use serde_json::{Value, json};

use super::{Members, copy, extensions};

/// One scheme.
pub(super) fn scheme(old: &Members) -> Value {
    let mut scheme = Members::new();
    match old.get("type").and_then(Value::as_str) {
        Some("basic") => {
            scheme.insert("type".to_owned(), "http".into());
            scheme.insert("scheme".to_owned(), "basic".into());
        }
        Some("oauth2") => {
            scheme.insert("type".to_owned(), "oauth2".into());
            scheme.insert("flows".to_owned(), flows(old));
        }
        _ => copy(&["type", "name", "in"], old, &mut scheme),
    }
    copy(&["description"], old, &mut scheme);
    scheme.extend(extensions(old));
    Value::Object(scheme)
}

fn flows(old: &Members) -> Value {
    let (name, urls): (_, &[&str]) = match old.get("flow").and_then(Value::as_str) {
        Some("implicit") => ("implicit", &["authorizationUrl"]),
        Some("password") => ("password", &["tokenUrl"]),
        Some("accessCode") => ("authorizationCode", &["authorizationUrl", "tokenUrl"]),
        _ => ("clientCredentials", &["tokenUrl"]),
    };
    let mut flow = Members::new();
    copy(urls, old, &mut flow);
    copy(&["scopes"], old, &mut flow);
    json!({name: flow})
}
