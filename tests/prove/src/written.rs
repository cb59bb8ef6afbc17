//! Writers that record acknowledged writes, and a comparison with the stored data.

use std::{
    collections::BTreeSet,
    net::SocketAddr,
    path::Path,
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, ensure};
use serde_json::Value;

use crate::{
    callers::Seen,
    connection::{Connection, get, send_json},
    data,
    figure::Figure,
    service::Start,
};

/// An account of the sample data for contacts and attachments.
const ACCOUNT: u32 = 101;

/// Acknowledged writes.
#[derive(Default)]
pub struct Written {
    accounts: Vec<i64>,
    contacts: Vec<i64>,
    attachments: Vec<i64>,
    /// Every response.
    pub seen: Seen,
    /// Responses with 503 but without `Retry-After`.
    pub without_retry_after: u64,
}

/// The target of writers, and the names that they use.
pub struct Writers {
    address: SocketAddr,
    token: String,
    location: i64,
    number: AtomicU64,
}

impl Writers {
    /// Writers for a running service.
    pub fn new(address: SocketAddr, token: &str) -> Result<Self> {
        let path = format!("/v2/crm/accounts/{ACCOUNT}/locations/lookup");
        let answer = Connection::open(address)?.exchange(&get(&path, token))?.json()?;
        let location = answer["Result"][0]["Id"].as_i64().context("the account has a location")?;
        Ok(Self { address, token: token.to_owned(), location, number: AtomicU64::new(0) })
    }

    /// Redirects the writers to a replacement service.
    pub fn moved(&mut self, address: SocketAddr) {
        self.address = address;
    }

    /// Writes with this many threads until `end`, or until the service is gone.
    pub fn run(&self, writers: usize, end: &AtomicBool) -> Written {
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..writers).map(|writer| scope.spawn(move || self.write(writer, end))).collect();
            let mut written = Written::default();
            for one in threads.into_iter().filter_map(|thread| thread.join().ok()) {
                written.add(one);
            }
            written
        })
    }

    fn write(&self, writer: usize, end: &AtomicBool) -> Written {
        let mut written = Written::default();
        let Ok(mut connection) = Connection::open(self.address) else { return written };
        for kind in (0..3).cycle().skip(writer) {
            if end.load(Ordering::Relaxed) {
                break;
            }
            let name = format!("killed-{}", self.number.fetch_add(1, Ordering::Relaxed));
            let token = &self.token;
            let contact = || data::contact(&name, ACCOUNT, self.location);
            let request = match kind {
                0 => send_json("POST", "/v2/crm/accounts", token, "", &data::account(&name)),
                1 => send_json("POST", "/v2/crm/contacts/summary", token, "", &contact()),
                _ => data::attachment(&name, ACCOUNT, token),
            };
            let begin = Instant::now();
            let Ok(answer) = connection.exchange(&request) else {
                written.seen.broken += 1;
                break;
            };
            if end.load(Ordering::Relaxed) && answer.status != 200 {
                break;
            }
            let result = answer.json().map(|json| json["Result"].clone()).unwrap_or_default();
            match (answer.status, kind, result["Id"].as_i64().or_else(|| result[0]["Id"].as_i64())) {
                (200, 0, Some(id)) => written.accounts.push(id),
                (200, 1, Some(id)) => written.contacts.push(id),
                (200, 2, Some(id)) => written.attachments.push(id),
                (503, ..) => {
                    written.without_retry_after += u64::from(answer.header("retry-after").is_none());
                    // Wait before retrying.
                    std::thread::sleep(Duration::from_millis(20));
                }
                _ => {}
            }
            written.seen.answered(answer.status, begin.elapsed());
        }
        written
    }
}

impl Written {
    /// Adds the writes of others.
    pub fn add(&mut self, other: Self) {
        self.accounts.extend(other.accounts);
        self.contacts.extend(other.contacts);
        self.attachments.extend(other.attachments);
        self.seen.add(other.seen);
        self.without_retry_after += other.without_retry_after;
    }

    /// The number of acknowledged writes.
    pub fn acknowledged(&self) -> usize {
        self.accounts.len() + self.contacts.len() + self.attachments.len()
    }

    /// Compares them with the data of the service.
    pub fn compare(&self, address: SocketAddr, token: &str) -> Result<Vec<Figure>> {
        let found = Found::read(address, token)?;
        let lost = |ids: &[i64], found: &BTreeSet<i64>| ids.iter().filter(|id| !found.contains(id)).count() as u64;
        let lost = lost(&self.accounts, &found.accounts)
            + lost(&self.contacts, &found.contacts)
            + lost(&self.attachments, &found.attachments);
        Ok(vec![
            Figure::plain("acknowledged writes of accounts, contacts and attachments", self.acknowledged()),
            Figure::exactly("acknowledged writes that are lost", 0, lost),
            Figure::exactly("records that are half there", 0, found.half),
            Figure::exactly("attachments without their content", 0, found.dangling),
            Figure::exactly("numbers that the change feed skips", 0, found.gaps),
            Figure::exactly("records without a change, and changes without a record", 0, found.untold),
        ])
    }
}

/// Whether `service check` finds no problems.
pub fn checked(start: &Start, data: &Path) -> Result<Figure> {
    let check = start.command(data, &["check"])?.output()?;
    Ok(Figure::exactly("`service check` fails", 0, u64::from(!check.status.success())))
}

/// The data found in the end.
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
                let told = String::from_utf8_lossy(&answer.body);
                ensure!(answer.status == 200, "{path} answers {}: {told}", answer.status);
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
