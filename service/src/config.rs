//! Settings: built-in values, a file, the environment and the command line, each over the one before.
//!
//! The command line is the one reader of all four: what the file and the environment say is put in front of its arguments.

mod bounds;

use std::{collections::BTreeMap, ffi::OsString, fmt, fmt::Write as _, net::IpAddr, net::SocketAddr, path::PathBuf};

use anyhow::{Context as _, Error, Result, bail, ensure};
use clap::{Args, Command, FromArgMatches as _, parser::ValueSource};
use generated_server::runtime::text::nearest;
use ipnet::IpNet;
use toml::Table;

use crate::{
    blob,
    cli::Cli,
    folder::{ATTACHMENTS, STORE},
    store::{self, Location},
};

pub use bounds::Bounds;

/// The prefix of environment variables: `SERVICE_LISTEN`, `SERVICE_LIMITS__BODY_BYTES`.
const PREFIX: &str = "SERVICE_";
/// The file that is read when none is named.
const FILE: &str = "service.toml";
/// Bytes of the largest object that a bucket copies at once.
const MOST_BYTES: u64 = 5 << 30;

/// What an operator can set.
#[derive(Args, Clone, Debug)]
pub struct Config {
    /// The address and port to listen on.
    #[arg(long, help_heading = "Network", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,
    /// The path at which a proxy offers the service, such as `/bms`; links begin with it.
    #[arg(long, help_heading = "Network", default_value = "")]
    pub base_path: String,
    /// The PEM file with the certificate chain; with it the service speaks TLS.
    #[arg(long, help_heading = "Network")]
    pub tls_certificate: Option<PathBuf>,
    /// The PEM file with the private key of the certificate.
    #[arg(long, help_heading = "Network")]
    pub tls_key: Option<PathBuf>,
    /// The origins whose pages may call the service from a browser, such as `https://app.example.com`; `*` for all.
    #[arg(long, help_heading = "Network")]
    pub cors_origins: Vec<String>,
    /// The addresses and networks of proxies whose `X-Forwarded-For` is believed.
    #[arg(long, help_heading = "Network", value_parser = network)]
    pub trusted_proxies: Vec<IpNet>,
    /// The address and port on which Prometheus finds `/metrics`; off when empty.
    #[arg(long, help_heading = "Network")]
    pub metrics_listen: Option<SocketAddr>,

    /// The folder of the SQLite store and of the attachments.
    #[arg(long, help_heading = "Data", default_value = "data")]
    pub data: PathBuf,
    /// The database, `postgres://…`; the file `store.sqlite` in the folder of data when empty.
    #[arg(long, help_heading = "Data", default_value = "")]
    pub store: String,
    /// The same PostgreSQL database as the role that owns the tables, which `init` and `migrate` use.
    #[arg(long, help_heading = "Data", default_value = "")]
    pub store_owner: String,
    /// Standbys of the PostgreSQL database, which answer reads.
    #[arg(long, help_heading = "Data")]
    pub store_read_replicas: Vec<String>,
    /// Maximum number of open connections to PostgreSQL, and to each standby.
    #[arg(long, help_heading = "Data", default_value_t = store::CONNECTIONS)]
    pub store_connections: usize,
    /// The bucket of attachments, `s3://bucket/prefix`; the folder `attachments` in the folder of data when empty.
    #[arg(long, help_heading = "Data", default_value = "")]
    pub attachments: String,
    /// Whether downloads are redirected to the bucket.
    #[arg(long, help_heading = "Data", default_value_t, action = clap::ArgAction::Set)]
    pub attachments_redirect: bool,
    /// Whether `serve` makes a store with sample data and a token if there is none; by default only without `data` and `store`, on this machine.
    #[arg(long = "serve-sample", help_heading = "Data", default_value_t = true, action = clap::ArgAction::Set)]
    pub sample: bool,
    /// The name of the tenant, shown as `TenantName`; used when the store is created.
    #[arg(long, help_heading = "Data", default_value = store::TENANT_NAME)]
    pub tenant_name: String,
    /// The IANA name of the zone that a schedule with `ServerTimeZone` means; the system's when empty.
    #[arg(long, help_heading = "Data", default_value = "")]
    pub time_zone: String,

    /// What is logged, in the form of `RUST_LOG`, such as `warn,service=debug`.
    #[arg(long, help_heading = "Log", default_value = "info")]
    pub log: String,
    /// `text` for people, or `json` for one object a line.
    #[arg(long, help_heading = "Log", default_value = "text")]
    pub log_format: LogFormat,

