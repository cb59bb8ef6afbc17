//! Headless Chromium, controlled over pipes with the DevTools protocol.

use std::{
    io::{BufRead as _, BufReader, Write as _},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use serde_json::{Value, json};
use tempfile::TempDir;

const PROGRAM: &str = "/usr/bin/chromium";

/// The browser reads the protocol from descriptor 3 and writes it to 4; its own output is discarded.
const START: &str = "exec \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1";

const FLAGS: [&str; 9] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--remote-debugging-pipe",
];

/// A browser with one page. Dropping it ends it. Every call blocks, so it needs its own thread.
pub(crate) struct Browser {
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    session: Option<String>,
    last: u64,
    /// The events received so far: `method` and `params`.
    pub(crate) events: Vec<Value>,
    process: Child,
    _profile: TempDir,
}

impl Browser {
    /// Starts a browser with an empty page; `None` if this machine has none.
    pub(crate) fn start() -> Option<Self> {
        if !Path::new(PROGRAM).exists() {
            eprintln!("skipped: there is no {PROGRAM}");
            return None;
        }
        let profile = tempfile::tempdir().expect("a temporary folder");
        let mut process = Command::new("sh")
            .args(["-c", START, "sh", PROGRAM])
            .args(FLAGS)
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a shell");
        let input = process.stdin.take().expect("piped");
        let output = BufReader::new(process.stdout.take().expect("piped"));
        let (session, events) = (None, Vec::new());
        let mut browser = Self { input, output, session, last: 0, events, process, _profile: profile };
        let target = browser.call("Target.createTarget", &json!({ "url": "about:blank" }));
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let attached = browser.call("Target.attachToTarget", &attach);
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Network", "Log", "Runtime"] {
            browser.call(&format!("{domain}.enable"), &json!({}));
        }
        Some(browser)
    }

    /// Opens an address.
    pub(crate) fn open(&mut self, url: &str) {
        let opened = self.call("Page.navigate", &json!({ "url": url }));
        assert_eq!(opened["errorText"], Value::Null, "{url}");
    }

    /// Runs JavaScript in the page, and returns its result.
    pub(crate) fn run(&mut self, script: &str) -> Value {
        let script = format!("(async () => {{ {script} }})()");
        let evaluate = json!({ "expression": script, "awaitPromise": true, "returnByValue": true });
        let answer = self.call("Runtime.evaluate", &evaluate);
        assert_eq!(answer["exceptionDetails"], Value::Null, "{script}");
        answer["result"]["value"].clone()
    }

    /// Calls a method of the protocol.
    pub(crate) fn call(&mut self, method: &str, params: &Value) -> Value {
        self.last += 1;
        let mut message = json!({ "id": self.last, "method": method, "params": params });
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        self.input.write_all(format!("{message}\0").as_bytes()).expect("written");
        loop {
            let mut answer = Vec::new();
            self.output.read_until(0, &mut answer).expect("read");
            let mut answer: Value =
                serde_json::from_slice(answer.strip_suffix(b"\0").expect("the browser runs")).expect("JSON");
            if answer["id"] == self.last {
                assert_eq!(answer["error"], Value::Null, "{method}");
                return answer["result"].take();
            }
            self.events.push(answer);
        }
    }

    /// A member of every event with this method.
    pub(crate) fn told(&self, method: &str, pointer: &str) -> Vec<String> {
        let events = self.events.iter().filter(|event| event["method"] == method);
        events.map(|event| event["params"].pointer(pointer).map(Value::to_string).unwrap_or_default()).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // It may have exited already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
