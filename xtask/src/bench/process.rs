//! The service as a process of its own: started, watched and stopped.

use std::{
    io::{BufRead as _, BufReader},
    net::{SocketAddr, TcpListener},
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, bail, ensure};

use super::load::{self, Request};

/// A running service on an empty or existing folder of data.
pub(super) struct Service {
    child: Child,
    /// Where it listens.
    pub(super) address: SocketAddr,
    /// A token with every right.
    pub(super) token: String,
    /// From the start of the process to its first answer.
    pub(super) start: Duration,
}

impl Service {
    /// Starts the program and waits for its first answer.
    pub(super) fn start(program: &Path, data: &Path) -> Result<Self> {
        let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
        let begin = Instant::now();
        let child = Command::new(program)
            .args(["--listen", &address.to_string(), "--log", "info"])
            .arg("--data")
            .arg(data)
            .env("SERVICE_SAMPLE", "true")
            // It is to be measured, not to be asked to wait.
            .env("SERVICE_LIMITS__CALLS_PER_HOUR", "0")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let ready = Request::get("/healthz", "");
        while load::answer_bytes(address, &ready).is_err() {
            ensure!(begin.elapsed() < Duration::from_secs(30), "the service did not answer within 30 s");
            std::thread::sleep(Duration::from_millis(1));
        }
        let start = begin.elapsed();
        let token = token(program, data)?;
        Ok(Self { child, address, token, start })
    }

    /// The number of the process.
    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Resident memory.
    pub(super) fn memory_kib(&self) -> Result<u64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.id()))
            .context("memory is read from /proc, which only Linux has")?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("the process has memory")?;
        Ok(line.trim().trim_end_matches("kB").trim().parse()?)
    }

    /// Ends the process.
    pub(super) fn stop(mut self) -> Result<()> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn token(program: &Path, data: &Path) -> Result<String> {
    let output = Command::new(program).arg("--data").arg(data).args(["token", "create", "bench", "--all"]).output()?;
    ensure!(output.status.success(), "no token: {}", String::from_utf8_lossy(&output.stderr));
    for line in BufReader::new(output.stdout.as_slice()).lines() {
        let line = line?;
        if let Some(token) = line.split_whitespace().find(|word| word.starts_with("bms_")) {
            return Ok(token.to_owned());
        }
    }
    bail!("`token create` printed no token")
}

/// User and system time of a process so far.
pub(super) fn cpu(process: u32) -> Result<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat"))
        .context("processor time is read from /proc, which only Linux has")?;
    // The name in parentheses may hold blanks; the fields behind it do not.
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks: u64 = fields.get(11..13).context("a known format")?.iter().map(|ticks| ticks.parse().unwrap_or(0)).sum();
    // USER_HZ is 100 on every Linux that Rust runs on.
    Ok(Duration::from_millis(ticks * 10))
}
