//! A temporary PostgreSQL server for tests: its data and socket are in a temporary folder, removed with the
//! process.

mod server;

mod binaries {
    include!("binaries.rs");

    pub(super) fn folder() -> Option<PathBuf> {
        // The build script calls the same function.
        let _ = folders();
        binaries()
    }
}

use std::{
    io::Write as _,
    process::{Child, Command, Stdio},
    sync::OnceLock,
    thread,
    time::Duration,
};

pub use server::{Durability, Server};

/// Includes items if PostgreSQL is installed; otherwise, an ignored test that says what to install.
#[cfg(has_postgres)]
#[macro_export]
macro_rules! with_postgres {
    ($($item:item)*) => { $($item)* };
}

/// Includes items if PostgreSQL is installed; otherwise, an ignored test that says what to install.
#[cfg(not(has_postgres))]
#[macro_export]
macro_rules! with_postgres {
    ($($item:item)*) => {
        #[test]
        #[ignore = "PostgreSQL is not installed: `apt-get install postgresql`, or put `initdb` and `postgres` on the PATH"]
        fn on_postgresql() {}
    };
}

/// The server of this process, started on first use.
fn server() -> &'static Server {
    static SERVER: OnceLock<Server> = OnceLock::new();
    SERVER.get_or_init(|| Server::start(Durability::None))
}

/// The URL of a fresh, empty database on the server of this process.
///
/// # Panics
///
/// When the server cannot be started; the panic shows its log.
pub fn database() -> String {
    server().database()
}

/// The URL of a fresh database, copied from one that `fill` has filled. `fill` is called once in this process
/// with an empty database.
///
/// # Panics
///
/// When the server cannot be started; the panic shows its log.
pub fn filled_database(fill: impl FnOnce(String)) -> String {
    static TEMPLATE: OnceLock<String> = OnceLock::new();
    let template = TEMPLATE.get_or_init(|| {
        let url = database();
        fill(url.clone());
        let name = name(&url).to_owned();
        // A template must have no connections; those of `fill` may still be closing.
        execute(
            &server().url("postgres"),
            &format!(
                "ALTER DATABASE {name} ALLOW_CONNECTIONS false;
                 SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = '{name}'"
            ),
        );
        name
    });
    server().database_like(template)
}

/// Logs every statement sent to this database on new connections.
///
/// # Panics
///
/// When the database cannot be altered.
pub fn log_statements(url: &str) {
    execute(&for_owner(url), &format!("ALTER DATABASE {} SET log_statement = 'all'", name(url)));
}

/// The prepared statements sent to this database since [`log_statements`], one per line.
///
/// # Panics
///
/// When the log of the server cannot be read.
pub fn statements(url: &str) -> Vec<String> {
    let log = std::fs::read(server().log()).expect("the log of the server");
    prepared(name(url), &String::from_utf8_lossy(&log))
}

/// The prepared statements of a database in a log.
fn prepared(database: &str, log: &str) -> Vec<String> {
    let mut statements = Vec::new();
    let mut lines = log.lines().peekable();
    while let Some(line) = lines.next() {
        let logged = line.strip_prefix(database).and_then(|line| line.strip_prefix(" LOG:  "));
        let prepared = logged.and_then(|line| line.strip_prefix("execute "));
        let Some((_, first)) = prepared.and_then(|line| line.split_once(": ")) else { continue };
        // Continuation lines of a statement are indented.
        let further = std::iter::from_fn(|| lines.next_if(|line| line.starts_with('\t')));
        let words: Vec<_> = std::iter::once(first).chain(further).flat_map(str::split_whitespace).collect();
        statements.push(words.join(" "));
    }
    statements
}

/// The database name in a URL.
fn name(url: &str) -> &str {
    url.rsplit('/').next().unwrap_or_default()
}

/// The URL with the role of a service, which owns nothing.
pub fn for_service(url: &str) -> String {
    url.replacen("//postgres@", "//service@", 1)
}

/// The URL with the role that owns the database.
pub fn for_owner(url: &str) -> String {
    url.replacen("//service@", "//postgres@", 1)
}

/// Whether PostgreSQL is installed.
pub fn is_installed() -> bool {
    binaries::folder().is_some()
}

/// Runs SQL on a database of this server; returns the result, one row per line.
///
/// # Panics
///
/// If the database refuses it, or a lock is not available within a minute; the panic shows the reason.
pub fn execute(url: &str, sql: &str) -> String {
    let folder = binaries::folder().expect("PostgreSQL is not installed");
    let run = Command::new(folder.join("psql"))
        .args(["-X", "-q", "-t", "-A", "-v", "ON_ERROR_STOP=1", "-c", sql, url])
        .env("PGOPTIONS", "-c lock_timeout=60s")
        .output();
    let output = run.expect("psql runs");
    assert!(output.status.success(), "{sql}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// An open transaction that holds its locks until dropped.
#[derive(Debug)]
pub struct Held(Child);

impl Drop for Held {
    fn drop(&mut self) {
        // Closing its input ends it; a failure means that it has already ended.
        drop(self.0.stdin.take());
        let _ = self.0.wait();
    }
}

/// Runs SQL in a transaction that stays open.
///
/// # Panics
///
/// When the database does not run it.
pub fn hold(url: &str, sql: &str) -> Held {
    let folder = binaries::folder().expect("PostgreSQL is not installed");
    let name = format!("held {}", std::process::id());
    let mut command = Command::new(folder.join("psql"));
    command.args(["-X", "-q", "-v", "ON_ERROR_STOP=1", url]).env("PGAPPNAME", &name);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().expect("psql runs");
    let input = child.stdin.as_mut().expect("an input");
    writeln!(input, "BEGIN;\n{sql};\nSELECT 'held';").expect("psql reads");
    let mut held = Held(child);
    let is_held = format!(
        "SELECT count(*) FROM pg_stat_activity WHERE application_name = '{name}' AND state = 'idle in transaction'
         AND query = 'SELECT ''held'';' AND datname = current_database()"
    );
    while execute(url, &is_held).trim() == "0" {
        assert!(held.0.try_wait().expect("its state").is_none(), "{sql} fails");
        thread::sleep(Duration::from_millis(10));
    }
    held
}

#[cfg(test)]
mod tests {
    with_postgres! {
        use super::*;

        #[test]
        fn a_database_is_filled_once_and_copied() {
            let fill = |url: String| drop(execute(&url, "CREATE TABLE numbers (number int); INSERT INTO numbers VALUES (7)"));
            let one = filled_database(fill);
            execute(&one, "INSERT INTO numbers VALUES (8)");
            let other = filled_database(|_| panic!("it is filled already"));
            assert_eq!(execute(&other, "SELECT number FROM numbers"), "7\n");
        }

        #[test]
        fn prepared_statements_are_found_in_the_log() {
            let log = "test_1 LOG:  execute s3: SELECT a,\n\t  b FROM c\ntest_1 DETAIL:  parameters: $1 = '1'\n\
                       test_12 LOG:  execute s1: SELECT 9\ntest_1 LOG:  statement: BEGIN\ntest_1 LOG:  execute s4: SELECT 2\n";
            assert_eq!(prepared("test_1", log), ["SELECT a, b FROM c", "SELECT 2"]);
        }
    }
}
