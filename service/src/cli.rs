//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::{config::Config, domain::text::is_blank};

/// The business-management service.
#[derive(Debug, Parser)]
#[command(version, about)]
pub struct Cli {
    /// File with settings; `service.toml` in the current folder if it exists.
    #[arg(long, global = true, env = "SERVICE_CONFIG")]
    pub config: Option<PathBuf>,
    #[command(flatten)]
    pub settings: Config,
    /// The command; `serve` by default.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// The commands of the program.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serves requests until stopped (the default).
    Serve,
    /// Creates a store and its first token.
    Init(Init),
    /// Imports records from JSON or CSV files; all or nothing.
    Import(Import),
    /// Exports all records in the format of `import`.
    Export {
        /// Output file; standard output by default.
        #[arg(long, short)]
        output: Option<PathBuf>,
    },
    /// Prints the audit log, one JSON object per line.
    Audit(Audit),
    /// Creates, lists and revokes tokens.
    #[command(subcommand)]
    Token(Token),
    /// Checks the settings, the store and the attachments.
    Check,
    /// Writes a snapshot of the store and the attachments to an archive; services may be running.
    Backup {
        /// The archive, or a folder for an archive named by date; standard output by default.
        #[arg(long, short)]
        output: Option<PathBuf>,
    },
    /// Verifies a backup, and restores it to an empty folder or database.
    Restore {
        /// The archive; `-` is standard input.
        archive: PathBuf,
        /// Only verify the archive.
        #[arg(long)]
        verify: bool,
    },
    /// Copies a store and its attachments, for example from SQLite to PostgreSQL; run it again to continue an
    /// interrupted copy.
    Copy(Copy),
    /// Migrates the store of an older version, and keeps a copy of it.
    Migrate,
    /// Examines the store and the attachments; reports problems and their solutions.
    Doctor {
        /// Read every content and compare its hash.
        #[arg(long)]
        full: bool,
    },
}

/// Arguments of `init`.
#[derive(Debug, Args)]
pub struct Init {
    /// Load the sample data.
    #[arg(id = "load_sample", long = "sample")]
    pub sample: bool,
    /// What the first token is called.
    #[arg(long, default_value = "first", conflicts_with = "no_token", value_parser = name)]
    pub token_name: String,
    /// The rights of the first token; everything by default.
    #[command(flatten)]
    pub rights: Rights,
    /// Write the token to this new file, readable only by its owner, instead of printing it.
    #[arg(long, conflicts_with = "no_token")]
    pub token_file: Option<PathBuf>,
    /// Create no token.
    #[arg(long, conflicts_with_all = ["all", "scopes", "functions"])]
    pub no_token: bool,
}

/// The rights of a token.
#[derive(Debug, Default, Args)]
pub struct Rights {
    /// A scope: `read:crm`, `write:attachments`, `read:*` …
    #[arg(long = "scope")]
    pub scopes: Vec<String>,
    /// A function, such as 560206 for agent notes.
    #[arg(long = "function")]
    pub functions: Vec<u32>,
    /// All scopes and functions.
    #[arg(long, conflicts_with_all = ["scopes", "functions"])]
    pub all: bool,
}

/// Arguments of `import`.
#[derive(Debug, Args)]
pub struct Import {
    /// JSON files, or CSV files named after their kind of records (`colors.csv`).
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// The kind of records in CSV files with other names.
    #[arg(long)]
    pub kind: Option<String>,
    /// No progress bar.
    #[arg(long)]
    pub quiet: bool,
}

/// Arguments of `copy`.
#[derive(Debug, Args)]
pub struct Copy {
    /// The store to copy, which must not be in use: `sqlite:data/store.sqlite`, `postgres://…`; by default,
    /// that of the settings.
    #[arg(long, required_unless_present = "to")]
    pub from: Option<String>,
    /// The store to create; by default, that of the settings.
    #[arg(long)]
    pub to: Option<String>,
    /// Its attachments: a folder, or `s3://bucket/prefix`; by default, next to an embedded store, else those
    /// of the settings.
    #[arg(long)]
    pub attachments_from: Option<String>,
    /// The destination of the attachments, in the same syntax.
    #[arg(long)]
    pub attachments_to: Option<String>,
    /// No progress bar.
    #[arg(long)]
    pub quiet: bool,
}

/// Arguments of `audit`.
#[derive(Debug, Args)]
pub struct Audit {
    /// Only entries with a higher number.
    #[arg(long, default_value_t = 0)]
    pub after: i64,
    /// Only records of this kind: `Account`.
    #[arg(long)]
    pub kind: Option<String>,
    /// Only the record with this id.
    #[arg(long)]
    pub record: Option<String>,
}

/// The commands for tokens.
#[derive(Debug, Subcommand)]
pub enum Token {
    /// Creates a token and prints it once.
    Create(CreateToken),
    /// Lists the tokens without their secrets.
    List,
    /// Revokes a token at once and permanently.
    Revoke {
        /// The id shown by `list`.
        id: i32,
    },
}

/// Arguments of `token create`.
#[derive(Debug, Args)]
pub struct CreateToken {
    /// The name shown by `list`.
    #[arg(value_parser = name)]
    pub name: String,
    /// The rights; at least one is required.
    #[command(flatten)]
    pub rights: Rights,
    /// Write the token to this new file, readable only by its owner, instead of printing it.
    #[arg(long)]
    pub token_file: Option<PathBuf>,
    /// An account that it may see; all accounts by default.
    #[arg(long = "account")]
    pub accounts: Vec<i32>,
    /// The assignee recorded as author of its writes.
    #[arg(long)]
    pub assignee: Option<i32>,
    /// Days until it expires, at least 1; never by default.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    pub days: Option<u32>,
}

/// The name of a token, which must not be blank.
fn name(text: &str) -> Result<String, &'static str> {
    if is_blank(text) { Err("the name is empty") } else { Ok(text.to_owned()) }
}
