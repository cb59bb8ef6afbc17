//! Where the URL and the credentials come from: options, the environment, and profiles in the folder of configuration.

use std::env;
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::ArgMatches;
use toml::{Table, Value};

use super::Program;
use super::failure::Failure;
use crate::client::{Client, Credential, SchemeKind};

/// The profile without a name.
const DEFAULT: &str = "default";
/// The key of the URL in a profile.
const URL: &str = "url";

/// What a message about missing credentials says.
pub(super) struct Settings {
    hint: String,
}

impl Settings {
    /// How to give credentials.
    pub(super) fn hint(&self) -> &str {
        &self.hint
    }
}

/// The client of the service that options, environment and profile name.
pub(super) fn client(program: &Program, matches: &ArgMatches) -> Result<(Client, Settings), Failure> {
    let (name, is_chosen) = profile_name(program, matches);
    let file = file(program);
    let config = file.as_deref().map(read).transpose()?.unwrap_or_default();
    let profile = config.get(&name).and_then(Value::as_table);
    if is_chosen && profile.is_none() {
        return Err(Failure::usage(format!("there is no profile `{name}`; `{} auth login` makes one", program.name)));
    }
    let stored = |key: &str| profile.and_then(|profile| profile.get(key)?.as_str()).map(str::to_owned);
    let setting = |variable: &str| variable_of(program, variable).or_else(|| stored(&variable.to_lowercase()));

    let url = matches.get_one::<String>(URL).cloned().or_else(|| setting("URL"));
    let Some(url) = url.or_else(|| program.url.map(str::to_owned)) else {
        let variable = program.variable("URL");
        return Err(Failure::usage(format!(
            "the URL of the service is not known: give it with `--url` or `{variable}`"
        )));
    };
    let refused = |error: crate::client::BuildError| Failure::usage(error.to_string());
    let mut builder = Client::builder(&url).map_err(refused)?;
    for credential in program.credentials {
        if let Some(secret) = setting(credential.variable) {
            builder = builder.credential(credential.scheme, of_kind(&credential.scheme.kind, &secret));
        }
    }
    let client = builder.agent(program.agent).build().map_err(refused)?;
    let variables: Vec<_> =
        program.credentials.iter().map(|credential| format!("`{}`", program.variable(credential.variable))).collect();
    let hint = format!(
        "set {} in the environment, or store credentials with `{} auth login`",
        variables.join(" or "),
        program.name
    );
    Ok((client, Settings { hint }))
}

/// `auth login` and `auth logout`
pub(super) fn auth(program: &Program, matches: &ArgMatches) -> Result<(), Failure> {
    let Some((action, own)) = matches.subcommand() else { return Ok(()) };
    let Some(path) = file(program) else {
        return Err(Failure::usage(format!(
            "there is no folder of configuration: set `{}`",
            program.variable("CONFIG")
        )));
    };
    let mut config = read(&path)?;
    let (name, _) = profile_name(program, own);
    if action == "logout" {
        config.remove(&name);
    } else {
        let known = config.get(&name).and_then(Value::as_table).cloned();
        let mut profile = known.unwrap_or_default();
        if let Some(url) = own.get_one::<String>(URL) {
            profile.insert(URL.to_owned(), url.clone().into());
        }
        for credential in program.credentials {
            let secret = secret(credential.scheme.name, &credential.scheme.kind)?;
            if !secret.is_empty() {
                profile.insert(credential.variable.to_lowercase(), secret.into());
            }
        }
        config.insert(name.clone(), profile.into());
    }
    let failed = |error: io::Error| Failure::usage(format!("{}: {error}", path.display()));
    write(&path, &config.to_string()).map_err(failed)?;
    eprintln!(
        "the profile `{name}` in {} is {}",
        path.display(),
        if action == "logout" { "removed" } else { "stored" }
    );
    Ok(())
}

/// The name of the profile, and whether it was chosen.
fn profile_name(program: &Program, matches: &ArgMatches) -> (String, bool) {
    let chosen = matches.get_one::<String>("profile").cloned().or_else(|| variable_of(program, "PROFILE"));
    let is_chosen = chosen.is_some();
    (chosen.unwrap_or_else(|| DEFAULT.to_owned()), is_chosen)
}

fn variable_of(program: &Program, setting: &str) -> Option<String> {
    env::var(program.variable(setting)).ok().filter(|value| !value.is_empty())
}

/// The credential of a scheme; that of a user is `USER:PASSWORD`.
fn of_kind(kind: &SchemeKind, secret: &str) -> Credential {
    match kind {
        SchemeKind::Basic => {
            let (user, password) = secret.split_once(':').unwrap_or((secret, ""));
            Credential::basic(user, password)
        }
        SchemeKind::Bearer => Credential::bearer(secret),
        SchemeKind::ApiKeyHeader(_) | SchemeKind::ApiKeyQuery(_) | SchemeKind::ApiKeyCookie(_) | SchemeKind::Other => {
            Credential::api_key(secret)
        }
    }
}

/// Asks for a credential; a terminal does not show it.
fn secret(name: &str, kind: &SchemeKind) -> Result<String, Failure> {
    let form = if *kind == SchemeKind::Basic { "USER:PASSWORD" } else { "nothing to leave it out" };
    let mut line = String::new();
    let read = if io::stdin().is_terminal() {
        rpassword::prompt_password(format!("{name} ({form}): "))
    } else {
        io::stdin().read_line(&mut line).map(|_| line)
    };
    let secret = read.map_err(|error| Failure::usage(format!("standard input: {error}")))?;
    Ok(secret.trim().to_owned())
}

/// `~/.config/petstore/config.toml`, or what the environment names instead.
fn file(program: &Program) -> Option<PathBuf> {
    if let Some(path) = variable_of(program, "CONFIG") {
        return Some(path.into());
    }
    let folder = |variable: &str| env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from);
    let base = if cfg!(windows) {
        folder("APPDATA")
    } else {
        folder("XDG_CONFIG_HOME").or_else(|| folder("HOME").map(|home| home.join(".config")))
    };
    base.map(|base| base.join(program.name).join("config.toml"))
}

/// The profiles; empty if the file does not exist.
fn read(path: &Path) -> Result<Table, Failure> {
    let failed = |error: &dyn std::error::Error| Failure::usage(format!("{}: {error}", path.display()));
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Table::new()),
        Err(error) => return Err(failed(&error)),
    };
    // The message of the parser would show the line, which may have a credential.
    text.parse().map_err(|_: toml::de::Error| Failure::usage(format!("{}: it is not TOML", path.display())))
}

/// Writes a file that only its owner can read.
fn write(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    // The mode of a file is set when it is made.
    let new = path.with_extension("new");
    drop(fs::remove_file(&new));
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(&new)?.write_all(text.as_bytes())?;
    fs::rename(&new, path)
}
