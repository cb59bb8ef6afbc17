//! A script of 40 requests with faults underneath, and a check of its results.

use anyhow::{Context as _, Result};

use crate::{
    caller::{Answers, Caller},
    connection::{Answer, Connection, get, send_json},
    data,
    files::upload,
    service::Service,
};

/// The results of the rounds.
#[derive(Default)]
pub struct Tally {
    /// The results of every request.
    pub answers: Answers,
    /// Writes answered 200 that are missing.
    pub lost: u64,
    /// Writes answered with an error that exist.
    pub ghosts: u64,
    /// Accounts with a key that exist twice or not at all, although the request was repeated after an error.
    pub unrepeated: u64,
    /// Rounds after which a write failed without a fault.
    pub unrecovered: u64,
}

/// Runs the script: 40 requests on one connection, then a check without faults.
pub fn round(service: &Service, token: &str, n: &str, tally: &mut Tally) -> Result<()> {
    let mut caller = Caller::new(service.address);
    let mut accounts = Vec::new();
    let mut files = Vec::new();
    for part in 0..4 {
        for number in 0..3 {
            let name = format!("Round {n} account {part}.{number}");
            let key = format!("idempotency-key: {n}-{part}-{number}\r\n");
            let request = send_json("POST", "/v2/crm/accounts", token, &key, &data::account(&name));
            let answer = caller.send(&request, &mut tally.answers);
            accounts.push((name, request, answer));
        }
        let bytes = format!("content {n} {part}").repeat(if part == 0 { 600_000 } else { 10 }).into_bytes();
        let name = format!("{n}-{part}.txt");
        let request = upload("/v2/system/attachments/1/101", token, "formFile", name.as_bytes(), "text/plain", &bytes);
        files.push((bytes, caller.send(&request, &mut tally.answers)));
        let request = upload("/v2/system/attachments/1", token, "File", name.as_bytes(), "text/plain", name.as_bytes());
        caller.send(&request, &mut tally.answers);
        let settings = format!(r#"{{"ModuleId":1,"Settings":{{"Round":"{n}.{part}"}}}}"#);
        caller.send(&send_json("PUT", "/v2/admin/companysettings", token, "", &settings), &mut tally.answers);
        let patch = format!(r#"[{{"op":"replace","path":"/Description","value":"Round {n}.{part}"}}]"#);
        caller.send(&send_json("PATCH", "/v2/crm/accounts/102", token, "", &patch), &mut tally.answers);
        caller.send(&get("/v2/crm/accounts/summary/101", token), &mut tally.answers);
        caller.send(&get("/v2/system/attachments/1/101?PageSize=5", token), &mut tally.answers);
        caller.send(&get("/v2/crm/contacts/summary?PageSize=5", token), &mut tally.answers);
    }

    // A pending fault must not affect the check.
    let mut unfaulted = Answers::default();
    for (name, request, answer) in accounts {
        let filter = name.replace(' ', "%20");
        let path = format!("/v2/crm/accounts/summary?PageSize=1&Filter.AccountName={filter}");
        let mut count = |caller: &mut Caller| {
            let listed = retried(caller, &get(&path, token), &mut unfaulted);
            listed.map(|listed| listed.json()?["TotalRecords"].as_u64().context("a total")).transpose()
        };
        let Some(before) = count(&mut caller)? else { continue };
        match answer.map(|answer| answer.status) {
            Some(200) if before == 0 => tally.lost += 1,
            Some(status) if status >= 400 => {
                tally.ghosts += before;
                let again = caller.send(&request, &mut tally.answers);
                let is_once = again.is_some_and(|again| again.status == 200) && count(&mut caller)? == Some(1);
                tally.unrepeated += u64::from(!is_once);
            }
            _ => {}
        }
    }
    for (bytes, answer) in files {
        let Some(answer) = answer.filter(|answer| answer.status == 200) else { continue };
        let id = answer.json()?["Result"][0]["Id"].as_u64().context("an id")?;
        let path = format!("/v2/system/attachments/1/101/{id}/download");
        let Some(answer) = retried(&mut caller, &get(&path, token), &mut unfaulted) else { continue };
        if answer.status != 200 || answer.body != bytes {
            tally.lost += 1;
        }
        // Keep the store from growing with each round.
        let delete = format!("/v2/system/attachments?attachmentIds={id}");
        caller.send(&send_json("DELETE", &delete, token, "", ""), &mut unfaulted);
    }
    tally.answers.hangs += unfaulted.hangs;
    Ok(())
}

/// The pending fault may hit a request of the check; then it is repeated.
fn retried(caller: &mut Caller, request: &[u8], answers: &mut Answers) -> Option<Answer> {
    let first = caller.send(request, answers)?;
    if first.status == 200 { Some(first) } else { caller.send(request, answers) }
}

pub fn recovers(service: &Service, token: &str, n: &str) -> Result<bool> {
    let settings = format!(r#"{{"ModuleId":1,"Settings":{{"Recovered":"{n}"}}}}"#);
    let mut connection = Connection::open(service.address)?;
    let answer = connection.exchange(&send_json("PUT", "/v2/admin/companysettings", token, "", &settings))?;
    Ok(answer.status == 200)
}
