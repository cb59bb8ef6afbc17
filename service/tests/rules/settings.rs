//! Settings, wherever they are, and the page about them.

use std::{ffi::OsString, fmt::Write as _};

use anyhow::Result;
use clap::{Args as _, Command, CommandFactory as _};
use service::{cli::Cli, config::Config};

/// The settings of a file, with variables of the environment and what the command line sets.
fn read(text: &str, variables: &[(&str, &str)], arguments: &[&str]) -> Result<Config> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("service.toml");
    std::fs::write(&file, text).expect("written");
    let variables = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    let line = [&["service", "check", "--config", file.to_str().expect("text")], arguments].concat();
    Ok(Cli::of(&line.into_iter().map(OsString::from).collect::<Vec<_>>(), variables)?.settings)
}

#[test]
fn the_command_line_wins_over_the_environment_and_that_over_the_file() {
    let text = "listen = '127.0.0.1:1'\nlog = 'debug'\n[limits]\nbody_bytes = 7\ncalls_per_hour = 7\n";
    let variables = [("SERVICE_LOG", "warn"), ("SERVICE_LIMITS__CALLS_PER_HOUR", "8"), ("SERVICE_TENANT_NAME", "123")];
    let config = read(text, &variables, &["--log", "trace"]).expect("readable");
    assert_eq!((config.listen.port(), config.log.as_str(), config.limits.body_bytes), (1, "trace", 7));
    assert_eq!((config.limits.calls_per_hour, config.tenant_name.as_str()), (8, "123"));
    assert_eq!(config.limits.connections, Config::default().limits.connections);
    assert_eq!(read("metrics_listen = ''", &[("SERVICE_LOG", "")], &[]).expect("readable").log, "info");
    assert!(read("", &[], &["--config", "/absent.toml"]).is_err());
}

#[test]
fn an_unknown_name_is_refused_in_a_file_and_a_warning_in_the_environment() {
    let error = read("lisen = '127.0.0.1:1'", &[], &[]).expect_err("a misspelt name").to_string();
    assert!(error.contains("`lisen`") && error.contains("did you mean `listen`?"), "{error}");
    // Variables that Kubernetes sets in each container for a service named `service`.
    let variables = [
        ("SERVICE_PORT", "tcp://10.0.0.1:80"),
        ("SERVICE_SERVICE_HOST", "10.0.0.1"),
        ("SERVICE_LIMITS__BODY_BYTE", "1"),
    ];
    let config = read("", &variables, &[]).expect("readable");
    assert_eq!(
        config.warnings,
        ["variables that are not settings are ignored: SERVICE_LIMITS__BODY_BYTE \
          (did you mean `SERVICE_LIMITS__BODY_BYTES`?), SERVICE_PORT, SERVICE_SERVICE_HOST"]
    );
}

#[test]
fn what_no_service_can_run_with_is_refused_by_its_name() {
    for (text, name) in [
        ("[limits]\nbody_bytes = 0", "limits.body_bytes"),
        ("limits.connections = 0", "limits.connections"),
        ("limits.body_bytes = -1", "limits.body_bytes"),
        ("limits.request_seconds = 'soon'", "limits.request_seconds"),
        ("listen = 'nowhere'", "listen"),
        ("log_format = 'xml'", "log_format"),
        ("trusted_proxies = ['10.0.0.0/40']", "trusted_proxies"),
        ("tls_key = 'key.pem'", "tls_certificate"),
        ("base_path = 'bms/'", "base_path"),
        ("cors_origins = ['app.example.com']", "cors_origins"),
        ("store_read_replicas = ['postgres://a/x']", "store_read_replicas"),
        ("sample = 7", "serve_sample"),
    ] {
        let error = format!("{:#}", read(text, &[], &[]).expect_err(text));
        let flag = format!("'--{} ", name.replace(['.', '_'], "-"));
        assert!(error.contains(&format!("`{name}`")) || error.contains(&flag), "{text}: {error}");
    }
    assert!(read("limits.calls_per_hour = 0\nlimits.tenant_bytes = 0", &[], &[]).is_ok());
}

