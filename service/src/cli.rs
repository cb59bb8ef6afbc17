//! The command line.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::config::Overrides;

/// The business-management service.
#[derive(Debug, Parser)]
#[command(version, about)]
pub struct Cli {
    /// The file of settings; `service.toml` in the current folder when it is there.
    #[arg(long, global = true, env = "SERVICE_CONFIG")]
    pub config: Option<PathBuf>,
    #[command(flatten)]
    pub overrides: Overrides,
    /// What to do; `serve` when nothing is said.
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// What the program does.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Answers requests until it is told to stop (the default).
    Serve,
    /// Makes a store where there is none, and its first token.
    Init(Init),
    /// Loads reference data and records from JSON or CSV files; all of it, or nothing.
    Import(Import),
    /// Writes everything in the form that `import` reads.
    Export(Export),
    /// Prints the audit log: who has changed which record when, and how; one JSON object a line.
    Audit(Audit),
    /// Makes, lists and revokes the tokens that callers show.
    #[command(subcommand)]
    Token(Token),
    /// Checks the settings, and that the store and the attachments are there.
    Check,
    /// Writes the store and the attachments, as they are at one moment, into one archive; services may be running.
    Backup(Backup),
    /// Checks a backup, and puts it into an empty folder of data or an empty database.
    Restore(Restore),
    /// Copies a store and its attachments into another place, such as from SQLite to PostgreSQL; the same command goes on with
    /// a copy that was cut off.
    Copy(Copy),
    /// Brings the store of an older program up to date, and keeps a copy of it as it was.
    Migrate,
    /// Examines the store and the attachments; says what is wrong and what to do about it.
    Doctor(Doctor),
}

/// Arguments of `init`.
#[derive(Debug, Args)]
pub struct Init {
    /// Load the sample data.
    #[arg(long)]
    pub sample: bool,
    /// The name of the tenant; the setting `tenant_name` when nothing is said.
    #[arg(long)]
    pub tenant_name: Option<String>,
    /// What the first token is called.
    #[arg(long, default_value = "first", conflicts_with = "no_token")]
    pub token_name: String,
    /// What the first token may do; everything when nothing is said.
    #[command(flatten)]
    pub rights: Rights,
    /// Write the token into this new file, which only its owner can read, and print nothing of it.
    #[arg(long, conflicts_with = "no_token")]
    pub token_file: Option<PathBuf>,
    /// Make no token.
    #[arg(long, conflicts_with_all = ["all", "scopes", "functions"])]
    pub no_token: bool,
}

/// What a token may do.
#[derive(Debug, Default, Args)]
pub struct Rights {
    /// What it may do: `read:crm`, `write:attachments`, `read:*` …
    #[arg(long = "scope")]
    pub scopes: Vec<String>,
    /// A function that it may use, such as 560206 for agent notes.
    #[arg(long = "function")]
    pub functions: Vec<u32>,
    /// Everything: all scopes, all functions.
    #[arg(long, conflicts_with_all = ["scopes", "functions"])]
    pub all: bool,
}

/// Arguments of `import`.
#[derive(Debug, Args)]
pub struct Import {
    /// JSON files, or CSV files named after what is in them (`colors.csv`).
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// What is in CSV files that are not named after it.
    #[arg(long)]
    pub kind: Option<String>,
    /// No progress bar.
    #[arg(long)]
    pub quiet: bool,
}

/// Arguments of `export`.
#[derive(Debug, Args)]
pub struct Export {
    /// Where to write; standard output when nothing is said.
    #[arg(long, short)]
    pub output: Option<PathBuf>,
}

/// Arguments of `backup`.
#[derive(Debug, Args)]
pub struct Backup {
    /// The archive to write, or a folder for one that is named after the moment; standard output when nothing is said.
    #[arg(long, short)]
    pub output: Option<PathBuf>,
}

/// Arguments of `restore`.
#[derive(Debug, Args)]
pub struct Restore {
    /// The archive; `-` is standard input.
    pub archive: PathBuf,
    /// Only check the archive.
    #[arg(long)]
    pub verify: bool,
}

/// Arguments of `copy`.
#[derive(Debug, Args)]
pub struct Copy {
    /// The store to be copied, which nobody serves: `sqlite:data/store.sqlite`, `postgres://…`; that of the settings when
    /// nothing is said.
    #[arg(long, required_unless_present = "to")]
    pub from: Option<String>,
    /// The store to be made; that of the settings when nothing is said.
    #[arg(long)]
    pub to: Option<String>,
    /// Its attachments: a folder, or `s3://bucket/prefix`; beside an embedded store, else those of the settings, when nothing
    /// is said.
    #[arg(long)]
    pub attachments_from: Option<String>,
    /// Where they go, said in the same way.
    #[arg(long)]
    pub attachments_to: Option<String>,
    /// No progress bar.
    #[arg(long)]
    pub quiet: bool,
}

/// Arguments of `doctor`.
#[derive(Debug, Args)]
pub struct Doctor {
    /// Read every content of an attachment and compare its hash.
    #[arg(long)]
    pub full: bool,
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

/// What is done with tokens.
#[derive(Debug, Subcommand)]
pub enum Token {
    /// Makes a token and prints it, this one time.
    Create(CreateToken),
    /// Lists the tokens; never the secrets.
    List,
    /// Makes a token useless, at once and for good.
    Revoke {
        /// The number that `list` shows.
        id: i32,
    },
}

/// Arguments of `token create`.
#[derive(Debug, Args)]
pub struct CreateToken {
    /// What it is for; shown by `list`.
    pub name: String,
    /// What it may do; something has to be said.
    #[command(flatten)]
    pub rights: Rights,
    /// Write it into this new file, which only its owner can read, and print nothing of it.
    #[arg(long)]
    pub token_file: Option<PathBuf>,
    /// An account that it may see; all accounts when nothing is said.
    #[arg(long = "account")]
    pub accounts: Vec<i32>,
    /// The assignee who is named as creating and changing what it writes.
    #[arg(long)]
    pub assignee: Option<i32>,
    /// Days until it expires, at least 1; without this it does not.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    pub days: Option<u32>,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    #[test]
    fn the_command_line_is_consistent() {
        super::Cli::command().debug_assert();
    }
}
