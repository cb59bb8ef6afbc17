//! The process is killed while it writes, over and over: what it has acknowledged is there afterwards, whole.

use std::{
    collections::BTreeSet,
    net::SocketAddr,
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use super::Form;
use crate::{
    connection::{Connection, get, send_json},
    data,
    figure::{Figure, Outcome},
    service::Start,
};

/// An account of the sample data, which contacts and attachments belong to.
const ACCOUNT: u32 = 101;

/// What writers have been told is written.
#[derive(Default)]
struct Written {
    accounts: Vec<i64>,
    contacts: Vec<i64>,
    attachments: Vec<i64>,
    /// Answers other than 200.
    refused: u64,
}

/// Runs it.
pub(super) fn run(form: Form) -> Result<Outcome> {
    let (kills, writers) = (form.pick(8, 200), form.pick(16, 64));
    let folder = tempfile::tempdir()?;
    // A token may send a quarter of the uploads at once; nobody is to be refused here.
    let start = Start::new().with("SERVICE_LIMITS__UPLOADS", writers * 4);
    start.run(folder.path())?.kill()?;
    let token = start.token(folder.path())?;
    let location = location(&start, folder.path(), &token)?;
    let (mut written, mut slowest) = (Written::default(), Duration::ZERO);
    let number = AtomicU64::new(0);
    for _ in 0..kills {
        let begin = Instant::now();
        let service = start.run(folder.path())?;
        Connection::open(service.address)?.exchange(&get("/v2/crm/accounts/summary/101", &token))?;
        slowest = slowest.max(begin.elapsed());
        let (address, dead) = (service.address, AtomicBool::new(false));
        let pause = Duration::from_millis(fastrand::u64(5..=500));
        std::thread::scope(|scope| -> Result<()> {
            let threads: Vec<_> = (0..writers)
                .map(|writer| {
                    let (token, number, dead) = (&token, &number, &dead);
                    scope.spawn(move || write(address, token, location, writer, number, dead))
                })
                .collect();
            std::thread::sleep(pause);
            let killed = service.kill();
            dead.store(true, Ordering::Relaxed);
            for thread in threads.into_iter().filter_map(|thread| thread.join().ok()) {
                written.accounts.extend(thread.accounts);
                written.contacts.extend(thread.contacts);
                written.attachments.extend(thread.attachments);
                written.refused += thread.refused;
            }
            killed
        })?;
    }

    let service = start.run(folder.path())?;
    let found = Found::read(service.address, &token)?;
    let acknowledged = written.accounts.len() + written.contacts.len() + written.attachments.len();
    let lost = |ids: &[i64], found: &BTreeSet<i64>| ids.iter().filter(|id| !found.contains(id)).count() as u64;
    let lost = lost(&written.accounts, &found.accounts)
        + lost(&written.contacts, &found.contacts)
        + lost(&written.attachments, &found.attachments);
    drop(service);
    let check = start.command(folder.path(), &["check"])?.output()?;
    Ok(Outcome::Measured(vec![
        Figure::plain("kills", kills),
        Figure {
            goal: format!("≥ {kills}"),
            is_kept: acknowledged >= kills,
            ..Figure::plain("acknowledged writes of accounts, contacts and attachments", acknowledged)
        },
        Figure::exactly("acknowledged writes that are lost", 0, lost),
        Figure::exactly("records that are half there", 0, found.half),
        Figure::exactly("attachments without their content", 0, found.dangling),
        Figure::exactly("numbers that the change feed skips", 0, found.gaps),
        Figure::exactly("records without a change, and changes without a record", 0, found.untold),
        Figure::exactly("answers other than 200", 0, written.refused),
        Figure::exactly("`service check` fails", 0, u64::from(!check.status.success())),
        Figure::at_most("slowest start until the first answer", 2.0, slowest.as_secs_f64(), " s"),
    ]))
}

fn location(start: &Start, folder: &std::path::Path, token: &str) -> Result<i64> {
    let service = start.run(folder)?;
    let path = format!("/v2/crm/accounts/{ACCOUNT}/locations/lookup");
    let answer = Connection::open(service.address)?.exchange(&get(&path, token))?.json()?;
    answer["Result"][0]["Id"].as_i64().context("the account has a location")
}

/// Writes until the service is gone.
fn write(
    address: SocketAddr,
    token: &str,
    location: i64,
    writer: usize,
    number: &AtomicU64,
    dead: &AtomicBool,
) -> Written {
    let mut written = Written::default();
    let Ok(mut connection) = Connection::open(address) else { return written };
    for kind in (0..3).cycle().skip(writer) {
        let name = format!("killed-{}", number.fetch_add(1, Ordering::Relaxed));
        let request = match kind {
            0 => send_json("POST", "/v2/crm/accounts", token, "", &data::account(&name)),
            1 => send_json("POST", "/v2/crm/contacts/summary", token, "", &data::contact(&name, ACCOUNT, location)),
            _ => data::attachment(&name, ACCOUNT, token),
        };
        // The service may be gone at any moment; then nothing has been acknowledged.
        let Ok(answer) = connection.exchange(&request) else { return written };
        if dead.load(Ordering::Relaxed) && answer.status != 200 {
            return written;
        }
        let result = answer.json().map(|json| json["Result"].clone()).unwrap_or_default();
        match (answer.status, kind, result["Id"].as_i64().or_else(|| result[0]["Id"].as_i64())) {
            (200, 0, Some(id)) => written.accounts.push(id),
            (200, 1, Some(id)) => written.contacts.push(id),
            (200, 2, Some(id)) => written.attachments.push(id),
            _ => written.refused += 1,
        }
    }
    written
}

/// What is there in the end.
struct Found {
    accounts: BTreeSet<i64>,
    contacts: BTreeSet<i64>,
    attachments: BTreeSet<i64>,
    half: u64,
    dangling: u64,
    gaps: u64,
    untold: u64,
}

impl Found {
    fn read(address: SocketAddr, token: &str) -> Result<Self> {
        let mut connection = Connection::open(address)?;
        let mut all = |path: &str| -> Result<Vec<Value>> {
            let mut records = Vec::new();
            for page in 1.. {
                let path = format!("{path}?PageSize=1000&PageNumber={page}");
                let answer = connection.exchange(&get(&path, token))?;
                ensure!(answer.status == 200, "{path} answers {}", answer.status);
                match answer.json()?["Result"].as_array() {
                    Some(page) if !page.is_empty() => records.extend(page.iter().cloned()),
                    _ => break,
                }
            }
            Ok(records)
        };
        let accounts = all("/v2/crm/accounts/summary")?;
        let contacts = all("/v2/crm/contacts/summary")?;
        let attachments = all(&format!("/v2/system/attachments/1/{ACCOUNT}"))?;
        let is_ours =
            |record: &&Value, name: &str| record[name].as_str().is_some_and(|name| name.starts_with("killed-"));
        let length = |list: &Value| list.as_array().map_or(0, Vec::len);
        let half_accounts = accounts
            .iter()
            .filter(|account| is_ours(account, "AccountName"))
            .filter(|account| length(&account["Locations"]) != 1 || length(&account["Locations"][0]["Addresses"]) != 1);
        let half_contacts = contacts.iter().filter(|contact| is_ours(contact, "LastName"));
        let half_contacts =
            half_contacts.filter(|contact| length(&contact["Emails"]) != 1 || length(&contact["Phones"]) != 1);
        let half = half_accounts.count() + half_contacts.count();

        let mut dangling = 0;
        for attachment in &attachments {
            let path = attachment["Url"].as_str().context("an attachment has a URL")?;
            let name = attachment["OriginalFileName"].as_str().unwrap_or_default().to_owned();
            let answer = connection.exchange(&get(path, token))?;
            let is_whole = answer.status == 200 && answer.body == data::file(name.trim_end_matches(".txt"));
            dangling += u64::from(is_ours(&attachment, "OriginalFileName") && !is_whole);
        }

        let (mut gaps, mut after) = (0, 0);
        let mut told = BTreeSet::new();
        loop {
            let path = format!("/v2/changes?PageSize=1000&After={after}");
            let answer = connection.exchange(&get(&path, token))?.json()?;
            for change in answer["Result"].as_array().into_iter().flatten() {
                let sequence = change["Sequence"].as_i64().context("a number")?;
                gaps += u64::from(sequence != after + 1);
                after = sequence;
                if change["Action"] == "Created" {
                    told.insert((change["Kind"].to_string(), change["RecordId"].to_string()));
                }
            }
            if length(&answer["Result"]) == 0 {
                break;
            }
        }
        let ids =
            |records: &[Value]| records.iter().filter_map(|record| record["Id"].as_i64()).collect::<BTreeSet<_>>();
        let (accounts, contacts, attachments) = (ids(&accounts), ids(&contacts), ids(&attachments));
        let there = [("Account", &accounts), ("Contact", &contacts), ("Attachment", &attachments)];
        let there: BTreeSet<_> = there
            .into_iter()
            .flat_map(|(kind, ids)| ids.iter().map(move |id| (format!("\"{kind}\""), format!("\"{id}\""))))
            .collect();
        let kinds = ["\"Account\"", "\"Contact\"", "\"Attachment\""];
        let told: BTreeSet<_> = told.into_iter().filter(|(kind, _)| kinds.contains(&kind.as_str())).collect();
        let untold = there.symmetric_difference(&told).count() as u64;
        Ok(Self { accounts, contacts, attachments, half: half as u64, dangling, gaps, untold })
    }
}
