//! spec → specwright → generated crates.

use std::fs;
use std::io;
use std::path::Path;
use std::process::ExitCode;

use specwright::{Crate, CrateFolder, File, FileChange, Generated, Owned};

use crate::diagnostics;
use crate::manifest;
use crate::report;
use crate::source::{self, SOURCES, Source};

/// Exit code for stale generated code.
const STALE: u8 = 4;

const MANIFEST: &str = "Cargo.toml";

/// Writes files that differ, removes stale ones, and prints what changed.
pub(crate) fn write(root: &Path) -> ExitCode {
    on_generated(root, |name, folder, changes| {
        folder.apply(changes)?;
        report_changes(name, folder, changes);
        Ok(ExitCode::SUCCESS)
    })
}

/// Lists stale files.
pub(crate) fn check(root: &Path) -> ExitCode {
    let code = on_generated(root, |name, folder, changes| {
        report_changes(name, folder, changes);
        Ok(if changes.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(STALE) })
    });
    if code == ExitCode::from(STALE) {
        eprintln!("the generated code is stale; run `cargo xtask regenerate`");
    }
    code
}

/// Calls `act` for the generated pages and each generated crate with its name, its folder, and the differences.
fn on_generated(root: &Path, act: impl Fn(&str, &CrateFolder, &[FileChange]) -> io::Result<ExitCode>) -> ExitCode {
    let mut folders = vec![docs(root)];
    for source in SOURCES.iter().filter(|source| root.join(source.entry).exists()) {
        let generated = match source::generate(root, source) {
            Ok(generated) => generated,
            Err(diagnostics) => {
                report::print(root, &diagnostics);
                return ExitCode::FAILURE;
            }
        };
        report::print(root, &generated.warnings);
        folders.extend(crates(root, source, generated));
    }
    let mut result = ExitCode::SUCCESS;
    for (name, folder) in folders {
        match folder.compare().and_then(|changes| act(name, &folder, &changes)) {
            Ok(code) if code == ExitCode::SUCCESS => {}
            Ok(code) => result = code,
            Err(error) => {
                eprintln!("error: {name}: {error}");
                return ExitCode::FAILURE;
            }
        }
    }
    result
}

/// The pages that are generated.
fn docs(root: &Path) -> (&'static str, CrateFolder) {
    let files = std::iter::once(diagnostics::page()).chain(diagnostics::picture(root));
    ("docs", CrateFolder::new(root.join("docs"), files).owned(Owned::Listed))
}

/// The generated crates and their expected files. In our `Cargo.toml`, only the features table is generated.
fn crates(root: &Path, source: &Source, generated: Generated) -> [(&'static str, CrateFolder); 4] {
    let folder = |name: &'static str, Crate { files, package, .. }: Crate| {
        let path = root.join(name);
        let mut files: Vec<File> = files.into_iter().filter(|_| source.is_committed).collect();
        let generated = package.iter().find(|file| file.path == MANIFEST);
        if let (Some(generated), Ok(ours)) = (generated, fs::read_to_string(path.join(MANIFEST))) {
            let text = manifest::with_features_of(&ours, &generated.text);
            files.push(File { path: MANIFEST.to_owned(), text });
        }
        let owned = if source.is_committed { Owned::Below("src".to_owned()) } else { Owned::Listed };
        (name, CrateFolder::new(path, files).owned(owned))
    };
    [
        folder(source.server, generated.server),
        folder(source.client, generated.client),
        folder(source.mcp, generated.mcp),
        folder(source.cli, generated.cli),
    ]
}

fn report_changes(name: &str, folder: &CrateFolder, changes: &[FileChange]) {
    for change in changes {
        println!("{name}: {change}");
    }
    println!("{name}: {} files, {} changed", folder.len(), changes.len());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stale_has_its_own_exit_code() -> io::Result<()> {
        let root = tempfile::tempdir()?;
        std::fs::create_dir(root.path().join("spec"))?;
        let entry = root.path().join(SOURCES[0].entry);

        std::fs::write(&entry, "openapi: 3.0.3\ninfo: {title: Accounts, version: '1'}\npaths: {}\n")?;
        assert_eq!(check(root.path()), ExitCode::from(STALE));
        assert_eq!(write(root.path()), ExitCode::SUCCESS);
        assert_eq!(check(root.path()), ExitCode::SUCCESS);

        std::fs::write(&entry, "openapi: 3.0.3\n")?;
        assert_eq!(check(root.path()), ExitCode::FAILURE);
        Ok(())
    }

    #[test]
    fn the_generated_code_is_what_the_description_gives() -> io::Result<()> {
        let root = crate::root();
        let (_, docs) = docs(&root);
        assert!(docs.compare()?.is_empty(), "a page is stale, run `cargo xtask regenerate`");
        for source in &SOURCES {
            let generated = source::generate(&root, source).map_err(|diagnostics| {
                report::print(&root, &diagnostics);
                io::Error::other("the description is at fault")
            })?;
            for (name, folder) in crates(&root, source, generated) {
                let changes = folder.compare()?;
                assert!(changes.is_empty(), "{name} is stale, run `cargo xtask regenerate`: {changes:?}");
            }
        }
        Ok(())
    }
}
