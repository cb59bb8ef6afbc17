//! A program that is run as a person or a script runs it.

use std::process::Stdio;

use serde_json::Value;
use tokio::io::AsyncWriteExt;
use tokio::process::Command;

/// What a program printed, and its exit code.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    /// The output of a success as JSON.
    #[allow(dead_code, reason = "the tests of the other program compare texts")]
    pub(crate) fn json(&self) -> Value {
        assert_eq!(self.code, Some(0), "{self:?}");
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

/// Runs a program with these words and variables; `input` is its standard input.
pub(crate) async fn run(program: &str, words: &[&str], environment: &[(&str, &str)], input: &str) -> Run {
    let mut process = Command::new(program)
        .args(words)
        .env_clear()
        .envs(environment.iter().copied())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .expect("the program starts");
    let mut stdin = process.stdin.take().expect("an input");
    // The program may not read it.
    let _ = stdin.write_all(input.as_bytes()).await;
    drop(stdin);
    let output = process.wait_with_output().await.expect("it ends");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    Run { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}
