//! Images designed to exhaust memory or time, and callers that request thumbnails and disconnect.

use std::{
    io::Write as _,
    net::TcpStream,
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, ensure};

use super::{Form, target::percentile};
use crate::{
    callers::{during_attack, good_callers},
    connection::{Connection, get},
    figure::{Figure, Outcome},
    files::{png, png_head, upload, zeros},
    service::Service,
    store::Store,
};

/// Side of a square just below the limit of 40 million pixels.
const SIDE: u32 = 6_324;

/// Runs it.
pub(super) fn run(form: Form, store: Store) -> Result<Outcome> {
    let folder = tempfile::tempdir()?;
    let start = store.start();
    let mut service = start.run(folder.path())?;
    let token = start.token(folder.path())?;
    let before = service.memory()?;

    let mut wrong = 0;
    let mut slowest = Duration::ZERO;
    for (name, bytes, expected) in pictures(form) {
        let id = attach(&service, &token, name, &bytes)?;
        let request = get(&format!("/v2/system/attachments/1/101/{id}/download?width=100"), &token);
        let begin = Instant::now();
        let answer = Connection::open(service.address)?.exchange(&request)?;
        let time = begin.elapsed();
        slowest = slowest.max(time);
        println!("  {name}: {} bytes, {} after {:.0} ms", bytes.len(), answer.status, time.as_secs_f64() * 1e3);
        wrong += u64::from(!expected.contains(&answer.status));
    }
    let peak = service.peak_memory()?;

    // Callers that request new sizes of the largest image and disconnect.
    let side = side(form);
    let large = attach(&service, &token, "large", &picture(side, 0, side as usize * (side as usize + 1)))?;
    let good = [
        get("/v2/crm/accounts/summary?PageSize=25", &token),
        get("/v2/crm/accounts/summary/101", &token),
        get("/v2/crm/contacts/summary?PageSize=5", &token),
    ];
    let aborted = AtomicU64::new(0);
    let time = form.pick(Duration::from_secs(2), Duration::from_secs(20));
    let (_, busy, _) = during_attack(
        |time| good_callers(service.address, &good, time),
        time,
        |end| {
            for width in (1..10_000).cycle() {
                if end.load(Ordering::Relaxed) {
                    break;
                }
                let path = format!("/v2/system/attachments/1/101/{large}/download?width={width}");
                if let Ok(mut stream) = TcpStream::connect(service.address)
                    && stream.write_all(&get(&path, &token)).is_ok()
                {
                    aborted.fetch_add(1, Ordering::Relaxed);
                }
                std::thread::sleep(Duration::from_millis(5));
            }
        },
    );
    let aborted_peak = service.peak_memory()?;
    let unexpected = busy.other_than(&[200]);
    println!("  good callers: {busy}");

    // Equal concurrent requests are computed once.
    let request = get(&format!("/v2/system/attachments/1/101/{large}/download?width=333"), &token);
    let mut connection = Connection::open(service.address)?;
    let mut first = Duration::ZERO;
    for _ in 0..500 {
        let begin = Instant::now();
        let answer = connection.exchange(&request)?;
        first = begin.elapsed();
        if answer.status == 200 {
            break;
        }
        ensure!(answer.status == 503, "a thumbnail: {}", answer.status);
        std::thread::sleep(Duration::from_millis(100));
    }
    let begin = Instant::now();
    connection.exchange(&request)?;
    let again = begin.elapsed();
    let panics = service.log().iter().filter(|line| line.contains("panicked")).count();

    #[expect(clippy::cast_precision_loss, reason = "for a figure in MiB")]
    let mib = |bytes: u64| bytes.saturating_sub(before) as f64 / f64::from(1 << 20);
    Ok(Outcome::Measured(vec![
        Figure::exactly("pictures with another answer than they should get", 0, wrong),
        Figure::at_most("the slowest answer", form.pick(20.0, 2.0), slowest.as_secs_f64(), " s"),
        Figure::at_most("memory above that at rest, at its peak", 450.0, mib(peak), " MiB"),
        Figure::plain("thumbnails asked for by callers who hang up", aborted.load(Ordering::Relaxed)),
        Figure::at_most("memory above that at rest, with these", 450.0, mib(aborted_peak), " MiB"),
        Figure::exactly("answers to good callers other than 200", 0, unexpected),
        percentile("good callers: p99 meanwhile", form, store, &busy),
        Figure::plain(
            "a thumbnail of the largest, made and kept",
            format!("{:.0} and {:.1} ms", first.as_secs_f64() * 1e3, again.as_secs_f64() * 1e3),
        ),
        Figure::exactly("panics, or processes that ended", 0, panics as u64 + u64::from(!service.is_alive())),
    ]))
}

