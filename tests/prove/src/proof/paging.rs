//! Paging while others write: no existing record is missed, and none appears twice.

use std::{
    collections::BTreeSet,
    net::SocketAddr,
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, ensure};

use super::Form;
use crate::{
    attack,
    callers::call,
    connection::{Connection, get, send_json},
    data,
    figure::{Figure, Outcome},
    store::Store,
    written::Writers,
};

/// Lists of records, with writers that add at either end.
const LISTS: [&str; 5] = [
    "/v2/crm/accounts/summary?PageSize=50",
    "/v2/crm/accounts/summary?PageSize=50&Sort=Id%20desc",
    "/v2/crm/accounts/lookup?PageSize=50",
    "/v2/crm/contacts/summary?PageSize=50",
    "/v2/system/attachments/1/101?PageSize=50",
];

/// The results of the walks.
#[derive(Default)]
struct Walks {
    done: u32,
    pages: u64,
    missed: u64,
    repeated: u64,
}

/// Runs it.
pub(super) fn run(form: Form, store: Store) -> Result<Outcome> {
    let folder = tempfile::tempdir()?;
    let start = store.start();
    let service = start.run(folder.path())?;
    let token = start.token(folder.path())?;
    data::import_accounts(&start, folder.path(), form.pick(500, 5_000))?;
    let (address, time) = (service.address, form.pick(Duration::from_secs(3), Duration::from_mins(1)));
    let writers = Writers::new(address, &token)?;
    let patches = ["a", "z"].map(|name| {
        let patch = format!(r#"[{{"op":"replace","path":"/AccountName","value":"{name}"}}]"#);
        send_json("PATCH", "/v2/crm/accounts/1000001", &token, "", &patch)
    });
    let end = AtomicBool::new(false);
    let (walks, written, renamed, removed) = std::thread::scope(|scope| {
        let written = scope.spawn(|| writers.run(6, &end));
        let renamed = scope.spawn(|| call(address, &patches, 1, Duration::from_millis(1), &end));
        let removed = scope.spawn(|| upload_and_remove(address, &token, &end));
        let walkers = LISTS.map(|list| {
            let token = &token;
            scope.spawn(move || walk_for(address, list, token, time))
        });
        let walks = walkers.map(|walker| walker.join().map_err(|_| anyhow::anyhow!("a walker has panicked")));
        end.store(true, Ordering::Relaxed);
        (walks, written.join().unwrap_or_default(), renamed.join().unwrap_or_default(), removed.join())
    });
    let mut figures = vec![
        Figure::plain("writes of accounts, contacts and attachments meanwhile", &written.seen),
        Figure::plain("changes of a name meanwhile", &renamed),
        Figure::plain("attachments uploaded and removed meanwhile", removed.unwrap_or_default()),
    ];
    for (list, walks) in LISTS.iter().zip(walks) {
        let walks = walks??;
        figures.extend([
            Figure::plain(format!("{list}: pages"), walks.pages),
            // The first walk has none to compare with.
            Figure::at_least(format!("{list}: walks"), 2.0, f64::from(walks.done), ""),
            Figure::exactly(format!("{list}: records missed"), 0, walks.missed),
            Figure::exactly(format!("{list}: records seen twice"), 0, walks.repeated),
        ]);
    }
    Ok(Outcome::Measured(figures))
}

/// Walks the list repeatedly. Records of one walk must appear in the next.
fn walk_for(address: SocketAddr, list: &str, token: &str, time: Duration) -> Result<Walks> {
    let mut connection = Connection::open(address)?;
    let mut walks = Walks::default();
    let mut there = BTreeSet::new();
    let begin = Instant::now();
    while begin.elapsed() < time {
        let mut seen = BTreeSet::new();
        let mut next = Some(list.to_owned());
        while let Some(path) = next {
            let answer = connection.exchange(&get(&path, token))?;
            ensure!(answer.status == 200, "{path} is answered {}", answer.status);
            let records = answer.json()?["Result"].as_array().cloned().unwrap_or_default();
            for record in &records {
                // Records removed by others are not part of the promise.
                if record["OriginalFileName"] != REMOVED {
                    let id = record["Id"].as_i64().context("a record has an id")?;
                    walks.repeated += u64::from(!seen.insert(id));
                }
            }
            walks.pages += 1;
            next = answer.header("link").and_then(next_page);
        }
        walks.missed += there.difference(&seen).count() as u64;
        there = seen;
        walks.done += 1;
    }
    Ok(walks)
}

/// The target of `<…>; rel="next"`.
fn next_page(link: &str) -> Option<String> {
    let links = link.split(", <").map(|link| link.trim_start_matches('<'));
    let mut targets = links.filter_map(|link| link.split_once(">; ").filter(|(_, rest)| rest.contains("rel=\"next\"")));
    targets.next().map(|(target, _)| target.to_owned())
}

/// The name of files that are removed again.
const REMOVED: &str = "removed.txt";

/// Attaches files and removes them; returns their number.
fn upload_and_remove(address: SocketAddr, token: &str, end: &AtomicBool) -> u64 {
    let mut removed = 0;
    while !end.load(Ordering::Relaxed) {
        let Ok(url) = attack::upload(address, token, REMOVED, b"removed") else { continue };
        let id = url.trim_end_matches("/download").rsplit('/').next().unwrap_or_default();
        let request = send_json("DELETE", &format!("/v2/system/attachments?attachmentIds={id}"), token, "", "");
        let answer = Connection::open(address).and_then(|mut connection| connection.exchange(&request));
        removed += u64::from(answer.is_ok_and(|answer| answer.status < 300));
    }
    removed
}
