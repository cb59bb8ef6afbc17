//! Settings, from the built-in values, a file, the environment and the command line, each over the one before.

use std::{
    fmt,
    net::SocketAddr,
    path::{Path, PathBuf},
};

use anyhow::{anyhow, bail, ensure};
use serde::{Deserialize, Serialize};
use toml::Table;

mod sources;

use crate::{
    blob,
    domain::retention::Retention,
    folder::{ATTACHMENTS, STORE},
    http::Network,
    store::Location,
};

/// Bytes of the largest object that a bucket copies at once, as it does under the hash of a file.
const MOST_BYTES: u64 = 5 << 30;

/// Everything that can be set. An unknown name in the file is an error, so that a misspelt one is not ignored.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// The address and port to listen on.
    pub listen: SocketAddr,
    /// The folder of the embedded store and of the attachments.
    pub data: PathBuf,
    /// The database of the store: `sqlite:` and the file `store.sqlite` in the folder of data, or `postgres://…`; the former
    /// when empty.
    #[serde(serialize_with = "without_password")]
    pub store: String,
    /// The same database as another role: the one that owns the tables, which makes and changes them. Then the server shows the
    /// role of `store` only the rows of the tenant that it works for.
    #[serde(serialize_with = "without_password")]
    pub store_owner: String,
    /// Standbys of the same database, as the role of `store`: they answer what is only read, each as soon as it has everything
    /// that was written before.
    #[serde(serialize_with = "without_passwords", deserialize_with = "one_or_more")]
    pub store_read_replicas: Vec<String>,
    /// Connections to PostgreSQL that are open at once, and as many to each standby.
    pub store_connections: usize,
    /// The bucket of attachments, `s3://bucket/prefix`; the folder `attachments` in the folder of data when empty.
    pub attachments: String,
    /// Whether callers are sent to the bucket for what they download.
    pub attachments_redirect: bool,
    /// How a bucket is reached; never shown.
    #[serde(skip)]
    pub aws: Aws,
    /// The name of the tenant, shown as `TenantName`; it is taken over when the store is made.
    pub tenant_name: String,
    /// The IANA name of the zone that a schedule with `ServerTimeZone` means; the system's when empty.
    pub time_zone: String,
    /// What is logged, in the form of `RUST_LOG`: `info`, `warn,service=debug`.
    pub log: String,
    /// How it is logged.
    pub log_format: LogFormat,
    /// Make a store with sample data and a token when `serve` finds none.
    pub sample: bool,
    /// The addresses and networks of proxies whose `X-Forwarded-For` or `Forwarded` says where a request comes from.
    pub trusted_proxies: Vec<Network>,
    /// Bounds on what callers may send and hold.
    pub limits: Limits,
    /// For how long records are kept that only tell what has happened.
    pub retention: Retention,
}

/// The variables `AWS_…` of the environment, some of which are secrets.
#[derive(Clone, Default)]
pub struct Aws(pub Vec<(String, String)>);

/// Without the values.
impl fmt::Debug for Aws {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.0.iter().map(|(name, _)| name)).finish()
    }
}

/// The forms of log lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

