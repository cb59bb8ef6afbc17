//! `specwright diff`

mod json;

use std::io::stdout;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use specwright::diff::{Edition, Party};

use super::config;
use super::description::{Description, Here};
use super::{BREAKING, Described, Failure, Input, diagnostics, output};

#[derive(Args)]
pub(super) struct Arguments {
    /// The description that is in use.
    #[arg(value_name = "OLD")]
    old: PathBuf,
    /// The description that takes its place.
    #[arg(value_name = "NEW")]
    new: PathBuf,
    /// A TOML file with settings for both: overlays, copies of remote documents, and selected operations.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Settings for OLD, if they differ.
    #[arg(long, value_name = "FILE")]
    old_config: Option<PathBuf>,
    /// The format of the report.
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
    /// Parties that may break without exit code 3.
    #[arg(long, value_enum, value_name = "PARTY", value_delimiter = ',')]
    allow: Vec<Allowed>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// For people.
    Human,
    /// For programs.
    Json,
    /// An entry of a changelog, in Markdown; none if nothing differs for the users of the API.
    Changelog,
}

#[derive(Clone, Copy, ValueEnum)]
enum Allowed {
    /// Programs that call the server.
    Callers,
    /// Implementations of the generated traits.
    Servers,
    /// Code that names items of the generated crates.
    Rust,
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let new_config = arguments.config.as_deref();
    let old_config = arguments.old_config.as_deref().or(new_config);
    let (old, new) = (read(&arguments.old, old_config), read(&arguments.new, new_config));
    // Errors of both documents are reported.
    let ((old, old_folder), (new, new_folder)) = (old?, new?);
    let mut changes = specwright::diff::diff(&old, &new);
    for (edition, folder) in [(Edition::Old, old_folder), (Edition::New, new_folder)] {
        if let Some(folder) = folder {
            changes.below(edition, &folder);
        }
    }
    match arguments.format {
        Format::Human => output::print(&changes.render(&Here, diagnostics::style(&stdout())))?,
        Format::Json => output::print_json(&json::json(&changes))?,
        Format::Changelog => match changes.changelog() {
            Some(entry) => output::print(&entry)?,
            None => eprintln!("no difference for the users of the API"),
        },
    }
    let party = |allowed: &Allowed| match allowed {
        Allowed::Callers => Party::Callers,
        Allowed::Servers => Party::Servers,
        Allowed::Rust => Party::Rust,
    };
    let allowed: Vec<Party> = arguments.allow.iter().map(party).collect();
    Ok(if changes.breaks(&allowed) { ExitCode::from(BREAKING) } else { ExitCode::SUCCESS })
}

/// The description and its folder. Warnings are left to `lint`; errors are reported here.
fn read(document: &Path, config: Option<&Path>) -> Result<(specwright::Description, Option<String>), Failure> {
    let input =
        Input { described: Described { document: document.to_owned(), ..Described::default() }, ..Input::default() };
    let description = Description::new(&input, &config::read(config)?)?;
    match description.read() {
        Ok(read) => Ok((read, description.folder())),
        Err(diagnostics) => {
            diagnostics::print(&description, &diagnostics, false);
            Err(description.failure(&diagnostics))
        }
    }
}