    /// Bounds on what clients may send and hold.
    #[command(flatten)]
    pub limits: Limits,
    /// How long history is kept.
    #[command(flatten)]
    pub retention: Retention,

    /// Bounds that are not settings.
    #[arg(skip)]
    pub bounds: Bounds,
    /// The variables `AWS_…`.
    #[arg(skip)]
    pub aws: Aws,
    /// The settings as a file of settings, with what each is for and without passwords.
    #[arg(skip)]
    pub shown: String,
    /// What is odd about the environment, and does not stop anything.
    #[arg(skip)]
    pub warnings: Vec<String>,
}

/// Bounds on what clients may send and hold.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Limits")]
pub struct Limits {
    /// Maximum size of a JSON body, in bytes.
    #[arg(id = "limits.body_bytes", long = "limits-body-bytes", default_value_t = 1 << 20)]
    pub body_bytes: usize,
    /// Maximum size of an uploaded file, in bytes.
    #[arg(id = "limits.upload_bytes", long = "limits-upload-bytes", default_value_t = 20 << 20)]
    pub upload_bytes: u64,
    /// Maximum size of the files of one tenant, in bytes, each content counted once; 0 for no maximum.
    #[arg(id = "limits.tenant_bytes", long = "limits-tenant-bytes", default_value_t = 10 << 30)]
    pub tenant_bytes: u64,
    /// Space that stays free on the disk, in bytes: with less, only what frees space is done; 0 for none.
    #[arg(id = "limits.reserve_bytes", long = "limits-reserve-bytes", default_value_t = 128 << 20)]
    pub reserve_bytes: u64,
    /// Maximum number of calls of one operation by one token in an hour; 0 for no maximum.
    #[arg(id = "limits.calls_per_hour", long = "limits-calls-per-hour", default_value_t = 1500)]
    pub calls_per_hour: u32,
    /// Maximum number of tokens from one address in a minute that were not used within the last hour; 0 for no maximum.
    #[arg(
        id = "limits.failed_authentications_per_minute",
        long = "limits-failed-authentications-per-minute",
        default_value_t = 120
    )]
    pub failed_authentications_per_minute: u32,
    /// Seconds within which an answer must begin, from the end of the body.
    #[arg(id = "limits.request_seconds", long = "limits-request-seconds", default_value_t = 30)]
    pub request_seconds: u32,
    /// Maximum number of open connections, or fewer when the system allows fewer open files.
    #[arg(id = "limits.connections", long = "limits-connections", default_value_t = 20_000)]
    pub connections: usize,
    /// Maximum number of open connections of one address, or of one /64 network of IPv6; 0 for no maximum.
    #[arg(id = "limits.connections_per_address", long = "limits-connections-per-address", default_value_t = 1000)]
    pub connections_per_address: usize,
}

/// How long history is kept.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Retention")]
pub struct Retention {
    /// Days that the audit log and the change feed are kept; 0 for ever.
    #[arg(id = "retention.audit_days", long = "retention-audit-days", default_value_t = 365)]
    pub audit_days: u32,
    /// Days that runs of patch scans and ended batch actions are kept; 0 for ever.
    #[arg(id = "retention.run_days", long = "retention-run-days", default_value_t = 365)]
    pub run_days: u32,
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

impl Default for Config {
    fn default() -> Self {
        let values = Self::augment_args(Command::new("")).get_matches_from([""]);
        Self::from_arg_matches(&values).unwrap_or_else(|error| error.exit())
    }
}

impl Cli {
    /// Reads the command line, and the settings wherever they are.
    pub fn read() -> Result<Self> {
        let variables =
            std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
        Self::of(&std::env::args_os().collect::<Vec<_>>(), variables)
    }

