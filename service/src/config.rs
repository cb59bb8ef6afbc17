//! Settings: built-in values, overridden by a file, the environment and the command line, in this order.

mod bounds;
mod value;

use std::{
    collections::HashSet,
    fmt::{self, Write as _},
    net::SocketAddr,
    path::{Path, PathBuf},
};

use ipnet::IpNet;
use toml::Table;

use crate::{
    blob,
    folder::{ATTACHMENTS, STORE},
    store::Location,
};

pub use bounds::Bounds;
use value::Value;

/// The prefix of environment variables: `SERVICE_LISTEN`, `SERVICE_LIMITS__BODY_BYTES`.
const PREFIX: &str = "SERVICE_";

/// The default file.
const FILE: &str = "service.toml";

/// Maximum size of an object that a bucket copies in one request.
const MOST_BYTES: u64 = 5 << 30;

/// Why the settings cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file cannot be read.
    #[error("the file of settings {0} cannot be read: {1}")]
    File(String, #[source] std::io::Error),
    /// The file is not TOML.
    #[error("the file of settings {0} is not valid: {1}")]
    Toml(String, #[source] toml::de::Error),
    /// There is no such setting.
    #[error("`{name}` in {file} is not a setting{hint}")]
    Unknown {
        /// The name in the file.
        name: String,
        /// The file.
        file: String,
        /// The setting of a similar name.
        hint: String,
    },
    /// A value cannot be used.
    #[error("the setting `{0}`: {1}")]
    Value(String, String),
}

/// A setting, as commands and pages show it.
struct Setting<'a> {
    name: &'static str,
    /// Its purpose, in one sentence.
    about: &'static str,
    value: &'a mut dyn Value,
}

/// Settings with the same heading.
type Group<'a> = (&'static str, Vec<Setting<'a>>);

