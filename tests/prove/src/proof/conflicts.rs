//! Many clients change one record with `If-Match`: no change is lost.

use std::net::SocketAddr;

use anyhow::{Context as _, Result, ensure};

use super::Form;
use crate::{
    connection::{Connection, get, send_json},
    data,
    figure::{Figure, Outcome},
    store::Store,
};

const CLIENTS: usize = 32;

/// Runs it.
pub(super) fn run(form: Form, store: Store) -> Result<Outcome> {
    let tries = form.pick(20, 1000);
    let folder = tempfile::tempdir()?;
    let start = store.start();
    let service = start.run(folder.path())?;
    let token = start.token(folder.path())?;
    let mut connection = Connection::open(service.address)?;
    let created = connection.exchange(&send_json("POST", "/v2/crm/accounts", &token, "", &data::account("Counter")))?;
    let id = created.json()?["Result"]["Id"].as_i64().context("an account")?;
    connection.exchange(&put(id, &token, "*", 0.0))?;

    let counts: Vec<Result<(u64, u64)>> = std::thread::scope(|scope| {
        let clients: Vec<_> =
            (0..CLIENTS).map(|_| scope.spawn(|| increment(service.address, id, &token, tries))).collect();
        clients
            .into_iter()
            .map(|client| client.join().unwrap_or_else(|_| Err(anyhow::anyhow!("a client panicked"))))
            .collect()
    });
    let (mut done, mut refused) = (0, 0);
    for count in counts {
        let (changed, conflicts) = count?;
        done += changed;
        refused += conflicts;
    }
    // The service closes connections that are idle for long.
    let last = Connection::open(service.address)?.exchange(&get(&format!("/v2/crm/accounts/summary/{id}"), &token))?;
    let last = last.json()?["CreditLimit"].as_f64().context("a number")?;
    Ok(Outcome::Measured(vec![
        Figure::plain(format!("increments by {CLIENTS} clients, answered 200"), done),
        Figure::plain("answered 412", refused),
        Figure { is_kept: refused > 0, ..Figure::plain("there were conflicts", refused > 0) },
        Figure {
            goal: done.to_string(),
            is_kept: last.to_string() == done.to_string(),
            ..Figure::plain("value of the record in the end", last)
        },
    ]))
}

/// Increments this many times; returns the number of increments, and of conflicts.
fn increment(address: SocketAddr, id: i64, token: &str, tries: u32) -> Result<(u64, u64)> {
    let mut connection = Connection::open(address)?;
    let (mut done, mut refused) = (0, 0);
    for _ in 0..tries {
        let found = connection.exchange(&get(&format!("/v2/crm/accounts/summary/{id}"), token))?;
        let tag = found.header("etag").context("a tag")?.to_owned();
        let value = found.json()?["CreditLimit"].as_f64().context("a number")?;
        match connection.exchange(&put(id, token, &tag, value + 1.0))?.status {
            200 => done += 1,
            412 => refused += 1,
            other => ensure!(other == 200, "a PUT answers {other}"),
        }
    }
    Ok((done, refused))
}

fn put(id: i64, token: &str, tag: &str, value: f64) -> Vec<u8> {
    let body = format!(
        r#"{{"AccountTypeId":1,"AccountName":"Counter","BusinessTypeId":1,"AccountManagerId":12,"CreditLimit":{value:.1}}}"#
    );
    send_json("PUT", &format!("/v2/crm/accounts/{id}"), token, &format!("if-match: {tag}\r\n"), &body)
}
