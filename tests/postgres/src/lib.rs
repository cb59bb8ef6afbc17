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
    time::{Duration, Instant},
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

/// The URL of a fresh, empty database on the server of this process, which is started when it does not run yet.
///
/// # Panics
///
/// When the server cannot be started; the panic shows its log.
pub fn database() -> String {
    static SERVER: OnceLock<Server> = OnceLock::new();
    SERVER.get_or_init(|| Server::start(Durability::None)).database()
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
/// When the database does not run it within 10 s.
pub fn hold(url: &str, sql: &str) -> Held {
    let folder = binaries::folder().expect("PostgreSQL is not installed");
    let name = format!("held {}", std::process::id());
    let mut command = Command::new(folder.join("psql"));
    command.args(["-X", "-q", "-v", "ON_ERROR_STOP=1", url]).env("PGAPPNAME", &name);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().expect("psql runs");
    let input = child.stdin.as_mut().expect("an input");
    writeln!(input, "BEGIN;\n{sql};\nSELECT 'held';").expect("psql reads");
    let held = Held(child);
    let is_held = format!(
        "SELECT count(*) FROM pg_stat_activity WHERE application_name = '{name}' AND state = 'idle in transaction'
         AND query = 'SELECT ''held'';' AND datname = current_database()"
    );
    let begin = Instant::now();
    while execute(url, &is_held).trim() == "0" {
        assert!(begin.elapsed() < Duration::from_secs(10), "{sql} is not done");
        thread::sleep(Duration::from_millis(10));
    }
    held
}
