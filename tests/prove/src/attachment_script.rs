//! A script of uploads and downloads with faults underneath.

mod examine;

use std::net::SocketAddr;

use anyhow::{Context as _, Result};

use crate::{
    caller::{Answers, Caller},
    connection::{Answer, get, send_json},
    data,
    files::{attach, upload, with_header},
};

/// The object of the attachments.
const OBJECT: &str = "/v2/system/attachments/1/101";
/// Larger files are sent to a bucket in parts.
const PART: usize = 8 << 20;

/// The results of the rounds.
#[derive(Default)]
pub struct Tally {
    /// The results of every request except downloads.
    pub answers: Answers,
    /// The results of downloads; truncated ones are detected.
    pub downloads: Answers,
    /// Downloads that looked complete but had wrong bytes.
    pub wrong: u64,
    /// Uploads answered 200 whose file is missing or wrong.
    pub lost: u64,
    /// Uploads answered with an error that are listed.
    pub ghosts: u64,
    /// Uploads that were missing after a repeat with the same key.
    pub unrepeated: u64,
    /// Deletions that were refused, or not done.
    pub undeleted: u64,
    /// Requests that failed without a fault.
    pub unrecovered: u64,
    /// The remaining attachments: ids and bytes.
    pub kept: Vec<(u64, Vec<u8>)>,
}

/// A round of the script.
pub struct Round<'a> {
    caller: Caller,
    token: &'a str,
    files: Vec<File>,
    /// The name of the deleted one.
    deleted: Option<String>,
}

struct File {
    name: String,
    bytes: Vec<u8>,
    /// For a file attached by alias: the upload request, and its response.
    temporary: Option<(Vec<u8>, Option<Answer>)>,
    /// The request that attaches it; `None` until its alias is known.
    request: Option<Vec<u8>>,
    answer: Option<Answer>,
}

impl<'a> Round<'a> {
    /// Uploads files unique to this round, lists and downloads them, and deletes one, while faults occur.
    pub fn run(address: SocketAddr, token: &'a str, n: &str, tally: &mut Tally) -> Result<Self> {
        let mut round = Self { caller: Caller::new(address), token, files: Vec::new(), deleted: None };
        let small = data::file(n);
        let picture = [data::picture(16)?, small.clone()].concat();
        let large = small.repeat((PART + 100_000) / small.len());
        for (name, bytes) in [("small", small.clone()), ("again", small), ("large", large), ("picture", picture)] {
            let name = format!("{n}-{name}");
            let request = upload(OBJECT, token, "formFile", name.as_bytes(), "text/plain", &bytes);
            let request = with_header(request, "idempotency-key", &name);
            let answer = round.caller.send(&request, &mut tally.answers);
            round.files.push(File { name, bytes, temporary: None, request: Some(request), answer });
        }

        let (name, bytes) = (format!("{n}-form"), format!("form of {n}").into_bytes());
        let keep = upload("/v2/system/attachments/1", token, "File", name.as_bytes(), "text/plain", &bytes);
        let keep = with_header(keep, "idempotency-key", &format!("{name}-kept"));
        let kept = round.caller.send(&keep, &mut tally.answers);
        let mut file = File { name, bytes, temporary: Some((keep, kept)), request: None, answer: None };
        file.know_alias(token);
        file.answer = file.request.as_ref().and_then(|request| round.caller.send(request, &mut tally.answers));
        round.files.push(file);

        round.caller.send(&get(&format!("{OBJECT}?PageSize=5"), token), &mut tally.answers);
        for file in round.files.iter().filter(|file| file.is_acknowledged()) {
            let id = file.id().context("an attachment has an id")?;
            let answer = download(&mut round.caller, token, id, &mut tally.downloads);
            tally.wrong += u64::from(answer.is_some_and(|answer| answer.status < 300 && answer.body != file.bytes));
            if file.bytes.len() > PART {
                let (first, last) = (PART - 1000, PART + 1000);
                let request = get(&format!("{OBJECT}/{id}/download"), token);
                let request = with_header(request, "range", &format!("bytes={first}-{last}"));
                let answer = round.caller.send(&request, &mut tally.downloads);
                let is_wrong = |answer: Answer| answer.status < 300 && answer.body != file.bytes[first..=last];
                tally.wrong += u64::from(answer.is_some_and(is_wrong));
            } else if file.name.ends_with("picture") {
                let request = get(&format!("{OBJECT}/{id}/download?width=8"), token);
                round.caller.send(&request, &mut tally.downloads);
            }
        }

        // One of two files with the same bytes; the other one stays.
        if round.files[1].is_acknowledged() {
            let again = round.files.remove(1);
            let path = format!("{OBJECT}/{}", again.id().context("an attachment has an id")?);
            let answer = round.caller.send(&send_json("DELETE", &path, token, "", ""), &mut tally.answers);
            tally.undeleted += u64::from(answer.is_none_or(|answer| answer.status != 200));
            round.deleted = Some(again.name);
        }
        Ok(round)
    }
}

impl File {
    fn is_acknowledged(&self) -> bool {
        self.answer.as_ref().is_some_and(|answer| answer.status == 200)
    }

    fn id(&self) -> Option<u64> {
        self.answer.as_ref()?.json().ok()?["Result"][0]["Id"].as_u64()
    }

    /// Takes the alias from the response of its upload.
    fn know_alias(&mut self, token: &str) {
        let alias = self.temporary.as_ref().and_then(|(_, answer)| alias(answer.as_ref()));
        let request = alias.map(|alias| with_header(attach(OBJECT, token, &alias), "idempotency-key", &self.name));
        self.request = request.or(self.request.take());
    }
}

/// Downloads a complete attachment.
pub fn download(caller: &mut Caller, token: &str, id: u64, answers: &mut Answers) -> Option<Answer> {
    caller.send(&get(&format!("{OBJECT}/{id}/download"), token), answers)
}

fn alias(answer: Option<&Answer>) -> Option<String> {
    answer?.json().ok()?["Result"]["Alias"].as_str().map(str::to_owned)
}