/// Name, bytes, and valid responses of each image.
fn pictures(form: Form) -> Vec<(&'static str, Vec<u8>, &'static [u16])> {
    let million = form.pick(20, 300) * 1_000_000;
    let side = side(form);
    let square = side as usize * (side as usize + 1);
    let small = |chunks: Vec<(&'static [u8; 4], Vec<u8>)>| {
        let mut all = vec![(b"IHDR", png_head(10, 10, 0))];
        all.extend(chunks);
        all.extend([(b"IDAT", zeros(110)), (b"IEND", Vec::new())]);
        png(&all)
    };
    let mut zip = small(Vec::new());
    zip.extend(b"PK\x03\x04 and the rest of an archive PK\x05\x06");
    let whole = picture(side, 0, square);
    vec![
        ("PNG that claims 65,535 × 65,535", picture(65_535, 0, 4_000), &[422]),
        ("large gray PNG", whole.clone(), &[200]),
        ("large RGBA PNG", picture(side, 6, side as usize * (side as usize * 4 + 1)), &[200, 422]),
        ("truncated PNG", whole[..whole.len() / 2].to_vec(), &[422]),
        ("PNG of 10 × 10 with far too much behind it", picture(10, 0, million), &[200, 422]),
        (
            "PNG with a colour profile that unpacks to 300 MB",
            small(vec![(b"iCCP", packed(b"p\0\0", million))]),
            &[200, 422],
        ),
        ("PNG with a text that unpacks to 300 MB", small(vec![(b"zTXt", packed(b"t\0\0", million))]), &[200, 422]),
        ("PNG that is an archive, too", zip, &[200]),
        ("GIF of 10,000 frames", gif(10_000, form.pick([144, 1], [160, 15])), &[200]),
        ("JPEG that claims 65,535 × 65,535", jpeg_head(), &[422]),
        ("empty PNG", png(&[(b"IHDR", png_head(10, 10, 0)), (b"IEND", Vec::new())]), &[422]),
        ("PNG of 0 × 0", png(&[(b"IHDR", png_head(0, 0, 0)), (b"IDAT", zeros(1)), (b"IEND", Vec::new())]), &[422]),
    ]
}

fn picture(side: u32, color: u8, bytes: usize) -> Vec<u8> {
    png(&[(b"IHDR", png_head(side, side, color)), (b"IDAT", zeros(bytes)), (b"IEND", Vec::new())])
}

fn packed(head: &[u8], length: usize) -> Vec<u8> {
    [head, &zeros(length)].concat()
}

/// Side of the largest images.
fn side(form: Form) -> u32 {
    form.pick(1_000, SIDE)
}

/// A GIF with frames of one pixel on a square canvas; `side` is its side.
fn gif(frames: usize, side: [u8; 2]) -> Vec<u8> {
    let mut bytes = b"GIF89a".to_vec();
    bytes.extend(side.into_iter().chain(side).chain([0x80, 0, 0]));
    bytes.extend([0, 0, 0, 255, 255, 255]);
    for _ in 0..frames {
        bytes.extend([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 0x01, 0]);
    }
    bytes.push(0x3b);
    bytes
}

fn jpeg_head() -> Vec<u8> {
    let mut bytes = vec![0xff, 0xd8, 0xff, 0xe0, 0, 16];
    bytes.extend(b"JFIF\0\x01\x01\0\0\x01\0\x01\0\0");
    bytes.extend([0xff, 0xc0, 0, 11, 8, 0xff, 0xff, 0xff, 0xff, 1, 1, 0x11, 0, 0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0]);
    bytes.extend([0; 64]);
    bytes
}

fn attach(service: &Service, token: &str, name: &str, bytes: &[u8]) -> Result<u64> {
    let request = upload("/v2/system/attachments/1/101", token, "formFile", name.as_bytes(), "image/png", bytes);
    let answer = Connection::open(service.address)?.exchange(&request)?;
    ensure!(answer.status == 200, "{name}: {}", String::from_utf8_lossy(&answer.body));
    answer.json()?["Result"][0]["Id"].as_u64().context("an id")
}
