// Finds the programs of PostgreSQL; also included by the build script.

use std::path::PathBuf;

/// Where packages install versioned folders, which have the programs in `bin`.
const VERSIONED: [&str; 3] = ["/usr/lib/postgresql", "/opt/homebrew/opt", "/usr/local/opt"];

/// The folders that may contain the programs, or folders with them.
fn folders() -> Vec<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).chain(VERSIONED.map(PathBuf::from)).filter(|folder| folder.is_dir()).collect()
}

/// The folder of the newest server.
fn binaries() -> Option<PathBuf> {
    const PROGRAMS: [&str; 6] = ["initdb", "postgres", "pg_ctl", "pg_basebackup", "createdb", "psql"];
    let is_server = |folder: &PathBuf| PROGRAMS.iter().all(|name| folder.join(name).exists());
    let mut versions: Vec<PathBuf> = VERSIONED
        .iter()
        .filter_map(|folder| std::fs::read_dir(folder).ok())
        .flat_map(|entries| entries.flatten().map(|entry| entry.path().join("bin")))
        .collect();
    versions.sort();
    folders().into_iter().chain(versions.into_iter().rev()).find(is_server)
}
