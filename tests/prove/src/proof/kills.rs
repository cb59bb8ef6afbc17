//! The process is killed repeatedly while it writes: acknowledged writes survive, complete.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use anyhow::Result;

use super::Form;
use crate::{
    connection::{Connection, get},
    figure::{Figure, Outcome},
    store::Store,
    written::{Writers, Written, checked},
};

/// Runs it.
pub(super) fn run(form: Form, store: Store) -> Result<Outcome> {
    let (kills, number) = (form.pick(8, 200), form.pick(16, 64));
    let folder = tempfile::tempdir()?;
    let start = store.start();
    let service = start.run(folder.path())?;
    let token = start.token(folder.path())?;
    let mut writers = Writers::new(service.address, &token)?;
    service.kill()?;
    let (mut written, mut slowest) = (Written::default(), Duration::ZERO);
    for _ in 0..kills {
        let begin = Instant::now();
        let service = start.run(folder.path())?;
        Connection::open(service.address)?.exchange(&get("/v2/crm/accounts/summary/101", &token))?;
        slowest = slowest.max(begin.elapsed());
        writers.moved(service.address);
        let end = AtomicBool::new(false);
        std::thread::scope(|scope| -> Result<()> {
            let writing = scope.spawn(|| writers.run(number, &end));
            std::thread::sleep(Duration::from_millis(fastrand::u64(5..=500)));
            let killed = service.kill();
            end.store(true, Ordering::Relaxed);
            written.add(writing.join().unwrap_or_default());
            killed
        })?;
    }

    let service = start.run(folder.path())?;
    let mut figures = vec![
        Figure::plain("kills", kills),
        #[expect(clippy::cast_precision_loss, reason = "a count of writes")]
        Figure::at_least("writes acknowledged", f64::from(kills), written.acknowledged() as f64, ""),
    ];
    figures.extend(written.compare(service.address, &token)?);
    drop(service);
    written.seen.broken = 0;
    figures.extend([
        // A token may send a quarter of the concurrent files.
        Figure::exactly("answers other than 200 and 503", 0, written.seen.other_than(&[200, 503])),
        checked(&start, folder.path())?,
        Figure::at_most(
            "slowest start until the first answer",
            form.pick(f64::INFINITY, 2.0),
            slowest.as_secs_f64(),
            " s",
        ),
    ]);
    Ok(Outcome::Measured(figures))
}