/// Bounds on what callers may send and hold.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Bytes of a JSON body.
    pub body_bytes: usize,
    /// Bytes of one uploaded file.
    pub upload_bytes: u64,
    /// Files that are received at once, a quarter of them of one token; as many of a token may wait.
    pub uploads: usize,
    /// Bytes of other bodies that are held in memory at once, a quarter of them of one token.
    pub held_bytes: u64,
    /// Bytes of the files of one tenant, each content counted once; 0 for any number.
    pub tenant_bytes: u64,
    /// Bytes of the disk that stay free: below that, only what frees space is done; 0 for none.
    pub reserve_bytes: u64,
    /// Calls of one operation by one token in an hour; 0 for any number.
    pub calls_per_hour: u32,
    /// Tokens that are not known, presented from one address in a minute; 0 for any number.
    pub failed_authentications_per_minute: u32,
    /// Seconds within which the head of a request must have arrived.
    pub header_seconds: u32,
    /// Seconds that a body may stall, or be behind its rate in all.
    pub body_seconds: u32,
    /// Bytes of a body that have to come in a second; 0 when it must only not stall.
    pub body_bytes_per_second: u64,
    /// Seconds within which an answer must have begun, from the end of the body.
    pub request_seconds: u32,
    /// Seconds that a write waits while another process holds the store.
    pub write_seconds: u32,
    /// Bytes that a list may have in an answer, about.
    pub list_bytes: usize,
    /// Seconds that a read may take which is no work for a thread that serves.
    pub read_seconds: u32,
    /// Such reads that may wait; further ones are refused.
    pub waiting_reads: usize,
    /// Such reads of one token that may wait.
    pub waiting_reads_per_token: usize,
    /// Bytes of the head of a request, at least 8 KiB.
    pub head_bytes: usize,
    /// Bytes of the address of a request, its query included.
    pub uri_bytes: usize,
    /// Seconds for which a caller may take nothing of an answer.
    pub answer_seconds: u32,
    /// Seconds for which a connection may be without a request.
    pub idle_seconds: u32,
    /// Bytes that are still taken of a body after it was refused.
    pub drain_bytes: u64,
    /// Seconds for which they are taken.
    pub drain_seconds: u32,
    /// Open connections; further ones are refused.
    pub connections: usize,
    /// Open connections of one address, or of one /64 network of IPv6; 0 for any number. 127.0.0.1, ::1 and trusted proxies
    /// have any number.
    pub connections_per_address: usize,
    /// Seconds that requests have to end after the signal to stop.
    pub stop_seconds: u64,
    /// Hours until a temporary upload is removed.
    pub temporary_hours: u32,
    /// Hours that an idempotency key is kept, 1 to 168.
    pub idempotency_hours: u32,
    /// Days that the audit log and the change feed are kept; 0 for ever.
    pub audit_days: u32,
    /// Pixels of a picture that thumbnails are made of.
    pub thumbnail_pixels: u64,
    /// Bytes of thumbnails that are kept in memory.
    pub thumbnail_cache_bytes: u64,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 8080)),
            data: PathBuf::from("data"),
            store: String::new(),
            store_owner: String::new(),
            store_read_replicas: Vec::new(),
            store_connections: 16,
            attachments: String::new(),
            attachments_redirect: false,
            aws: Aws::default(),
            tenant_name: "Example MSP".into(),
            time_zone: String::new(),
            log: "info".into(),
            log_format: LogFormat::Text,
            sample: true,
            trusted_proxies: Vec::new(),
            limits: Limits::default(),
            retention: Retention::default(),
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body_bytes: 1 << 20,
            upload_bytes: 20 << 20,
            uploads: 16,
            held_bytes: 64 << 20,
            tenant_bytes: 10 << 30,
            reserve_bytes: 128 << 20,
            calls_per_hour: 1500,
            failed_authentications_per_minute: 120,
            header_seconds: 10,
            body_seconds: 10,
            body_bytes_per_second: 1024,
            request_seconds: 30,
            write_seconds: 10,
            list_bytes: 8 << 20,
            read_seconds: 5,
            waiting_reads: 256,
            waiting_reads_per_token: 32,
            head_bytes: 16 << 10,
            uri_bytes: 8 << 10,
            answer_seconds: 30,
            idle_seconds: 90,
            drain_bytes: 32 << 20,
            drain_seconds: 5,
            connections: 20_000,
            connections_per_address: 1000,
            stop_seconds: 10,
            temporary_hours: 24,
            idempotency_hours: 24,
            audit_days: 365,
            thumbnail_pixels: 40_000_000,
            thumbnail_cache_bytes: 32 << 20,
        }
    }
}

