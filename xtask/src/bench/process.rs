//! The service and its peers as processes: started, watched and stopped.

use std::{
    io::{BufRead as _, BufReader},
    net::{SocketAddr, TcpListener},
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, bail, ensure};

use super::{
    load::{self, Request},
    place::Settings,
};

/// A running service on an empty or existing folder of data.
pub(super) struct Service {
    child: Child,
    /// The address it listens on.
    pub(super) address: SocketAddr,
    /// A token with every right.
    pub(super) token: String,
    /// From process start to the first response.
    pub(super) start: Duration,
}

impl Service {
    /// Starts the service and waits for the first response.
    pub(super) fn start(settings: &Settings) -> Result<Self> {
        let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
        let begin = Instant::now();
        let child = settings
            .service()?
            .args(["--listen", &address.to_string(), "--log", "info"])
            .env("SERVICE_SAMPLE", "true")
            // The measurement must not hit the rate limit.
            .env("SERVICE_LIMITS__CALLS_PER_HOUR", "0")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let ready = Request::get("/healthz", "");
        while load::answer(address, &ready).is_err() {
            ensure!(begin.elapsed() < Duration::from_secs(30), "the service did not answer within 30 s");
            std::thread::sleep(Duration::from_millis(1));
        }
        let start = begin.elapsed();
        let token = token(settings)?;
        Ok(Self { child, address, token, start })
    }

    /// The process id.
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

    /// Kills the process.
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

/// The handwritten service, running.
pub(super) struct Peer {
    child: Child,
    /// The address it listens on.
    pub(super) address: SocketAddr,
}

impl Peer {
    pub(super) fn start(program: &Path, settings: &Settings) -> Result<Self> {
        let mut child = Command::new(program).arg(settings.address()).stdout(Stdio::piped()).spawn()?;
        let mut line = String::new();
        BufReader::new(child.stdout.take().context("a pipe")?).read_line(&mut line)?;
        Ok(Self { address: line.trim().parse().context("the handwritten service does not start")?, child })
    }

    /// The process id.
    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn token(settings: &Settings) -> Result<String> {
    let output = settings.service()?.args(["token", "create", "bench", "--all"]).output()?;
    ensure!(output.status.success(), "no token: {}", String::from_utf8_lossy(&output.stderr));
    for line in BufReader::new(output.stdout.as_slice()).lines() {
        let line = line?;
        if let Some(token) = line.split_whitespace().find(|word| word.starts_with("bms_")) {
            return Ok(token.to_owned());
        }
    }
    bail!("`token create` printed no token")
}

/// The peak of the resident memory of a process; `None` if it has ended.
pub(super) fn peak_memory_mib(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches("kB").trim().parse::<u64>().ok().map(|kib| kib / 1024)
}

/// User and system time of a process so far.
pub(super) fn cpu(process: u32) -> Result<Duration> {
    Ok(times(process)?.1)
}

/// User and system time of the exited children of this process, and of theirs.
pub(super) fn cpu_of_ended() -> Result<Duration> {
    Ok(times(std::process::id())?.2)
}

/// User and system time of a process and its descendants, including those that have exited.
pub(super) fn cpu_of_all(process: u32) -> Result<Duration> {
    let mut sum = Duration::ZERO;
    for entry in std::fs::read_dir("/proc")? {
        let Some(other) = entry?.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        // A process that has just exited is counted by its parent.
        let Ok((parent, own, ended)) = times(other) else { continue };
        if other == process {
            sum += own + ended;
        } else if parent == process {
            sum += own;
        }
    }
    Ok(sum)
}

/// The parent of a process, its user and system time so far, and that of its exited children.
fn times(process: u32) -> Result<(u32, Duration, Duration)> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat"))
        .context("processor time is read from /proc, which only Linux has")?;
    // The name in parentheses may contain spaces; the fields after it do not.
    let fields: Vec<u64> = stat
        .rsplit(')')
        .next()
        .unwrap_or_default()
        .split_whitespace()
        .map(|field| field.parse().unwrap_or(0))
        .collect();
    let [_, parent, ..] = fields.as_slice() else { bail!("{stat} is of no known format") };
    let ticks = fields.get(11..15).context("a known format")?;
    // USER_HZ is 100 on every Linux that Rust runs on.
    let time = |ticks: &[u64]| Duration::from_millis(ticks.iter().sum::<u64>() * 10);
    Ok((u32::try_from(*parent)?, time(&ticks[..2]), time(&ticks[2..])))
}