    /// Reads a command line, with these variables; the file is optional unless it is named.
    pub fn of(arguments: &[OsString], variables: impl Iterator<Item = (String, String)>) -> Result<Self> {
        let settings = Self::settings();
        let known = Config::augment_args(Command::new(""));
        let said = settings.clone().try_get_matches_from(arguments)?;
        let is_said = |name: &str| said.value_source(name) == Some(ValueSource::CommandLine);
        let file = said.get_one::<PathBuf>("config");
        let path = file.map_or(FILE.as_ref(), PathBuf::as_path);
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if file.is_none() && error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => {
                return Err(error).with_context(|| format!("the file of settings {} cannot be read", path.display()));
            }
        };
        let table = text.parse().with_context(|| format!("the file of settings {} is not valid", path.display()))?;
        let names = || known.get_arguments().map(|setting| setting.get_id().as_str());
        let hint = |name: &str, shown: fn(&str) -> String| {
            let near = nearest(name, &mut names());
            near.map_or_else(String::new, |near| format!(" (did you mean `{}`?)", shown(near)))
        };
        let mut given = BTreeMap::new();
        for (name, value) in flat(table) {
            if !names().any(|known| known == name) {
                let hint = hint(&name, str::to_owned);
                bail!("`{name}` in {} is not a setting{hint}", path.display());
            }
            given.insert(name, texts(value));
        }
        let (mut unknown, mut aws) = (Vec::new(), Vec::new());
        for (variable, text) in variables {
            if variable.starts_with("AWS_") {
                aws.push((variable, text));
            } else if let Some(name) = variable.strip_prefix(PREFIX).filter(|name| *name != "CONFIG") {
                let name = name.to_ascii_lowercase().replace("__", ".");
                if names().any(|known| known == name) {
                    given.insert(name, vec![text]);
                } else {
                    unknown.push(format!("{variable}{}", hint(&name, variable_of)));
                }
            }
        }

        let mut line = arguments.iter().take(1).cloned().collect::<Vec<_>>();
        for setting in known.get_arguments() {
            let (name, flag) = (setting.get_id().as_str(), setting.get_long().unwrap_or_default());
            let Some(texts) = given.get(name).filter(|_| !is_said(name)) else { continue };
            let is_split = matches!(setting.get_action(), clap::ArgAction::Append) && texts.len() == 1;
            let parts = texts.iter().flat_map(|text| text.split(move |part| is_split && [',', ' '].contains(&part)));
            // An empty text stands for the built-in value.
            line.extend(parts.filter(|part| !part.is_empty()).map(|part| format!("--{flag}={part}").into()));
        }
        line.extend(arguments.iter().skip(1).cloned());
        let is_given = |name: &str| given.get(name).is_some_and(|texts| texts.iter().any(|text| !text.is_empty()));
        let is_set = |name: &str| is_given(name) || is_said(name);
        let values = settings.try_get_matches_from(line)?;
        let mut cli = Self::from_arg_matches(&values)?;
        let config = &mut cli.settings;
        if !is_set("sample") {
            // A service with a configured folder, or one that other machines reach, is not for trying it out.
            config.sample = !is_set("data") && config.is_embedded() && config.listen.ip().is_loopback();
        }
        config.aws = Aws(aws);
        if !unknown.is_empty() {
            unknown.sort();
            config.warnings.push(format!("variables that are not settings are ignored: {}", unknown.join(", ")));
        }
        config.check()?;
        for setting in known.get_arguments() {
            let (name, about) = (setting.get_id(), setting.get_help().map(ToString::to_string).unwrap_or_default());
            let mut texts = values.get_raw(name.as_str()).into_iter().flatten().map(|text| text.to_string_lossy());
            let value = match setting.get_action() {
                clap::ArgAction::Append => texts.map(|text| shown(&text)).collect::<Vec<_>>().into(),
                _ if name == "sample" => config.sample.into(),
                _ => shown(&texts.next().unwrap_or_default()),
            };
            let _ = writeln!(config.shown, "{name} = {value}  # {about}");
        }
        Ok(cli)
    }

    /// The command line, where settings may precede or follow the command.
    fn settings() -> Command {
        <Self as clap::CommandFactory>::command().mut_args(|setting| setting.global(true))
    }
}