#[test]
fn a_list_is_an_array_or_one_text_and_the_command_line_wins() {
    let replicas = |text: &str, variables: &[(&str, &str)], arguments: &[&str]| {
        let text = format!("store = 'postgres://db/x'\nstore_read_replicas = {text}");
        read(&text, variables, arguments).expect("readable").store_read_replicas
    };
    assert_eq!(replicas("['postgres://a/x']", &[], &[]), ["postgres://a/x"]);
    assert_eq!(replicas("'postgres://a/x  postgres://c/x'", &[], &[]), ["postgres://a/x", "postgres://c/x"]);
    for text in ["postgres://e/x postgres://f/x", "postgres://e/x,postgres://f/x"] {
        let variables = [("SERVICE_STORE_READ_REPLICAS", text)];
        assert_eq!(replicas("['postgres://a/x']", &variables, &[]), ["postgres://e/x", "postgres://f/x"]);
    }
    let said = ["--store-read-replicas", "postgres://d/x", "--store-read-replicas", "postgres://e/x"];
    assert_eq!(replicas("['postgres://a/x']", &[], &said), ["postgres://d/x", "postgres://e/x"]);
}

#[test]
fn sample_data_are_for_a_trial_unless_they_are_asked_for() {
    let sample = |text: &str, arguments: &[&str]| read(text, &[], arguments).expect("readable").sample;
    assert!(sample("", &[]));
    assert!(!sample("data = 'data'", &[]) && !sample("", &["--data=data"]));
    assert!(!sample("listen = '0.0.0.0:8080'", &[]));
    assert!(sample("listen = '[::1]:8080'", &[]));
    assert!(!sample("data = 'data'\nsample = ''", &[]), "an empty text is no setting");
    assert!(sample("sample = true\ndata = 'data'\nlisten = '0.0.0.0:8080'", &[]));
    assert!(!sample("sample = false", &[]) && !sample("sample = true", &["--serve-sample", "false"]));
}

#[test]
fn what_is_shown_is_a_file_of_the_same_settings_without_passwords() {
    let text = "store = 'postgres://me:secret@db/x'\ntrusted_proxies = ['10.0.0.7']\nsample = false";
    let shown = read(text, &[], &[]).expect("readable").shown;
    assert!(!shown.contains("secret") && shown.contains("[\"10.0.0.7\"]"), "{shown}");
    assert_eq!(read(&shown, &[], &[]).expect("readable").shown, shown);
}

/// The table of settings in `docs/service.md`.
fn table() -> String {
    let (mut text, mut heading) = (String::new(), None);
    for setting in Config::augment_args(Command::new("")).get_arguments() {
        if setting.get_help_heading() != heading {
            heading = setting.get_help_heading();
            let _ = writeln!(text, "| **{}** | | |", heading.unwrap_or_default());
        }
        let values = setting.get_default_values().iter().map(|value| value.to_string_lossy());
        let values = values.filter(|value| !value.is_empty()).map(|value| format!("`{value}`"));
        let (name, about) = (setting.get_id(), setting.get_help().map(ToString::to_string).unwrap_or_default());
        let _ = writeln!(text, "| `{name}` | {} | {about} |", values.collect::<String>());
    }
    text
}

/// Compares the table of settings in `docs/service.md`; `UPDATE_DOCS=1` writes it.
#[test]
fn the_page_about_settings_says_what_the_program_says() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/service.md");
    let page = std::fs::read_to_string(path).expect("the page");
    let (before, rest) = page.split_once("| setting | default | what it is |\n|---|---|---|\n").expect("the table");
    let end = rest.find("\n\n").expect("an end") + 1;
    let table = table();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        let new = format!("{before}| setting | default | what it is |\n|---|---|---|\n{table}{}", &rest[end..]);
        std::fs::write(path, new).expect("written");
    } else {
        assert!(
            rest[..end] == table,
            "docs/service.md is stale: UPDATE_DOCS=1 cargo test -p service --test rules settings"
        );
    }
    assert!(Config::augment_args(Command::new("")).get_arguments().count() <= 30, "too many settings");
}

#[test]
fn the_command_line_is_consistent() {
    Cli::command().debug_assert();
}