/// What the command line sets; `None` leaves it to the environment, the file and the built-in values.
#[derive(Clone, Debug, Default, Serialize, clap::Args)]
pub struct Overrides {
    /// The address and port to listen on.
    #[arg(long, global = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub listen: Option<SocketAddr>,
    /// The folder of the embedded store and of the attachments.
    #[arg(long, global = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<PathBuf>,
    /// The database of the store: `sqlite:data/store.sqlite`, or `postgres://…`.
    #[arg(long, global = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub store: Option<String>,
    /// A standby of the PostgreSQL store, which answers what is only read; may be given for each.
    #[arg(long = "store-read-replica", value_name = "URL", global = true)]
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub store_read_replicas: Vec<String>,
    /// The bucket of attachments: `s3://bucket/prefix`.
    #[arg(long, global = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attachments: Option<String>,
    /// What is logged: `info`, `warn,service=debug`.
    #[arg(long, global = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log: Option<String>,
    /// How it is logged.
    #[arg(long, global = true)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log_format: Option<LogFormat>,
}

impl Config {
    /// Reads the settings; the file is optional unless it is named.
    pub fn read(file: Option<&Path>, overrides: &Overrides) -> anyhow::Result<Self> {
        let variables: Vec<(String, String)> = std::env::vars_os()
            .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
            .collect();
        let mut given = sources::file(file)?;
        sources::merge(&mut given, sources::environment(&variables)?);
        sources::merge(&mut given, Table::try_from(overrides)?);
        let mut config: Self = given.clone().try_into()?;
        if !given.contains_key("sample") {
            // Who says where the data are has some; and what other machines reach is no trial.
            config.sample = !given.contains_key("data") && config.is_embedded() && config.listen.ip().is_loopback();
        }
        let hours = config.limits.idempotency_hours;
        ensure!((1..=168).contains(&hours), "`limits.idempotency_hours` is {hours}; it is 1 to 168");
        let location = config.location().map_err(|text| anyhow!(text))?;
        for replica in &config.store_read_replicas {
            let replica = Location::parse(replica).map_err(|text| anyhow!("`store_read_replicas`: {text}"))?;
            if let (Location::Sqlite(_), _) | (_, Location::Sqlite(_)) = (&location, &replica) {
                bail!("`store_read_replicas`: only PostgreSQL has replicas, at `postgres://…`");
            }
        }
        if config.attachments().map_err(|text| anyhow!(text))?.folder().is_none() {
            let bytes = config.limits.upload_bytes;
            ensure!(bytes <= MOST_BYTES, "`limits.upload_bytes` is over 5 GiB, which a bucket does not copy at once");
        }
        config.aws = Aws(variables.into_iter().filter(|(name, _)| name.starts_with("AWS_")).collect());
        Ok(config)
    }

    /// Where the contents of attachments are. Fails when that is not said properly.
    pub fn attachments(&self) -> Result<blob::Location, String> {
        match self.attachments.as_str() {
            "" => Ok(blob::Location::Folder(self.data.join(ATTACHMENTS))),
            text => blob::Location::parse(text).map_err(|text| format!("`attachments`: {text}")),
        }
    }

    /// Bytes of the disk that stay free; none when nothing that grows is on it.
    pub fn reserve(&self) -> u64 {
        let has_store = !matches!(self.location(), Ok(Location::Postgres(_)));
        let has_attachments = !matches!(self.attachments(), Ok(blob::Location::S3 { .. }));
        if has_store || has_attachments { self.limits.reserve_bytes } else { 0 }
    }

    /// Where the store is. Fails when that is not said properly.
    pub fn location(&self) -> Result<Location, String> {
        let file = self.data.join(STORE);
        match self.store.as_str() {
            "" => Ok(Location::Sqlite(file)),
            text => match Location::parse(text).map_err(|text| format!("`store`: {text}"))? {
                Location::Sqlite(other) if other != file => Err(format!(
                    "`store`: the embedded store is `{STORE}` in the folder of data, which is {}: say `data` for another folder",
                    self.data.display()
                )),
                location => Ok(location),
            },
        }
    }