impl Config {
    /// Refuses values that no service can run with.
    fn check(&self) -> Result<()> {
        let limits = &self.limits;
        for (name, is_zero) in [
            ("limits.body_bytes", limits.body_bytes == 0),
            ("limits.upload_bytes", limits.upload_bytes == 0),
            ("limits.request_seconds", limits.request_seconds == 0),
            ("limits.connections", limits.connections == 0),
        ] {
            ensure!(!is_zero, "`{name}`: 0 would let nothing through");
        }
        ensure!(self.store_connections >= 2, "`store_connections`: at least 2 are needed: one gives out ids");
        let location = self.location().context("`store`")?;
        for replica in &self.store_read_replicas {
            let replica = Location::parse(replica).map_err(Error::msg).context("`store_read_replicas`")?;
            if !matches!((&location, replica), (Location::Postgres(_), Location::Postgres(_))) {
                bail!("`store_read_replicas`: only PostgreSQL has replicas, at `postgres://…`");
            }
        }
        let attachments = self.attachments().context("`attachments`")?;
        if attachments.folder().is_none() && limits.upload_bytes > MOST_BYTES {
            bail!("`limits.upload_bytes`: a bucket does not copy more than 5 GiB at once");
        }
        if self.tls_certificate.is_some() != self.tls_key.is_some() {
            bail!("`tls_certificate` goes with `tls_key`: set both, or neither");
        }
        let base = &self.base_path;
        if !base.is_empty() && (!base.starts_with('/') || base.ends_with('/') || base.parse::<http::Uri>().is_err()) {
            bail!("`base_path`: `{base}` is not a path such as `/bms`");
        }
        for origin in &self.cors_origins {
            let is_origin = origin.parse::<http::Uri>().is_ok_and(|uri| {
                uri.scheme().is_some() && uri.authority().is_some() && !origin.ends_with('/') && uri.query().is_none()
            });
            if origin != "*" && !is_origin {
                bail!("`cors_origins`: `{origin}` is not an origin such as `https://app.example.com`");
            }
        }
        Ok(())
    }

    /// The location of attachments' contents, or an error.
    pub fn attachments(&self) -> Result<blob::Location> {
        match self.attachments.as_str() {
            "" => Ok(blob::Location::Folder(self.data.join(ATTACHMENTS))),
            text => blob::Location::parse(text).map_err(Error::msg),
        }
    }

    /// The number of bytes to keep free on the disk; 0 if nothing on it grows.
    pub fn reserve(&self) -> u64 {
        let has_store = !matches!(self.location(), Ok(Location::Postgres(_)));
        let has_attachments = !matches!(self.attachments(), Ok(blob::Location::S3 { .. }));
        if has_store || has_attachments { self.limits.reserve_bytes } else { 0 }
    }

    /// The location of the store, or an error.
    pub fn location(&self) -> Result<Location> {
        let file = self.data.join(STORE);
        match self.store.as_str() {
            "" => Ok(Location::Sqlite(file)),
            text => match Location::parse(text).map_err(Error::msg)? {
                Location::Sqlite(other) if other != file => bail!(
                    "the SQLite store is `{STORE}` in the folder of data, which is {}: set `data` for another folder",
                    self.data.display()
                ),
                location => Ok(location),
            },
        }
    }

    /// Whether the store is a file in the data folder.
    pub fn is_embedded(&self) -> bool {
        matches!(self.location(), Ok(Location::Sqlite(_)))
    }
}

/// The settings of a file; a setting of a section is `section.name`.
fn flat(table: Table) -> Vec<(String, toml::Value)> {
    let of_one = |(name, value)| match value {
        toml::Value::Table(section) => {
            section.into_iter().map(|(inner, value)| (format!("{name}.{inner}"), value)).collect()
        }
        value => vec![(name, value)],
    };
    table.into_iter().flat_map(of_one).collect()
}

/// A value, or the values of a list, as arguments of a command line.
fn texts(value: toml::Value) -> Vec<String> {
    match value {
        toml::Value::Array(list) => list.into_iter().flat_map(texts).collect(),
        toml::Value::String(text) => vec![text],
        other => vec![other.to_string()],
    }
}

/// The variable of a setting.
fn variable_of(name: &str) -> String {
    format!("{PREFIX}{}", name.to_ascii_uppercase().replace('.', "__"))
}

/// The value of a setting in TOML. The address of a store is shown without its password.
fn shown(text: &str) -> toml::Value {
    match (text.parse::<i64>(), text.parse::<bool>(), Location::parse(text)) {
        (Ok(number), ..) => number.into(),
        (_, Ok(flag), _) => flag.into(),
        (.., Ok(location)) if text.contains("://") => location.to_string().into(),
        _ => text.into(),
    }
}

fn network(text: &str) -> Result<IpNet, String> {
    let network = text.parse().or_else(|_| text.parse::<IpAddr>().map(IpNet::from));
    network.map_err(|_| format!("`{text}` is neither an address nor a network such as 10.0.0.0/8"))
}
