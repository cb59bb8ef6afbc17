//! `codegen generate`

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::panic::resume_unwind;
use std::path::{Component, Path, PathBuf};
use std::process::ExitCode;
use std::thread;

use clap::Args;
use codegen::{Options, Runtime};

use super::config::Config;
use super::description::Description;
use super::folder::{Change, Folder, MARK};
use super::{Failure, Input, STALE, crate_name, output, progress, report};

#[derive(Args)]
#[command(group = clap::ArgGroup::new("crates").required(true).multiple(true))]
pub(super) struct Arguments {
    #[command(flatten)]
    input: Input,
    /// The folder of the server crate.
    #[arg(long, value_name = "DIR", group = "crates")]
    server: Option<PathBuf>,
    /// The folder of the client crate.
    #[arg(long, value_name = "DIR", group = "crates")]
    client: Option<PathBuf>,
    /// What the crates are called, without `-server` and `-client`; the name of the file unless given.
    #[arg(long)]
    name: Option<String>,
    /// Where the crates have their runtime from: `embed`, `path=DIR`, `version=VERSION` or `git=URL` of `codegen-runtime`;
    /// a folder is relative to the generated crates. Without it, they have a copy.
    #[arg(long, value_name = "SOURCE")]
    runtime: Option<Runtime>,
    /// Writes nothing; names what is stale and exits with 4.
    #[arg(long)]
    check: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let Arguments { input, server, client, name, runtime, check } = arguments;
    if server.is_some() && server.as_deref().map(place) == client.as_deref().map(place) {
        return Err(Failure::usage("`--server` and `--client` name the same folder"));
    }
    let config = Config::read(input.config.as_deref())?;
    let name = crate_name::choose(name.as_deref().or(config.name.as_deref()), &input.document)?;
    let description = Description::new(input, &config)?;
    let from_config = description.options.clone();
    let options = Options {
        marker: marker(&description.entry),
        server_crate: format!("{name}_server"),
        client_crate: format!("{name}_client"),
        runtime: runtime.clone().unwrap_or(from_config.runtime),
        ..from_config
    };
    let generated = progress::during("generating", || codegen::generate(&description, &description.entry, &options))
        .map_err(|diagnostics| {
            report::print(&description, &diagnostics, input.all);
            description.failure(&diagnostics)
        })?;
    let server = server.as_ref().map(|path| (path, generated.server.into_iter().chain(generated.server_package)));
    let client = client.as_ref().map(|path| (path, generated.client.into_iter().chain(generated.client_package)));
    let crates: Vec<_> =
        server.into_iter().chain(client).map(|(path, files)| (path.as_path(), Folder::new(path, files))).collect();
    let warnings = &generated.warnings;
    let mut told = String::new();
    let (warnings, is_stale) = thread::scope(|scope| {
        // The description is read again for the places of its warnings, which takes as long as much of the writing.
        let warnings = scope.spawn(|| report::text(&description, warnings, input.all));
        let is_stale = bring_up_to_date(&crates, *check, &mut told);
        (warnings.join(), is_stale)
    });
    eprint!("{}", warnings.unwrap_or_else(|panic| resume_unwind(panic)));
    output::print(&told)?;
    if is_stale? && *check {
        eprintln!("error: the generated code is stale; run the command without `--check`");
        return Ok(ExitCode::from(STALE));
    }
    Ok(ExitCode::SUCCESS)
}

/// Nothing is written unless everything can be. What was done of it is `told` even when the rest fails; `true` if the
/// folders held something else.
fn bring_up_to_date(crates: &[(&Path, Folder)], check: bool, told: &mut String) -> Result<bool, Failure> {
    let failed = |path: &Path, error| Failure::usage(format!("{}: {error}", path.display()));
    let mut comparisons = Vec::new();
    for (path, folder) in crates {
        let comparison = folder.compare().map_err(|error: io::Error| failed(path, error))?;
        if let Some(foreign) = comparison.foreign.first() {
            let file = path.join(foreign);
            let message = format!("`{}` is not generated, so it is not overwritten; move it away", file.display());
            return Err(Failure::usage(message));
        }
        comparisons.push(comparison);
    }
    let mut is_stale = false;
    for ((path, folder), comparison) in crates.iter().zip(comparisons) {
        let changes = comparison.changes;
        is_stale |= !changes.is_empty();
        if !check {
            folder.apply(&changes).map_err(|error: io::Error| failed(path, error))?;
        }
        let shown = path.display();
        // Of what was done, only what is gone cannot be seen in the folder.
        for change in changes.iter().filter(|change| check || matches!(change, Change::Remove(_))) {
            let _ = writeln!(told, "{shown}: {change}");
        }
        let _ = writeln!(told, "{shown}: {} files, {} changed", folder.len(), changes.len());
    }
    Ok(is_stale)
}

/// Where a folder is, however it is spelt. What is not there yet is where its path leads.
fn place(folder: &Path) -> PathBuf {
    let whole = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let mut place = PathBuf::new();
    for part in whole.components() {
        if part == Component::ParentDir {
            place.pop();
        } else {
            place.push(part);
        }
        // Step by step, because `..` leaves the folder that a link leads to.
        place = fs::canonicalize(&place).unwrap_or(place);
    }
    place
}

/// The name of the file alone: another machine has it in another folder.
fn marker(entry: &str) -> String {
    let shown: String = entry.chars().filter(|character| !character.is_control()).collect();
    format!("{MARK} from {}. Do not edit.", shown.replace("--", "-"))
}
