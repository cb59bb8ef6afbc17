//! A PostgreSQL server of a test's own: in a temporary folder, on a socket in it, gone when the test's process is.

mod binaries {
    include!("binaries.rs");

    pub(super) fn folder() -> Option<PathBuf> {
        // The build script asks the same.
        let _ = folders();
        binaries()
    }
}

use std::{
    fs,
    io::Read as _,
    os::unix::{fs::chown, net::UnixStream, process::CommandExt as _},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{
        OnceLock,
        atomic::{AtomicU32, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

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

/// So long a server may take to start.
const START: Duration = Duration::from_mins(1);

/// Runs the server until standard input ends, which it does with the process that holds it, however that ends.
const RUN: &str = r#""$1/initdb" -D "$2/data" -U postgres -A trust -E UTF8 --locale=C --no-sync >"$2/log" 2>&1 || exit 1
"$1/postgres" -D "$2/data" -k "$2" -c listen_addresses= -c fsync=off -c full_page_writes=off -c max_connections=300 \
    -c autovacuum=off >>"$2/log" 2>&1 </dev/null &
server=$!
cat >/dev/null
kill -INT $server
wait $server
rm -rf "$2""#;

/// A server, and the folder of its socket.
struct Server {
    binaries: PathBuf,
    folder: PathBuf,
    databases: AtomicU32,
    /// It stops when its standard input is closed.
    _running: Child,
}

/// The URL of a fresh, empty database on the server of this process, which is started when it does not run yet.
///
/// # Panics
///
/// When the server cannot be started; its log is told.
pub fn database() -> String {
    static SERVER: OnceLock<Server> = OnceLock::new();
    let server = SERVER.get_or_init(start);
    let name = format!("test_{}", server.databases.fetch_add(1, Ordering::Relaxed));
    let made = Command::new(server.binaries.join("createdb"))
        .args(["-h".as_ref(), server.folder.as_os_str(), "-U".as_ref(), "postgres".as_ref(), name.as_ref()])
        .args(["-T", "template0"])
        .status();
    assert!(made.is_ok_and(|status| status.success()), "the database {name} is not made");
    format!("postgres://postgres@{}/{name}", server.folder.display().to_string().replace('/', "%2F"))
}

/// Runs SQL on a database of this server; what it answers comes back, a row a line.
///
/// # Panics
///
/// When the database refuses it; the reason is told.
pub fn execute(url: &str, sql: &str) -> String {
    let folder = binaries::folder().expect("PostgreSQL is not installed");
    let run = Command::new(folder.join("psql"))
        .args(["-X", "-q", "-t", "-A", "-v", "ON_ERROR_STOP=1", "-c", sql, url])
        .output();
    let output = run.expect("psql runs");
    assert!(output.status.success(), "{sql}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn start() -> Server {
    let binaries = binaries::folder().expect("PostgreSQL is not installed");
    let folder = tempfile::Builder::new().prefix("postgres-").tempdir().expect("a temporary folder").keep();
    let mut command = Command::new("/bin/sh");
    command.args(["-c", RUN, "sh"]).arg(&binaries).arg(&folder).current_dir(&folder);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    // A server does not run as root.
    if let Some((user, group)) = other_user(&folder) {
        chown(&folder, Some(user), Some(group)).expect("the folder is given to another user");
        command.uid(user).gid(group);
    }
    let mut running = command.spawn().expect("a shell");
    let socket = folder.join(".s.PGSQL.5432");
    let begin = Instant::now();
    while !answers(&socket) {
        let has_ended = running.try_wait().is_ok_and(|status| status.is_some());
        if has_ended || begin.elapsed() > START {
            let log = fs::read_to_string(folder.join("log")).unwrap_or_default();
            panic!("PostgreSQL does not start: {log}");
        }
        thread::sleep(Duration::from_millis(20));
    }
    Server { binaries, folder, databases: AtomicU32::new(0), _running: running }
}

/// Whether a server takes connections there: it asks for a version that there is not, and is told so.
fn answers(socket: &Path) -> bool {
    use std::io::Write as _;
    let Ok(mut stream) = UnixStream::connect(socket) else { return false };
    // A request for encryption is answered by one letter.
    let mut answer = [0];
    stream.write_all(&[0, 0, 0, 8, 4, 210, 22, 47]).is_ok() && stream.read_exact(&mut answer).is_ok()
}

/// The numbers of a user and a group to run as instead of root, whom the folder belongs to.
fn other_user(folder: &Path) -> Option<(u32, u32)> {
    use std::os::unix::fs::MetadataExt as _;
    if fs::metadata(folder).ok()?.uid() != 0 {
        return None;
    }
    let users = fs::read_to_string("/etc/passwd").ok()?;
    let user = |wanted: &str| {
        let line = users.lines().find(|line| line.split(':').next() == Some(wanted))?;
        let mut fields = line.split(':').skip(2);
        Some((fields.next()?.parse().ok()?, fields.next()?.parse().ok()?))
    };
    user("postgres").or_else(|| user("nobody"))
}
