//! A server: started, killed, stopped, and replicated to a standby.

use std::{
    env, fs,
    os::unix::{
        fs::{MetadataExt as _, chown},
        process::CommandExt as _,
    },
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicU32, Ordering},
    thread,
    time::Duration,
};

use crate::binaries;

/// Stops the server and removes its folder at the end of standard input, which closes with the parent
/// process, however that exits.
const CLEAN: &str = r#"cat >/dev/null; "$1/pg_ctl" -D "$2/data" -m immediate stop >/dev/null 2>&1; rm -rf "$2""#;

/// A file system in memory, where a database is created several times as fast, and the space that tests need there.
const MEMORY: (&str, u64) = ("/dev/shm", 4 << 30);

/// What survives of a commit after a power failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Durability {
    /// Nothing, which saves time.
    None,
    /// Everything, the server's default.
    Full,
}

/// A server with a folder of its own, which holds its data, its socket and its log.
#[derive(Debug)]
pub struct Server {
    programs: PathBuf,
    folder: PathBuf,
    durability: Durability,
    /// The user and group ids that it runs as.
    user: Option<(u32, u32)>,
    databases: AtomicU32,
    /// Ends when its standard input closes.
    _cleaner: Child,
}

impl Server {
    /// Creates and starts a server. Like every method it panics with the reason if a PostgreSQL program
    /// fails.
    pub fn start(durability: Durability) -> Self {
        let server = Self::new(durability);
        server.run("initdb", &["-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]);
        server.restart();
        crate::execute(&server.url("postgres"), "CREATE ROLE service LOGIN");
        server
    }

    /// The folder of its data.
    pub fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    /// The folder of its socket.
    pub fn socket(&self) -> PathBuf {
        self.folder.join(".s.PGSQL.5432")
    }

    /// The path of its log.
    pub fn log(&self) -> PathBuf {
        self.folder.join("log")
    }

    /// Restarts it after [`Server::kill`] or [`Server::stop`].
    pub fn restart(&self) {
        self.restart_with(&[]);
    }

    /// The same with environment variables. Does nothing if it is running.
    pub fn restart_with(&self, variables: &[(&str, PathBuf)]) {
        if self.runs() {
            return;
        }
        let folder = self.folder.display();
        let speed = match self.durability {
            Durability::None => "-c fsync=off -c full_page_writes=off -c autovacuum=off",
            Durability::Full => "",
        };
        let options =
            format!("-k {folder} -c listen_addresses= -c max_connections=300 -c log_line_prefix='%d ' {speed}");
        let log = format!("{folder}/log");
        self.run_with("pg_ctl", &["-l", &log, "-o", &options, "-t", "60", "-w", "start"], variables);
    }

    /// Whether it is running; it may still be starting.
    pub fn runs(&self) -> bool {
        let mut command = Command::new(self.programs.join("pg_ctl"));
        command.arg("-D").arg(self.data()).arg("status").current_dir("/").stdout(Stdio::null()).stderr(Stdio::null());
        run_as(&mut command, self.user);
        command.status().is_ok_and(|status| status.success())
    }

    /// The id of its main process.
    ///
    /// # Panics
    ///
    /// If it is not running.
    pub fn process(&self) -> u32 {
        let text = fs::read_to_string(self.folder.join("data/postmaster.pid")).expect("the server runs");
        text.lines().next().and_then(|line| line.parse().ok()).expect("the number of a process")
    }

    /// Sends SIGKILL to the server. Its other processes notice and exit.
    ///
    /// # Panics
    ///
    /// If it is not running.
    pub fn kill(&self) {
        let number = self.process().to_string();
        let killed = Command::new("kill").args(["-9", &number]).status();
        assert!(killed.is_ok_and(|status| status.success()), "the process {number} is not killed");
        // The process id is taken until the new parent reaps it, and no server can start before.
        let is_there = || {
            let asked = Command::new("kill").args(["-0", &number]).stderr(Stdio::null()).status();
            asked.is_ok_and(|status| status.success())
        };
        while is_there() {
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Stops it at once and rolls back what is running.
    pub fn stop(&self) {
        self.run("pg_ctl", &["-m", "fast", "-w", "stop"]);
    }

    /// Creates and starts a standby. From then on, commits wait for the standby.
    #[must_use]
    pub fn standby(&self) -> Self {
        let standby = Self::new(self.durability);
        let source = self.folder.to_string_lossy();
        standby.run("pg_basebackup", &["-h", &source, "-U", "postgres", "-c", "fast", "-X", "stream", "-R"]);
        standby.restart();
        let database = self.url("postgres");
        crate::execute(&database, "ALTER SYSTEM SET synchronous_standby_names = '*'");
        crate::execute(&database, "SELECT pg_reload_conf()");
        standby
    }

    /// Promotes a standby to primary.
    pub fn promote(&self) {
        self.run("pg_ctl", &["-w", "promote"]);
        let database = self.url("postgres");
        crate::execute(&database, "ALTER SYSTEM SET synchronous_standby_names = ''");
        crate::execute(&database, "SELECT pg_reload_conf()");
    }

    /// The URL of a fresh, empty database, as the role that owns it.
    pub fn database(&self) -> String {
        self.database_like("template0")
    }

    /// The URL of a fresh copy of a database, as the role that owns it.
    pub(crate) fn database_like(&self, template: &str) -> String {
        let name = format!("test_{}", self.databases.fetch_add(1, Ordering::Relaxed));
        crate::execute(&self.url("postgres"), &format!("CREATE DATABASE {name} TEMPLATE {template}"));
        self.url(&name)
    }

    /// The URL of a database, as the role that owns it.
    pub fn url(&self, database: &str) -> String {
        format!("postgres://postgres@{}/{database}", self.host())
    }

    /// The URL of a database on this server or the other one, whichever accepts writes.
    pub fn url_with(&self, other: &Self, database: &str) -> String {
        let (one, two) = (self.host(), other.host());
        format!("postgres://postgres@{one},{two}/{database}?target_session_attrs=read-write")
    }

    fn new(durability: Durability) -> Self {
        let programs = binaries::folder().expect("PostgreSQL is not installed");
        let (memory, needed) = MEMORY;
        let has_space = || fs4::available_space(memory).is_ok_and(|space| space >= needed);
        let is_in_memory = durability == Durability::None && has_space();
        let parent = if is_in_memory { PathBuf::from(memory) } else { env::temp_dir() };
        let folder =
            tempfile::Builder::new().prefix("postgres-").tempdir_in(parent).expect("a temporary folder").keep();
        let user = other_user(&folder);
        if let Some((user, group)) = user {
            chown(&folder, Some(user), Some(group)).expect("the folder is given to another user");
        }
        let mut cleaner = Command::new("/bin/sh");
        cleaner.args(["-c", CLEAN, "sh"]).arg(&programs).arg(&folder);
        cleaner.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).current_dir("/");
        run_as(&mut cleaner, user);
        let cleaner = cleaner.spawn().expect("a shell");
        Self { programs, folder, durability, user, databases: AtomicU32::new(0), _cleaner: cleaner }
    }

    fn host(&self) -> String {
        self.folder.display().to_string().replace('/', "%2F")
    }

    fn run(&self, program: &str, arguments: &[&str]) {
        self.run_with(program, arguments, &[]);
    }

    fn run_with(&self, program: &str, arguments: &[&str], variables: &[(&str, PathBuf)]) {
        let log = self.folder.join(format!("{program}.log"));
        let mut command = Command::new(self.programs.join(program));
        command.arg("-D").arg(self.folder.join("data")).args(arguments).current_dir(&self.folder);
        // A server keeps inherited descriptors open, so a pipe would never end.
        let file = fs::File::create(&log).expect("a log");
        command.stdin(Stdio::null()).stdout(file.try_clone().expect("a log")).stderr(file);
        run_as(&mut command, self.user);
        command.envs(variables.iter().map(|(name, value)| (name, value)));
        let status = command.status();
        let logs = || [&log, &self.log()].map(|log| fs::read_to_string(log).unwrap_or_default()).concat();
        assert!(status.is_ok_and(|status| status.success()), "{program} fails: {}", logs());
    }
}

/// A server refuses to run as root.
fn run_as(command: &mut Command, user: Option<(u32, u32)>) {
    if let Some((user, group)) = user {
        command.uid(user).gid(group);
    }
}

/// The user and group to run as instead of root; the folder is given to them.
fn other_user(folder: &Path) -> Option<(u32, u32)> {
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
