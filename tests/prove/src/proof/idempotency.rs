//! Requests with a key are repeated and cut off, and the process is killed: each key creates one record.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::Write as _,
    net::SocketAddr,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    time::Duration,
};

use anyhow::{Context as _, Result, ensure};

use super::Form;
use crate::{
    connection::{Connection, get, send_json},
    data,
    figure::{Figure, Outcome},
    store::Store,
};

const CALLERS: usize = 32;

/// Number of attempts for a request, with a pause after each.
const TRIES: usize = 3000;
const PAUSE: Duration = Duration::from_millis(10);

/// An account of the sample data for the contacts.
const ACCOUNT: u32 = 101;

/// Shared by all callers.
struct Work {
    token: String,
    location: i64,
    /// Keys by number, each repeated as often as it is sent.
    sends: Vec<usize>,
    next: AtomicUsize,
    address: Mutex<SocketAddr>,
    /// The ids in the responses, by key.
    answers: Mutex<BTreeMap<usize, BTreeSet<i64>>>,
    cut: AtomicU64,
    broken: AtomicU64,
    replayed: AtomicU64,
    busy: AtomicU64,
    other: AtomicU64,
}

/// Runs it.
pub(super) fn run(form: Form, store: Store) -> Result<Outcome> {
    let (keys, kills) = (form.pick(200, 10_000), form.pick(3, 50));
    let folder = tempfile::tempdir()?;
    let start = store.start();
    let service = start.run(folder.path())?;
    let address = service.address;
    let mut service = Some(service);
    let token = start.token(folder.path())?;
    let path = format!("/v2/crm/accounts/{ACCOUNT}/locations/lookup");
    let answer = Connection::open(address)?.exchange(&get(&path, &token))?.json()?;
    let mut sends: Vec<usize> = (0..keys).flat_map(|key| vec![key; fastrand::usize(1..=8)]).collect();
    // Keep repeats of a key close, so that many run at the same time.
    for block in sends.chunks_mut(256) {
        fastrand::shuffle(block);
    }
    let work = Work {
        token,
        location: answer["Result"][0]["Id"].as_i64().context("a location")?,
        sends,
        next: AtomicUsize::new(0),
        address: Mutex::new(address),
        answers: Mutex::default(),
        cut: AtomicU64::default(),
        broken: AtomicU64::default(),
        replayed: AtomicU64::default(),
        busy: AtomicU64::default(),
        other: AtomicU64::default(),
    };
    let all = work.sends.len();
    std::thread::scope(|scope| -> Result<()> {
        for _ in 0..CALLERS {
            scope.spawn(|| {
                while let Some(key) = work.sends.get(work.next.fetch_add(1, Ordering::Relaxed)) {
                    work.send(*key, fastrand::u8(..100) < 20);
                }
            });
        }
        for kill in 1..=kills {
            while work.next.load(Ordering::Relaxed) < all * kill / (kills + 1) {
                std::thread::sleep(Duration::from_millis(1));
            }
            if let Some(running) = service.take() {
                running.kill()?;
            }
            let started = start.run(folder.path())?;
            *work.address.lock().unwrap_or_else(PoisonError::into_inner) = started.address;
            service = Some(started);
        }
        Ok(())
    })?;
    // Repeat requests without a response.
    for key in 0..keys {
        work.send(key, false);
    }

    let records = work.records()?;
    let answers = work.answers.into_inner().unwrap_or_else(PoisonError::into_inner);
    let not_one = (0..keys).filter(|key| records.get(key).map_or(0, BTreeSet::len) != 1).count() as u64;
    let differing = (0..keys).filter(|key| answers.get(key) != records.get(key)).count() as u64;
    let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
    Ok(Outcome::Measured(vec![
        Figure::plain("keys, of accounts and contacts in turn", keys),
        Figure::plain("requests", all + keys),
        Figure::plain("connections cut after the request was sent", count(&work.cut)),
        Figure::plain("requests without an answer because of a kill, sent again", count(&work.broken)),
        Figure::plain("answers 503, sent again", count(&work.busy)),
        Figure::plain("kills", kills),
        Figure::plain("answers that an earlier request had made", count(&work.replayed)),
        Figure::exactly("keys without exactly one record", 0, not_one),
        Figure::exactly("keys whose answers name another record, or several", 0, differing),
        Figure::exactly("answers other than 200 and 503", 0, count(&work.other)),
    ]))
}

impl Work {
    fn address(&self) -> SocketAddr {
        *self.address.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends the request of a key; unless it is cut off, until there is a response.
    fn send(&self, key: usize, is_cut: bool) {
        let header = format!("idempotency-key: key-{key}\r\n");
        let name = name(key);
        let request = if key.is_multiple_of(2) {
            send_json("POST", "/v2/crm/accounts", &self.token, &header, &data::account(&name))
        } else {
            let body = data::contact(&name, ACCOUNT, self.location);
            send_json("POST", "/v2/crm/contacts/summary", &self.token, &header, &body)
        };
        for _ in 0..TRIES {
            let Ok(mut connection) = Connection::open(self.address()) else {
                std::thread::sleep(PAUSE);
                continue;
            };
            if is_cut {
                if connection.stream.write_all(&request).is_ok() {
                    self.cut.fetch_add(1, Ordering::Relaxed);
                }
                return;
            }
            let Ok(answer) = connection.exchange(&request) else {
                self.broken.fetch_add(1, Ordering::Relaxed);
                std::thread::sleep(PAUSE);
                continue;
            };
            if answer.status == 503 {
                self.busy.fetch_add(1, Ordering::Relaxed);
                std::thread::sleep(PAUSE);
                continue;
            }
            let id = answer.json().ok().and_then(|json| json["Result"]["Id"].as_i64());
            match id.filter(|_| answer.status == 200) {
                Some(id) => {
                    let is_replayed = answer.header("idempotency-replayed") == Some("true");
                    self.replayed.fetch_add(u64::from(is_replayed), Ordering::Relaxed);
                    let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
                    answers.entry(key).or_default().insert(id);
                }
                None => {
                    self.other.fetch_add(1, Ordering::Relaxed);
                }
            }
            return;
        }
        self.other.fetch_add(1, Ordering::Relaxed);
    }

    /// The existing records for each key.
    fn records(&self) -> Result<BTreeMap<usize, BTreeSet<i64>>> {
        let mut connection = Connection::open(self.address())?;
        let mut records: BTreeMap<usize, BTreeSet<i64>> = BTreeMap::new();
        for (path, member) in [("/v2/crm/accounts/summary", "AccountName"), ("/v2/crm/contacts/summary", "LastName")] {
            for page in 1.. {
                let path = format!("{path}?PageSize=1000&PageNumber={page}");
                let answer = connection.exchange(&get(&path, &self.token))?;
                ensure!(answer.status == 200, "{path} answers {}", answer.status);
                let json = answer.json()?;
                let page = json["Result"].as_array().context("records")?;
                if page.is_empty() {
                    break;
                }
                for record in page {
                    let key = record[member].as_str().and_then(|name| name.strip_prefix("keyed-"));
                    if let (Some(key), Some(id)) = (key.and_then(|key| key.parse().ok()), record["Id"].as_i64()) {
                        records.entry(key).or_default().insert(id);
                    }
                }
            }
        }
        Ok(records)
    }
}

fn name(key: usize) -> String {
    format!("keyed-{key}")
}
