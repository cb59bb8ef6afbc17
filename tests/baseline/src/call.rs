//! Calls of one operation, one after the other.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};

/// A client with a method for each operation.
pub trait Caller {
    async fn ping(&self) -> Result<()>;
    async fn list(&self) -> Result<()>;
    async fn create(&self) -> Result<()>;
    async fn search(&self) -> Result<()>;
    async fn download(&self) -> Result<()>;
    async fn upload(&self) -> Result<()>;
}

/// The number of calls in a time.
pub async fn repeat(time: Duration, caller: impl Caller, operation: &str) -> Result<u64> {
    let begin = Instant::now();
    let mut calls = 0;
    while begin.elapsed() < time {
        match operation {
            "ping" => caller.ping().await?,
            "list" => caller.list().await?,
            "create" => caller.create().await?,
            "search" => caller.search().await?,
            "download" => caller.download().await?,
            "upload" => caller.upload().await?,
            _ => bail!("`{operation}` is not an operation"),
        }
        calls += 1;
    }
    Ok(calls)
}