    /// Whether the store is a file in the folder of data.
    pub fn is_embedded(&self) -> bool {
        matches!(self.location(), Ok(Location::Sqlite(_)))
    }
}

/// Settings are shown and logged.
fn without_password<S: serde::Serializer>(store: &str, serializer: S) -> Result<S::Ok, S::Error> {
    match Location::parse(store) {
        Ok(location) => serializer.collect_str(&location),
        Err(_) => serializer.serialize_str(""),
    }
}

fn without_passwords<S: serde::Serializer>(stores: &[String], serializer: S) -> Result<S::Ok, S::Error> {
    let shown =
        stores.iter().map(|store| Location::parse(store).map(|location| location.to_string()).unwrap_or_default());
    serializer.collect_seq(shown)
}

/// A list, or texts with spaces between them, as a variable of the environment has them.
fn one_or_more<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Given {
        Text(String),
        List(Vec<String>),
    }
    Ok(match Given::deserialize(deserializer)? {
        Given::Text(text) => text.split_whitespace().map(str::to_owned).collect(),
        Given::List(list) => list,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_wins_over_the_file_and_unknown_names_are_refused() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("service.toml");
        std::fs::write(&file, "listen = '127.0.0.1:1'\nlog = 'debug'\n[limits]\nbody_bytes = 7\n").expect("written");
        let overrides = Overrides { log: Some("trace".into()), ..Overrides::default() };
        let config = Config::read(Some(&file), &overrides).expect("readable");
        assert_eq!((config.listen.port(), config.log.as_str(), config.limits.body_bytes), (1, "trace", 7));
        assert_eq!(config.limits.connections, Limits::default().connections);

        std::fs::write(&file, "lisen = '127.0.0.1:1'\n").expect("written");
        let error = format!("{:#}", Config::read(Some(&file), &overrides).expect_err("a misspelt name"));
        assert!(error.contains("lisen") && error.contains("service.toml"), "{error}");
        assert!(Config::read(Some(&folder.path().join("absent.toml")), &overrides).is_err());
    }

    #[test]
    fn replicas_are_a_list_or_one_text_and_the_command_line_wins() {
        use clap::Parser as _;
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("service.toml");
        let replicas = |text: &str, arguments: &[&str]| {
            std::fs::write(&file, format!("store = 'postgres://db/x'\nstore_read_replicas = {text}")).expect("written");
            let line = [&["service", "check"], arguments].concat();
            let overrides = crate::cli::Cli::try_parse_from(line).expect("a command line").overrides;
            Config::read(Some(&file), &overrides).expect("readable").store_read_replicas
        };
        assert_eq!(replicas("['postgres://a/x']", &[]), ["postgres://a/x"]);
        assert_eq!(replicas("'postgres://a,b/x  postgres://c/x'", &[]), ["postgres://a,b/x", "postgres://c/x"]);
        let said = ["--store-read-replica", "postgres://d/x", "--store-read-replica", "postgres://e/x"];
        assert_eq!(replicas("['postgres://a/x']", &said), ["postgres://d/x", "postgres://e/x"]);
    }

    #[test]
    fn sample_data_are_for_a_trial_unless_they_are_asked_for() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("service.toml");
        let sample = |text: &str, overrides: &Overrides| {
            std::fs::write(&file, text).expect("written");
            Config::read(Some(&file), overrides).expect("readable").sample
        };
        let nothing = Overrides::default();
        assert!(sample("", &nothing));
        assert!(!sample("data = 'data'", &nothing));
        assert!(!sample("", &Overrides { data: Some("data".into()), ..Overrides::default() }));
        assert!(!sample("listen = '0.0.0.0:8080'", &nothing));
        assert!(sample("listen = '[::1]:8080'", &nothing));
        assert!(sample("sample = true\ndata = 'data'\nlisten = '0.0.0.0:8080'", &nothing));
        assert!(!sample("sample = false", &nothing));
    }
}
