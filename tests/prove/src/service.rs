//! The service as a process: started, watched, stopped and killed.

use std::{
    fmt::Display,
    io::{BufRead as _, BufReader, Read},
    net::SocketAddr,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex, PoisonError, mpsc},
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, bail, ensure};

/// How a service is started.
#[derive(Clone, Debug, Default)]
pub struct Start {
    variables: Vec<(String, String)>,
}

/// A running service. Dropping it kills it.
pub struct Service {
    child: Child,
    /// The address it listens on.
    pub address: SocketAddr,
    /// From process start to listening.
    pub start: Duration,
    log: Arc<Mutex<Vec<String>>>,
}

impl Start {
    /// Sample data in a new store, without a rate limit: most proofs exceed it.
    pub fn new() -> Self {
        Self::default().with("SERVICE_SAMPLE", "true").with("SERVICE_LIMITS__CALLS_PER_HOUR", "0")
    }

    /// Uses a database, as a role that does not own it.
    #[must_use]
    pub fn on(self, database: &str) -> Self {
        self.with("SERVICE_STORE", tests_postgres::for_service(database)).with("SERVICE_STORE_OWNER", database)
    }

    /// Sets a setting by environment variable: `SERVICE_LIMITS__BODY_BYTES`.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Display) -> Self {
        self.variables.push((name.to_owned(), value.to_string()));
        self
    }

    /// Starts the service on a data folder and a free port, and waits until it listens.
    pub fn run(&self, data: &Path) -> Result<Service> {
        let begin = Instant::now();
        let mut child = self
            .command(data, &[])?
            .args(["--listen", "127.0.0.1:0"])
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .context("the service starts")?;
        let log = Arc::new(Mutex::new(Vec::new()));
        let (sender, receiver) = mpsc::channel();
        let lines = child.stderr.take().context("a pipe")?;
        let kept = Arc::clone(&log);
        // Read to the end: a full pipe would block the service.
        std::thread::spawn(move || collect(lines, &kept, &sender));
        let Ok(address) = receiver.recv_timeout(Duration::from_mins(1)) else {
            let _ = child.kill();
            let log = log.lock().unwrap_or_else(PoisonError::into_inner).join("\n");
            bail!("the service does not say where it listens:\n{log}");
        };
        Ok(Service { child, address, start: begin.elapsed(), log })
    }

    /// Runs a command of the program on a data folder: `token create`, `check`.
    pub fn command(&self, data: &Path, arguments: &[&str]) -> Result<Command> {
        let mut command = Command::new(program()?);
        command.arg("--data").arg(data).args(arguments).env("NO_COLOR", "1");
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        Ok(command)
    }

    /// A new token with every right.
    pub fn token(&self, data: &Path) -> Result<String> {
        self.token_with(data, &["--all"])
    }

    /// A new token; `arguments` follow `token create NAME` and define its rights.
    pub fn token_with(&self, data: &Path, arguments: &[&str]) -> Result<String> {
        let output = self.command(data, &["token", "create", "prove"])?.args(arguments).output()?;
        ensure!(output.status.success(), "no token: {}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout)?;
        let token = text.split_whitespace().find(|word| word.starts_with("bms_"));
        token.map(str::to_owned).context("`token create` printed no token")
    }
}

/// The program, in the same folder as this one.
pub fn program() -> Result<PathBuf> {
    let own = std::env::current_exe()?;
    let folder = own.parent().context("the program stands in a folder")?;
    let program = folder.join("service").with_extension(std::env::consts::EXE_EXTENSION);
    ensure!(program.exists(), "{} is not built", program.display());
    Ok(program)
}

impl Service {
    /// The process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Resident memory, in bytes.
    pub fn memory(&self) -> Result<u64> {
        self.status("VmRSS:")
    }

    /// Peak resident memory in bytes.
    pub fn peak_memory(&self) -> Result<u64> {
        self.status("VmHWM:")
    }

    fn status(&self, name: &str) -> Result<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.id()))
            .context("memory is read from /proc, which only Linux has")?;
        let line = status.lines().find_map(|line| line.strip_prefix(name)).context("the process has memory")?;
        Ok(line.trim().trim_end_matches("kB").trim().parse::<u64>()? << 10)
    }

    /// Number of open files, including sockets.
    pub fn open_files(&self) -> Result<usize> {
        Ok(std::fs::read_dir(format!("/proc/{}/fd", self.id()))?.count())
    }

    /// Processor time used so far, user and system.
    pub fn processor_time(&self) -> Result<Duration> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.id()))?;
        let (_, fields) = stat.rsplit_once(") ").context("a name in parentheses")?;
        let ticks: Vec<u64> = fields.split(' ').skip(11).take(2).filter_map(|ticks| ticks.parse().ok()).collect();
        // A tick is a hundredth of a second on every Linux.
        Ok(Duration::from_millis(ticks.iter().sum::<u64>() * 10))
    }

    /// Every line of its log so far.
    pub fn log(&self) -> Vec<String> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Sends SIGKILL: no handler runs, nothing is flushed.
    pub fn kill(mut self) -> Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }

    /// Sends SIGTERM and waits for the exit; returns whether it was successful, and its duration.
    pub fn stop(mut self) -> Result<(bool, Duration)> {
        let begin = Instant::now();
        Command::new("kill").arg(self.id().to_string()).status().context("`kill` is there")?;
        let status = self.child.wait()?;
        Ok((status.success(), begin.elapsed()))
    }

    /// Whether the process is running.
    pub fn is_alive(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn collect(lines: impl Read, kept: &Mutex<Vec<String>>, address: &mpsc::Sender<SocketAddr>) {
    for line in BufReader::new(lines).lines().map_while(Result::ok) {
        // The address ends a text line; in JSON, a quotation mark follows.
        let found = line.split_once("listening on http://").and_then(|(_, found)| found.split('"').next());
        if let Some(found) = found.and_then(|found| found.trim().parse().ok()) {
            let _ = address.send(found);
        }
        kept.lock().unwrap_or_else(PoisonError::into_inner).push(line);
    }
}
