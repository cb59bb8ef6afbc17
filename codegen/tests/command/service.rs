//! A mock of the real binary, and requests to it.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use reqwest::header::HeaderMap;
use serde_json::Value;

use crate::folder::Folder;

/// Pets, with parameters in several styles, forms, examples, a link and credentials.
pub(crate) const PETS: &str = include_str!("pets.yaml");

/// A running mock.
pub(crate) struct Mock {
    child: Child,
    /// The address that it has printed.
    pub(crate) url: String,
    /// The `curl` line that it has printed.
    pub(crate) curl: String,
}

/// An answer.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl Mock {
    /// Starts `specwright mock` with the arguments in the folder, on a free port.
    pub(crate) fn start(folder: &Folder, arguments: &str) -> Self {
        Self::start_at("127.0.0.1:0", folder, arguments)
    }

    /// The same with another address to listen on.
    pub(crate) fn start_at(address: &str, folder: &Folder, arguments: &str) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_specwright"))
            .args(["mock", "--listen", address])
            .args(arguments.split_whitespace())
            .current_dir(folder.path(""))
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        let url = lines.next().unwrap().strip_prefix("listening on ").unwrap().to_owned();
        let curl = lines.next().unwrap();
        Self { child, url, curl }
    }

    /// Sends a request with headers and a body.
    pub(crate) async fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        // The client wants one, although it speaks plain HTTP here.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let method = method.parse().unwrap();
        let mut request = reqwest::Client::new().request(method, format!("{}{path}", self.url));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let response = request.body(body.to_owned()).send().await.unwrap();
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        Answer { status, headers, text: response.text().await.unwrap() }
    }

    /// Sends a GET request.
    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.send("GET", path, &[], "").await
    }
}

impl Drop for Mock {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Answer {
    /// The body as JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap()
    }

    /// The violations of a problem document: where each is, and its rule.
    pub(crate) fn errors(&self) -> Vec<String> {
        assert_eq!(self.headers["content-type"], "application/problem+json", "{}", self.text);
        let json = self.json();
        let text = |error: &Value, name: &str| error[name].as_str().unwrap_or_default().to_owned();
        let errors = json["errors"].as_array().into_iter().flatten();
        errors
            .map(|error| {
                let place = text(error, "in") + " " + &text(error, "name") + &text(error, "pointer");
                format!("{} {}", place.trim_end(), text(error, "code"))
            })
            .collect()
    }
}
