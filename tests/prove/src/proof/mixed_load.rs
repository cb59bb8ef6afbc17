//! Short and long reads, writes, and disconnecting callers at once: every response is declared, and short
//! reads stay fast.

use std::{
    net::SocketAddr,
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result};

use super::{Form, target::percentile, threads};
use crate::{
    callers::{Seen, call, during_attack, good_callers},
    connection::{Connection, get, send_json},
    data,
    figure::{Figure, Outcome},
    store::Store,
};

/// Connections that search for a part of a name, which no index supports.
const SEARCHERS: usize = 16;
/// Connections that write.
const WRITERS: usize = 4;
/// Connections that request the longest page.
const READERS: usize = 2;
/// Connections that disconnect before the response.
const QUITTERS: usize = 4;

/// The results of the connections that are not measured.
struct Attack {
    searches: Seen,
    writes: Seen,
    pages: Seen,
    quits: u64,
}

/// Runs it.
pub(super) fn run(form: Form, store: Store) -> Result<Outcome> {
    let folder = tempfile::tempdir()?;
    let start = store.start();
    let mut service = start.run(folder.path())?;
    let [token, bad] = [start.token(folder.path())?, start.token(folder.path())?];
    let accounts = form.pick(10_000, 49_000);
    data::import_accounts(&start, folder.path(), accounts)?;
    let address = service.address;
    let short = [
        get("/v2/crm/accounts/summary/101", &token),
        get("/v2/crm/accounts/summary?PageSize=5", &token),
        get("/v2/crm/accounts/lookup?PageSize=25", &token),
        get("/v2/hr/assignees/count", &token),
    ];
    let before = threads(service.id());
    let time = form.pick(Duration::from_secs(3), Duration::from_secs(30));
    let good = |time| good_callers(address, &short, time);
    let (idle, busy, attacked) = during_attack(good, time, |end| attack(address, &bad, end));
    let attacked = attacked.context("the attack panicked")?;
    println!("  good callers, idle      {idle}, p99 {:.2} ms", milliseconds(&idle, 99));
    println!("  good callers, under load {busy}, p99 {:.2} ms", milliseconds(&busy, 99));
    println!("  searches                {}, p99 {:.0} ms", attacked.searches, milliseconds(&attacked.searches, 99));
    println!("  longest pages           {}, p99 {:.0} ms", attacked.pages, milliseconds(&attacked.pages, 99));
    println!("  writes                  {}, p99 {:.0} ms", attacked.writes, milliseconds(&attacked.writes, 99));
    println!("  hung up on              {}", attacked.quits);

    // Abandoned work must have stopped.
    std::thread::sleep(Duration::from_secs(1));
    let used = service.processor_time()?;
    std::thread::sleep(Duration::from_secs(1));
    let rest = service.processor_time()?.saturating_sub(used);
    let search = Connection::open(address)?.exchange(&get(SEARCH, &token))?;
    // An idle thread of tokio's blocking pool ends after 10 s.
    let end = Instant::now() + Duration::from_secs(15);
    while threads(service.id()) > before + 1 && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(100));
    }
    let refused = attacked.searches.statuses.get(&503).copied().unwrap_or_default();
    let answered = attacked.searches.statuses.get(&200).copied().unwrap_or_default();
    #[expect(clippy::cast_precision_loss, reason = "for a share")]
    let answered_share = 100.0 * answered as f64 / (answered + refused).max(1) as f64;
    let expected = |seen: &Seen, statuses| seen.other_than(statuses);
    let figures = vec![
        Figure::exactly("good callers: answers other than 200", 0, expected(&busy, &[200]) + expected(&idle, &[200])),
        Figure::exactly("searches: answers other than 200 and 503", 0, expected(&attacked.searches, &[200, 503])),
        Figure::exactly("writes: answers other than 200 and 503", 0, expected(&attacked.writes, &[200, 503])),
        Figure::exactly("longest pages: answers other than 200 and 503", 0, expected(&attacked.pages, &[200, 503])),
        Figure::at_least("searches answered with 200, 16 connections of one token", 100.0, answered_share, " %"),
        Figure::plain("callers who hung up", attacked.quits),
        percentile("good callers: p99 meanwhile", form, store, &busy),
        Figure::plain("good callers' p99, idle", format!("{:.2} ms", milliseconds(&idle, 99))),
        Figure::exactly("a search afterwards", 200, search.status.into()),
        Figure::at_most("processor time in a second afterwards", 100.0, rest.as_secs_f64() * 1e3, " ms"),
        #[expect(clippy::cast_precision_loss, reason = "a number of threads")]
        Figure::at_most("threads afterwards, to before", before as f64 + 1.0, threads(service.id()) as f64, ""),
        Figure::exactly("the process lives", 1, service.is_alive().into()),
    ];
    Ok(Outcome::Measured(figures))
}

const SEARCH: &str = "/v2/crm/accounts/summary?PageSize=25&Filter.AccountName=9";

fn attack(address: SocketAddr, token: &str, end: &AtomicBool) -> Attack {
    let pause = Duration::ZERO;
    let search = [get(SEARCH, token)];
    let pages = [
        get("/v2/crm/accounts/summary?PageSize=1000", token),
        get("/v2/crm/accounts/lookup", token),
        get("/v2/crm/accounts/summary?PageSize=1000&PageNumber=5&Sort=AccountName", token),
    ];
    let setting = r#"{"ModuleId":1,"Settings":{"DateFormat":"yyyy-MM-dd"}}"#;
    let writes = [
        send_json("POST", "/v2/crm/accounts", token, "", &data::account("Mixed")),
        send_json("PUT", "/v2/admin/companysettings", token, "", setting),
    ];
    let quits = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for number in 0..QUITTERS {
            let (search, quits, writes) = (&search, &quits, &writes);
            scope.spawn(move || {
                // Disconnect from searches and from writes.
                let request = if number % 2 == 0 { &search[0] } else { &writes[0] };
                while !end.load(Ordering::Relaxed) {
                    if ask_and_quit(address, request).is_ok() {
                        quits.fetch_add(1, Ordering::Relaxed);
                    }
                }
            });
        }
        let searches = scope.spawn(|| call(address, &search, SEARCHERS, pause, end));
        // Writes every second and long pages every tenth of a second interfere without filling the disk.
        let writes = scope.spawn(|| call(address, &writes, WRITERS, Duration::from_millis(20), end));
        let pages = call(address, &pages, READERS, Duration::from_millis(100), end);
        Attack {
            searches: searches.join().unwrap_or_default(),
            writes: writes.join().unwrap_or_default(),
            pages,
            quits: quits.load(Ordering::Relaxed),
        }
    })
}

/// Sends a request and disconnects shortly after.
fn ask_and_quit(address: SocketAddr, request: &[u8]) -> Result<()> {
    use std::io::Write as _;
    let mut connection = Connection::open(address)?;
    connection.stream.write_all(request)?;
    std::thread::sleep(Duration::from_millis(10));
    Ok(())
}

fn milliseconds(seen: &Seen, percent: usize) -> f64 {
    seen.percentile(percent).as_secs_f64() * 1e3
}
