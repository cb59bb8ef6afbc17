//! A caller of a server of tools, over its standard input and output.

use std::process::Stdio;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

/// A running server.
pub(crate) struct Caller {
    process: Child,
    input: ChildStdin,
    output: Lines<BufReader<ChildStdout>>,
    next: u64,
}

impl Caller {
    /// Starts a program and greets it.
    pub(crate) async fn start(program: &str, options: &[&str], environment: &[(&str, &str)]) -> Self {
        let mut process = Command::new(program)
            .args(options)
            .envs(environment.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("the program starts");
        let input = process.stdin.take().expect("an input");
        let output = BufReader::new(process.stdout.take().expect("an output")).lines();
        let mut caller = Self { process, input, output, next: 0 };
        let client = json!({ "name": "test", "version": "1" });
        let greeting = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client });
        let answer = caller.ask("initialize", greeting).await;
        assert!(answer["result"]["capabilities"]["tools"].is_object(), "{answer}");
        caller.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
        caller
    }

    /// The tools.
    pub(crate) async fn tools(&mut self) -> Vec<Value> {
        let answer = self.ask("tools/list", json!({})).await;
        answer["result"]["tools"].as_array().expect("a list").clone()
    }

    /// The result of a call.
    pub(crate) async fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.ask("tools/call", json!({ "name": tool, "arguments": arguments })).await;
        answer.get("result").unwrap_or_else(|| panic!("{answer}")).clone()
    }

    /// The text of a call that fails.
    pub(crate) async fn refused(&mut self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments).await;
        assert_eq!(result["isError"], json!(true), "{result}");
        text(&result)
    }

    /// The answer to a request.
    pub(crate) async fn ask(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = self.next;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })).await;
        loop {
            let line = self.output.next_line().await.expect("it can be read").expect("the server answers");
            let message: Value = serde_json::from_str(&line).expect("JSON");
            if message["id"] == json!(id) {
                return message;
            }
        }
    }

    /// Ends the server, and returns what it wrote to its standard error.
    pub(crate) async fn end(self) -> String {
        let Self { mut process, input, output, .. } = self;
        drop(input);
        let mut errors = String::new();
        process.stderr.take().expect("an output").read_to_string(&mut errors).await.expect("UTF-8");
        drop(output);
        assert!(process.wait().await.expect("it ends").success(), "{errors}");
        errors
    }

    async fn send(&mut self, message: &Value) {
        self.input.write_all(format!("{message}\n").as_bytes()).await.expect("it is read");
    }
}

/// All texts of a result.
pub(crate) fn text(result: &Value) -> String {
    let content = result["content"].as_array().expect("content");
    content.iter().filter_map(|block| block["text"].as_str()).collect::<Vec<_>>().join("\n")
}
