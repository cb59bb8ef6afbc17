//! A PostgreSQL server of a test's own: in a temporary folder, on a socket in it, gone when the test's process is.

mod server;

mod binaries {
    include!("binaries.rs");

    pub(super) fn folder() -> Option<PathBuf> {
        // The build script asks the same.
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

/// Takes in items when PostgreSQL is on the machine, and an ignored test that says what to install otherwise.
#[cfg(has_postgres)]
#[macro_export]
macro_rules! with_postgres {
    ($($item:item)*) => { $($item)* };
}

/// Takes in items when PostgreSQL is on the machine, and an ignored test that says what to install otherwise.
#[cfg(not(has_postgres))]
#[macro_export]
macro_rules! with_postgres {
    ($($item:item)*) => {
        #[test]
        #[ignore = "PostgreSQL is not installed: `apt-get install postgresql`, or put `initdb` and `postgres` on the PATH"]
        fn on_postgresql() {}
    };
}

/// The server of this process, which is started when it does not run yet.
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

/// The URL of a fresh database with what `fill` puts into an empty one. It is called once in this process, with the URL of that.
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
        // A database that is copied has no connections; those of `fill` may still be closing.
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

/// Logs every statement that this database of the server of this process is sent, on connections made from now on.
///
/// # Panics
///
/// When the database cannot be altered.
pub fn log_statements(url: &str) {
    execute(&for_owner(url), &format!("ALTER DATABASE {} SET log_statement = 'all'", name(url)));
}

/// The prepared statements that this database has been sent since [`log_statements`], each on one line.
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
        // Further lines of a statement are indented.
        let further = std::iter::from_fn(|| lines.next_if(|line| line.starts_with('\t')));
        let words: Vec<_> = std::iter::once(first).chain(further).flat_map(str::split_whitespace).collect();
        statements.push(words.join(" "));
    }
    statements
}

/// The name of the database of a URL.
fn name(url: &str) -> &str {
    url.rsplit('/').next().unwrap_or_default()
}

/// The same database as a role that owns nothing: as a service connects.
pub fn for_service(url: &str) -> String {
    url.replacen("//postgres@", "//service@", 1)
}

/// The same database as the role that owns it.
pub fn for_owner(url: &str) -> String {
    url.replacen("//service@", "//postgres@", 1)
}

/// Whether PostgreSQL is on the machine.
pub fn is_installed() -> bool {
    binaries::folder().is_some()
}

/// Runs SQL on a database of this server; what it answers comes back, a row a line.
///
/// # Panics
///
/// When the database refuses it, or what it locks is not free within a minute; the panic says why.
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

/// A transaction that stays open, and keeps what it has locked, until it is dropped.
#[derive(Debug)]
pub struct Held(Child);

impl Drop for Held {
    fn drop(&mut self) {
        // It ends with its input; a failure means that it has ended already.
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