/// Declares settings: struct fields, names, built-in values, groups and descriptions.
macro_rules! settings {
    ($(#[$about:meta])* $name:ident in $prefix:literal { $($heading:literal: { $(
        #[doc = $doc:literal] $field:ident: $type:ty = $default:expr,
    )* })* }
    $(sections { $($(#[$section_about:meta])* $section:ident: $section_type:ty,)* })?
    $(others { $($(#[$other_about:meta])* $other:ident: $other_type:ty,)* })?) => {
        $(#[$about])*
        #[derive(Clone, Debug)]
        pub struct $name {
            $($(#[doc = $doc] pub $field: $type,)*)*
            $($($(#[$section_about])* pub $section: $section_type,)*)?
            $($($(#[$other_about])* pub $other: $other_type,)*)?
        }

        impl Default for $name {
            fn default() -> Self {
                Self {
                    $($($field: $default,)*)*
                    $($($section: Default::default(),)*)?
                    $($($other: Default::default(),)*)?
                }
            }
        }

        impl $name {
            fn groups(&mut self) -> Vec<Group<'_>> {
                #[allow(unused_mut, reason = "a section has none in it")]
                let mut groups: Vec<Group<'_>> = vec![$(($heading, vec![$(Setting {
                    name: concat!($prefix, stringify!($field)),
                    about: $doc.trim_ascii(),
                    value: &mut self.$field,
                }),*])),*];
                $($(groups.extend(self.$section.groups());)*)?
                groups
            }
        }
    };
}

settings! {
    /// The settings for operators.
    Config in "" {
        "Network": {
            /// The address and port to listen on.
            listen: SocketAddr = SocketAddr::from(([127, 0, 0, 1], 8080)),
            /// The path at which a proxy offers the service, such as `/bms`; links start with it.
            base_path: String = String::new(),
            /// The PEM file with the certificate chain; with it the service speaks TLS.
            tls_certificate: PathBuf = PathBuf::new(),
            /// The PEM file with the private key of the certificate.
            tls_key: PathBuf = PathBuf::new(),
            /// Origins that may call the service from a browser, such as `https://app.example.com`; `*` for all.
            cors_origins: Vec<String> = Vec::new(),
            /// Addresses and networks of proxies whose `X-Forwarded-For` or `Forwarded` is trusted.
            trusted_proxies: Vec<IpNet> = Vec::new(),
            /// The address and port that serves `/metrics` to Prometheus; off when empty.
            metrics_listen: Option<SocketAddr> = None,
        }
        "Data": {
            /// The folder of the SQLite store and the attachments.
            data: PathBuf = PathBuf::from("data"),
            /// The database, `postgres://…`; when empty, the file `store.sqlite` in the data folder.
            store: String = String::new(),
            /// The same PostgreSQL database as the role that owns the tables, which `init` and `migrate` use.
            store_owner: String = String::new(),
            /// Standbys of the PostgreSQL database, which answer reads.
            store_read_replicas: Vec<String> = Vec::new(),
            /// Maximum number of open connections to PostgreSQL, and to each standby.
            store_connections: usize = 16,
            /// The bucket of attachments, `s3://bucket/prefix`; when empty, the folder `attachments` in the data folder.
            attachments: String = String::new(),
            /// Whether downloads are redirected to the bucket.
            attachments_redirect: bool = false,
            /// Whether `serve` creates a missing store with sample data and a token.
            sample: bool = true,
            /// The name of the tenant, shown as `TenantName`; used when the store is created.
            tenant_name: String = "Example MSP".into(),
            /// The IANA name of the time zone of schedules with `ServerTimeZone`; the system's when empty.
            time_zone: String = String::new(),
        }
        "Log": {
            /// The log filter, in the format of `RUST_LOG`, such as `warn,service=debug`.
            log: String = "info".into(),
            /// `text` for people, or `json` for one object per line.
            log_format: LogFormat = LogFormat::Text,
        }
    }
    sections {
        /// Limits on requests and data.
        limits: Limits,
        /// Retention of history.
        retention: Retention,
    }
    others {
        /// Limits that are not settings.
        bounds: Bounds,
        /// The variables `AWS_…`.
        aws: Aws,
        /// Warnings about the environment.
        warnings: Vec<String>,
    }
}

settings! {
    /// Limits on requests and data.
    Limits in "limits." {
        "Limits": {
            /// Maximum size of a JSON body, in bytes.
            body_bytes: usize = 1 << 20,
            /// Maximum size of an uploaded file, in bytes.
            upload_bytes: u64 = 20 << 20,
            /// Maximum size of the files of one tenant, in bytes, each content counted once; 0 for no maximum.
            tenant_bytes: u64 = 10 << 30,
            /// Disk space to keep free, in bytes: with less, only requests that free space are accepted; 0 for none.
            reserve_bytes: u64 = 128 << 20,
            /// Maximum number of calls of one operation by one token in an hour; 0 for no maximum.
            calls_per_hour: u32 = 1500,
            /// Maximum number of unknown tokens from one address in a minute; 0 for no maximum.
            failed_authentications_per_minute: u32 = 120,
            /// Seconds within which a response must begin after the end of the body.
            request_seconds: u32 = 30,
            /// Maximum number of open connections; fewer if the system allows fewer open files.
            connections: usize = 20_000,
            /// Maximum number of open connections of one address, or of one /64 network of IPv6; 0 for no maximum.
            connections_per_address: usize = 1000,
        }
    }
}

settings! {
    /// Retention of history.
    Retention in "retention." {
        "Retention": {
            /// Days to keep the audit log and the change feed; 0 means forever.
            audit_days: u32 = 365,
            /// Days to keep runs of patch scans and ended batch actions; 0 means forever.
            run_days: u32 = 365,
        }
    }
}

/// The variables `AWS_…` of the environment, some of which are secrets.
#[derive(Clone, Default)]
pub struct Aws(pub Vec<(String, String)>);

/// Hides the values.
impl fmt::Debug for Aws {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.0.iter().map(|(name, _)| name)).finish()
    }
}

/// Formats of log lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

/// Settings from the command line; `None` if not given.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Overrides {
    /// The address and port to listen on.
    #[arg(long, global = true)]
    pub listen: Option<SocketAddr>,
    /// The folder of the SQLite store and the attachments.
    #[arg(long, global = true)]
    pub data: Option<PathBuf>,
    /// The database of the store: `sqlite:data/store.sqlite`, or `postgres://…`.
    #[arg(long, global = true)]
    pub store: Option<String>,
    /// A standby of the PostgreSQL store that serves reads; may be repeated.
    #[arg(long = "store-read-replica", value_name = "URL", global = true)]
    pub store_read_replicas: Vec<String>,
    /// The bucket of attachments: `s3://bucket/prefix`.
    #[arg(long, global = true)]
    pub attachments: Option<String>,
    /// The log filter: `info`, `warn,service=debug`.
    #[arg(long, global = true)]
    pub log: Option<String>,
    /// The log format.
    #[arg(long, global = true)]
    pub log_format: Option<LogFormat>,
}

impl Overrides {
    fn given(&self) -> Vec<(&'static str, toml::Value)> {
        let replicas = Some(&self.store_read_replicas).filter(|replicas| !replicas.is_empty());
        let given = [
            ("listen", self.listen.as_ref().map(Value::show)),
            ("data", self.data.as_ref().map(Value::show)),
            ("store", self.store.clone().map(toml::Value::from)),
            ("store_read_replicas", replicas.cloned().map(toml::Value::from)),
            ("attachments", self.attachments.clone().map(toml::Value::from)),
            ("log", self.log.clone().map(toml::Value::from)),
            ("log_format", self.log_format.as_ref().map(Value::show)),
        ];
        given.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
    }
}

impl Config {
    /// Reads the settings; the file is optional unless named.
    pub fn read(file: Option<&Path>, overrides: &Overrides) -> Result<Self, Error> {
        let variables =
            std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
        Self::of(file, variables, overrides)
    }

    fn of(
        file: Option<&Path>,
        variables: impl Iterator<Item = (String, String)>,
        overrides: &Overrides,
    ) -> Result<Self, Error> {
        let (mut config, mut given) = (Self::default(), HashSet::new());
        let path = file.unwrap_or(Path::new(FILE));
        let shown = path.display().to_string();
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if file.is_none() && error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(Error::File(shown, error)),
        };
        for (name, value) in flat(text.parse().map_err(|error| Error::Toml(shown.clone(), error))?) {
            if !config.set(&name, &value)? {
                let hint = config.hint(&name, str::to_owned);
                return Err(Error::Unknown { name, file: shown, hint });
            }
            given.insert(name);
        }
        let (mut unknown, mut aws) = (Vec::new(), Vec::new());
        for (variable, text) in variables {
            if variable.starts_with("AWS_") {
                aws.push((variable, text));
            } else if let Some(name) = variable.strip_prefix(PREFIX).filter(|name| *name != "CONFIG") {
                let name = name.to_ascii_lowercase().replace("__", ".");
                if config.set(&name, &of_variable(text))? {
                    given.insert(name);
                } else {
                    let hint = config.hint(&name, variable_of);
                    unknown.push(format!("{variable}{hint}"));
                }
            }
        }
        config.aws = Aws(aws);
        if !unknown.is_empty() {
            unknown.sort();
            config.warnings.push(format!("variables that are not settings are ignored: {}", unknown.join(", ")));
        }
        for (name, value) in overrides.given() {
            config.set(name, &value)?;
            given.insert(name.to_owned());
        }
        if !given.contains("sample") {
            // Configured data or a public address mean that this is not a trial.
            config.sample = !given.contains("data") && config.is_embedded() && config.listen.ip().is_loopback();
        }
        config.check()?;
        Ok(config)
    }

    /// Sets a setting by name; `false` if it is unknown.
    fn set(&mut self, name: &str, value: &toml::Value) -> Result<bool, Error> {
        let Some(setting) = self.groups().into_iter().flat_map(|(_, settings)| settings).find(|one| one.name == name)
        else {
            return Ok(false);
        };
        setting.value.set(value).map_err(|text| Error::Value(name.to_owned(), text))?;
        Ok(true)
    }

    /// `, did you mean …`, if a setting has a similar name.
    fn hint(&self, name: &str, shown: impl Fn(&str) -> String) -> String {
        let mut copy = self.clone();
        let names = copy.groups().into_iter().flat_map(|(_, settings)| settings).map(|setting| setting.name);
        let near = names.map(|other| (strsim::damerau_levenshtein(name, other), other)).min();
        near.filter(|(distance, _)| *distance <= 2)
            .map_or_else(String::new, |(_, other)| format!(" (did you mean `{}`?)", shown(other)))
    }

    /// Refuses values that the service cannot run with.
    fn check(&self) -> Result<(), Error> {
        let wrong = |name: &str, text: String| Err(Error::Value(name.to_owned(), text));
        let limits = &self.limits;
        for (name, is_zero) in [
            ("limits.body_bytes", limits.body_bytes == 0),
            ("limits.upload_bytes", limits.upload_bytes == 0),
            ("limits.request_seconds", limits.request_seconds == 0),
            ("limits.connections", limits.connections == 0),
        ] {
            if is_zero {
                return wrong(name, "0 would let nothing through".into());
            }
        }
        if self.store_connections < 2 {
            return wrong("store_connections", "at least 2 are needed: one gives out ids".into());
        }
        let location = self.location().map_err(|text| Error::Value("store".into(), text))?;
        for replica in &self.store_read_replicas {
            match (&location, Location::parse(replica)) {
                (_, Err(text)) => return wrong("store_read_replicas", text),
                (Location::Postgres(_), Ok(Location::Postgres(_))) => {}
                _ => return wrong("store_read_replicas", "only PostgreSQL has replicas, at `postgres://…`".into()),
            }
        }
        let attachments = self.attachments().map_err(|text| Error::Value("attachments".into(), text))?;
        if attachments.folder().is_none() && limits.upload_bytes > MOST_BYTES {
            return wrong("limits.upload_bytes", "a bucket does not copy more than 5 GiB at once".into());
        }
        if self.tls_certificate.as_os_str().is_empty() != self.tls_key.as_os_str().is_empty() {
            return wrong("tls_certificate", "it goes with `tls_key`: set both, or neither".into());
        }
        let base = &self.base_path;
        if !base.is_empty() && (!base.starts_with('/') || base.ends_with('/') || base.parse::<http::Uri>().is_err()) {
            return wrong("base_path", format!("`{base}` is not a path such as `/bms`"));
        }
        for origin in &self.cors_origins {
            let is_origin = origin.parse::<http::Uri>().is_ok_and(|uri| {
                uri.scheme().is_some() && uri.authority().is_some() && !origin.ends_with('/') && uri.query().is_none()
            });
            if origin != "*" && !is_origin {
                return wrong("cors_origins", format!("`{origin}` is not an origin such as `https://app.example.com`"));
            }
        }
        Ok(())
    }

    /// The settings as a commented settings file.
    pub fn to_toml(&self) -> String {
        let mut text = String::new();
        for (heading, settings) in self.clone().groups() {
            let _ = writeln!(text, "\n# {heading}");
            for Setting { name, about, value } in settings {
                let _ = writeln!(text, "{name} = {}  # {about}", value.show());
            }
        }
        text
    }

    /// The table of settings in `docs/service.md`.
    pub fn table() -> String {
        let mut text = String::new();
        for (heading, settings) in Self::default().groups() {
            let _ = writeln!(text, "| **{heading}** | | |");
            for Setting { name, about, value } in settings {
                let value = value.show().to_string();
                let default = if value == "\"\"" || value == "[]" { String::new() } else { format!("`{value}`") };
                let _ = writeln!(text, "| `{name}` | {default} | {about} |");
            }
        }
        text
    }

    /// The location of attachments' contents, or an error.
    pub fn attachments(&self) -> Result<blob::Location, String> {
        match self.attachments.as_str() {
            "" => Ok(blob::Location::Folder(self.data.join(ATTACHMENTS))),
            text => blob::Location::parse(text),
        }
    }

    /// The number of bytes to keep free on the disk; 0 if nothing on it grows.
    pub fn reserve(&self) -> u64 {
        let has_store = !matches!(self.location(), Ok(Location::Postgres(_)));
        let has_attachments = !matches!(self.attachments(), Ok(blob::Location::S3 { .. }));
        if has_store || has_attachments { self.limits.reserve_bytes } else { 0 }
    }

    /// The location of the store, or an error.
    pub fn location(&self) -> Result<Location, String> {
        let file = self.data.join(STORE);
        match self.store.as_str() {
            "" => Ok(Location::Sqlite(file)),
            text => match Location::parse(text)? {
                Location::Sqlite(other) if other != file => Err(format!(
                    "the SQLite store is `{STORE}` in the folder of data, which is {}: set `data` for another folder",
                    self.data.display()
                )),
                location => Ok(location),
            },
        }
    }

    /// Whether the store is a file in the data folder.
    pub fn is_embedded(&self) -> bool {
        matches!(self.location(), Ok(Location::Sqlite(_)))
    }
}

/// The settings of a file; those of a section as `section.name`.
fn flat(table: Table) -> Vec<(String, toml::Value)> {
    let of_one = |(name, value)| match value {
        toml::Value::Table(section) => {
            section.into_iter().map(|(inner, value)| (format!("{name}.{inner}"), value)).collect()
        }
        value => vec![(name, value)],
    };
    table.into_iter().flat_map(of_one).collect()
}

/// The value of a variable: a list in TOML syntax, or a text.
fn of_variable(text: String) -> toml::Value {
    let list = || format!("list = {text}").parse::<Table>().ok()?.remove("list");
    let list = if text.starts_with('[') { list() } else { None };
    list.unwrap_or(toml::Value::String(text))
}

/// The variable of a setting.
fn variable_of(name: &str) -> String {
    format!("{PREFIX}{}", name.to_ascii_uppercase().replace('.', "__"))
}

#[cfg(test)]
mod tests;
