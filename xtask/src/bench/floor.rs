//! The limits of the machine: HTTP without work, and sequential durable writes.

use std::{
    fs::File,
    io::{BufRead as _, BufReader, Write as _},
    net::SocketAddr,
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result};
use axum::{Router, http::header, routing::get};

/// A server process that sends the same bytes to every request.
pub(super) struct Floor {
    child: Child,
    pub(super) id: u32,
    pub(super) address: SocketAddr,
}

impl Floor {
    pub(super) fn start(program: &Path, bytes: usize) -> Result<Self> {
        let mut child =
            Command::new(program).args(["bench-floor", &bytes.to_string()]).stdout(Stdio::piped()).spawn()?;
        let mut line = String::new();
        BufReader::new(child.stdout.take().context("a pipe")?).read_line(&mut line)?;
        Ok(Self { id: child.id(), address: line.trim().parse()?, child })
    }
}

impl Drop for Floor {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Serves this many bytes on a free port, which it prints; runs until it is killed.
pub(crate) fn serve(bytes: usize) -> Result<()> {
    let body = vec![b'x'; bytes];
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
        println!("{}", listener.local_addr()?);
        let answer = get(|| async move { ([(header::CONTENT_TYPE, "application/json")], body) });
        Ok(axum::serve(listener, Router::new().route("/", answer)).await?)
    })
}

/// Writes of 4 KiB, each flushed to disk before the next.
pub(super) fn commits_per_second(path: &Path, time: Duration) -> Result<f64> {
    let mut file = File::create(path)?;
    let page = [7_u8; 4096];
    let begin = Instant::now();
    let mut commits = 0_u32;
    while begin.elapsed() < time {
        file.write_all(&page)?;
        file.sync_data()?;
        commits += 1;
    }
    Ok(f64::from(commits) / begin.elapsed().as_secs_f64())
}
