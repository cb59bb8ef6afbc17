//! Heads, URIs and bodies above their limits: refused in time, with a readable response.

use std::{
    net::SocketAddr,
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
    time::{Duration, Instant},
};

use anyhow::Result;

use super::{Form, target::Target};
use crate::{
    callers::Seen,
    connection::Connection,
    figure::{Figure, Outcome},
    store::Store,
};

/// The bytes of a request, and its expected status.
struct Case {
    what: &'static str,
    request: Vec<u8>,
    status: u16,
}

/// Runs it.
pub(super) fn run(form: Form, store: Store) -> Result<Outcome> {
    // Each response closes its connection, so every request opens one.
    let target = Target::start(store, &store.start())?;
    let (address, cases) = (target.service.address, cases(&target.token));
    let (before, highest) = (AtomicU64::new(0), AtomicU64::new(0));
    let time = form.pick(Duration::from_secs(4), Duration::from_secs(20));
    let (seen, mut figures) = target.attack(form, time, |end| {
        before.store(target.service.memory().unwrap_or(u64::MAX), Ordering::Relaxed);
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..2).map(|_| scope.spawn(|| attack(address, &cases, end))).collect();
            while !end.load(Ordering::Relaxed) {
                highest.fetch_max(target.service.memory().unwrap_or(u64::MAX), Ordering::Relaxed);
                std::thread::sleep(Duration::from_millis(20));
            }
            let mut all = vec![Seen::default(); cases.len()];
            for seen in threads.into_iter().filter_map(|thread| thread.join().ok()) {
                all.iter_mut().zip(seen).for_each(|(all, seen)| all.add(seen));
            }
            all
        })
    })?;
    for (case, seen) in cases.iter().zip(&seen) {
        let wrong = seen.other_than(&[case.status]);
        figures.push(Figure {
            what: case.what.to_owned(),
            goal: format!("all {}", case.status),
            seen: seen.to_string(),
            is_kept: wrong == 0 && !seen.statuses.is_empty(),
        });
    }
    #[expect(clippy::cast_precision_loss, reason = "for a measure")]
    let more = highest.load(Ordering::Relaxed).saturating_sub(before.into_inner()) as f64 / f64::from(1 << 20);
    // Two of the largest bodies at once, and memory kept by the allocator.
    figures.push(Figure::at_most("memory on top", 28.0, more, " MiB"));
    Ok(Outcome::Measured(figures))
}

fn cases(token: &str) -> Vec<Case> {
    let long = |bytes: usize| "x".repeat(bytes);
    let known = format!("host: x\r\nauthorization: Bearer {token}\r\n");
    let json = format!("{known}content-type: application/json\r\n");
    let form = format!("{known}content-type: multipart/form-data; boundary=b\r\n");
    let head = |line: &str, headers: &str| format!("{line} HTTP/1.1\r\n{headers}\r\n").into_bytes();
    let with = |mut head: Vec<u8>, body: &[u8]| {
        head.extend_from_slice(body);
        head
    };
    let mut chunked = Vec::new();
    for _ in 0..32 {
        chunked.extend_from_slice(b"10000\r\n");
        chunked.extend_from_slice(&vec![b' '; 0x10000]);
        chunked.extend_from_slice(b"\r\n");
    }
    chunked.extend_from_slice(b"0\r\n\r\n");
    let mut file = b"--b\r\ncontent-disposition: form-data; name=\"File\"; filename=\"a.bin\"\r\n\r\n".to_vec();
    file.resize(file.len() + (21 << 20), b'x');
    file.extend_from_slice(b"\r\n--b--\r\n");
    let length = |body: &[u8]| format!("content-length: {}\r\n", body.len());
    let (upload, sized) =
        (head("POST /v2/system/attachments/1", &format!("{form}{}", length(&file))), vec![b' '; 2 << 20]);
    let streamed = head("POST /v2/system/attachments/1", &format!("{form}transfer-encoding: chunked\r\n"));
    let in_chunks = [format!("{:x}\r\n", file.len()).as_bytes(), &file, b"\r\n0\r\n\r\n"].concat();
    vec![
        Case {
            what: "head of 20 KiB",
            request: head("GET /healthz", &format!("host: x\r\nx-long: {}\r\n", long(20 << 10))),
            status: 431,
        },
        Case {
            what: "head of 5 MiB",
            request: head("GET /healthz", &format!("x-long: {}\r\n", long(5 << 20))),
            status: 431,
        },
        Case { what: "120 header lines", request: head("GET /healthz", &"x-many: 1\r\n".repeat(120)), status: 431 },
        Case {
            what: "address of 9 KiB",
            request: head(&format!("GET /v2/crm/accounts/lookup?Filter.Name={}", long(9 << 10)), &known),
            status: 414,
        },
        Case {
            what: "JSON of 2 MiB",
            request: with(head("POST /v2/crm/accounts", &format!("{json}{}", length(&sized))), &sized),
            status: 413,
        },
        Case {
            what: "JSON of 2 MiB in chunks",
            request: with(head("POST /v2/crm/accounts", &format!("{json}transfer-encoding: chunked\r\n")), &chunked),
            status: 413,
        },
        Case { what: "file of 21 MiB", request: with(upload, &file), status: 413 },
        Case { what: "file of 21 MiB in chunks", request: with(streamed, &in_chunks), status: 413 },
    ]
}

fn attack(address: SocketAddr, cases: &[Case], end: &AtomicBool) -> Vec<Seen> {
    let mut all = vec![Seen::default(); cases.len()];
    while !end.load(Ordering::Relaxed) {
        for (case, seen) in cases.iter().zip(&mut all) {
            let begin = Instant::now();
            match Connection::open(address).and_then(|mut open| open.exchange(&case.request)) {
                Ok(answer) => seen.answered(answer.status, begin.elapsed()),
                Err(_) => seen.broken += 1,
            }
        }
        std::thread::sleep(Duration::from_millis(200));
    }
    all
}
