//! What the file and the environment set, as tables of TOML.

use std::{fs, io::ErrorKind, path::Path};

use anyhow::Context as _;
use serde::Deserialize as _;
use toml::{Table, Value};

use super::Config;

/// The prefix of environment variables: `SERVICE_LISTEN`, `SERVICE_LIMITS__BODY_BYTES`.
const PREFIX: &str = "SERVICE_";

/// The file that is read when none is named.
const FILE: &str = "service.toml";

/// The settings of a file, which is optional unless it is named.
pub(super) fn file(named: Option<&Path>) -> anyhow::Result<Table> {
    let path = named.unwrap_or(FILE.as_ref());
    let text = match fs::read_to_string(path) {
        Err(error) if error.kind() == ErrorKind::NotFound && named.is_none() => return Ok(Table::new()),
        read => read.with_context(|| path.display().to_string())?,
    };
    // Read as settings first, because only the text has lines to point at.
    toml::from_str::<Config>(&text).with_context(|| path.display().to_string())?;
    Ok(toml::from_str(&text)?)
}

/// The settings of the environment.
pub(super) fn environment(variables: &[(String, String)]) -> anyhow::Result<Table> {
    let mut settings = Table::new();
    for (name, value) in variables {
        let Some(setting) = name.strip_prefix(PREFIX) else { continue };
        let setting = setting.to_lowercase();
        // The file of settings is not one of the settings in it.
        if setting == "config" {
            continue;
        }
        let parts = setting.rsplit("__");
        let value = parts.fold(read_value(value), |value, part| Table::from_iter([(part.to_owned(), value)]).into());
        if let Value::Table(table) = value {
            Config::deserialize(table.clone()).with_context(|| name.clone())?;
            merge(&mut settings, table);
        }
    }
    Ok(settings)
}

/// A number, a truth value or a list as TOML writes it; any other text is itself.
fn read_value(text: &str) -> Value {
    let is_single_line = !text.contains('\n');
    let parsed = is_single_line.then(|| toml::from_str::<Table>(&format!("value = {text}")).ok()).flatten();
    match parsed.and_then(|mut table| table.remove("value")) {
        Some(value) if !value.is_datetime() => value,
        _ => text.into(),
    }
}

/// Sets in `under` what `over` sets.
pub(super) fn merge(under: &mut Table, over: Table) {
    for (name, value) in over {
        match (under.get_mut(&name), value) {
            (Some(Value::Table(under)), Value::Table(over)) => merge(under, over),
            (_, value) => drop(under.insert(name, value)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(variables: &[(&str, &str)]) -> anyhow::Result<Table> {
        let variables: Vec<_> = variables.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
        environment(&variables)
    }

    #[test]
    fn variables_are_values_of_toml_or_texts() {
        let settings = settings(&[
            ("SERVICE_CONFIG", "elsewhere.toml"),
            ("SERVICE_LISTEN", "127.0.0.1:81"),
            ("SERVICE_LIMITS__BODY_BYTES", "7"),
            ("SERVICE_LIMITS__CONNECTIONS", "8"),
            ("SERVICE_SAMPLE", "true"),
            ("SERVICE_TRUSTED_PROXIES", "['10.0.0.0/8']"),
            ("SERVICES", "1"),
        ]);
        let expected = "listen = '127.0.0.1:81'\nsample = true\ntrusted_proxies = ['10.0.0.0/8']\n\
                        limits = { body_bytes = 7, connections = 8 }";
        assert_eq!(settings.expect("settings"), toml::from_str(expected).expect("TOML"));
    }

    #[test]
    fn what_is_wrong_names_its_variable() {
        let error = settings(&[("SERVICE_LIMITS__BODY_BYTES", "many")]).expect_err("no number");
        assert!(format!("{error:#}").contains("SERVICE_LIMITS__BODY_BYTES"), "{error:#}");
        assert!(settings(&[("SERVICE_LISEN", "127.0.0.1:81")]).is_err());
    }

    #[test]
    fn tables_are_merged_by_name() {
        let mut under = toml::from_str("a = 1\nb = { c = 2, d = 3 }").expect("TOML");
        merge(&mut under, toml::from_str("a = 4\nb = { c = 5 }").expect("TOML"));
        assert_eq!(under, toml::from_str("a = 4\nb = { c = 5, d = 3 }").expect("TOML"));
    }
}
