//! A long mixed load: memory, open files and times stay flat.

use std::{
    fmt::{self, Display, Formatter},
    time::{Duration, Instant},
};

use anyhow::Result;

use super::Form;
use crate::{
    callers::call_for,
    connection::{get, send_json},
    data,
    figure::{Figure, Outcome},
    store::Store,
};

/// The results of a slice of time.
struct Sample {
    /// Resident memory of the service, in KiB.
    memory: u32,
    files: u32,
    p99: Duration,
    /// Processor time of the proof itself for each request. Its work is always the same, so this tells a slower machine from a
    /// slower service.
    yardstick: Duration,
    unexpected: u64,
}

impl Display for Sample {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let Self { memory, files, p99, yardstick, .. } = self;
        write!(formatter, "p99 {p99:.1?}, {} MiB, {files} files, {yardstick:.1?} for each in the proof", memory >> 10)
    }
}

/// Runs it.
pub(super) fn run(form: Form, store: Store) -> Result<Outcome> {
    let folder = tempfile::tempdir()?;
    // The log is kept in memory: a line for each request would take gigabytes in a day.
    let start = store.start().with("SERVICE_LOG", "info,service::request=off");
    let service = start.run(folder.path())?;
    let token = start.token(folder.path())?;
    data::import_accounts(&start, folder.path(), form.pick(1_000, 20_000))?;
    let requests = [
        get("/v2/crm/accounts/summary?PageSize=25", &token),
        get("/v2/crm/accounts/summary/101", &token),
        get("/v2/crm/accounts/lookup?PageSize=25", &token),
        get("/v2/crm/contacts/summary?PageSize=25&PageNumber=2", &token),
        send_json(
            "PUT",
            "/v2/admin/companysettings",
            &token,
            "",
            r#"{"ModuleId":1,"Settings":{"DateFormat":"yyyy-MM-dd"}}"#,
        ),
        get("/v2/crm/accounts/summary?PageSize=25&Filter.AccountName=99", &token),
        get("/v2/hr/assignees/count", &token),
        get("/v2/crm/accounts/summary/99999999", &token),
    ];
    let slice = form.pick(Duration::from_secs(2), Duration::from_mins(5));
    let mut samples = Vec::new();
    for _ in 0..form.pick(3, slices()) {
        let (begin, worked) = (Instant::now(), processor_time());
        let seen = call_for(service.address, &requests, 8, Duration::from_millis(1), slice);
        let sample = Sample {
            memory: u32::try_from(service.memory()? >> 10)?,
            files: u32::try_from(service.open_files()?)?,
            p99: seen.percentile(99),
            yardstick: processor_time().saturating_sub(worked) / u32::try_from(seen.times.len())?.max(1),
            unexpected: seen.other_than(&[200, 404]),
        };
        println!("  after {:>5.0} s: {seen}, {sample}", begin.elapsed().as_secs_f64());
        samples.push(sample);
    }
    // The first slice warms up caches and connections.
    let (first, last) = (&samples[1], &samples[samples.len() - 1]);
    let memory = f64::from(last.memory) / f64::from(first.memory);
    let files = f64::from(last.files) / f64::from(first.files);
    let time = last.p99.div_duration_f64(first.p99);
    let machine = last.yardstick.div_duration_f64(first.yardstick);
    let unexpected = samples.iter().map(|sample| sample.unexpected).sum();
    let figures = vec![
        Figure::exactly("answers other than 200 and the 404 that is asked for", 0, unexpected),
        Figure::at_most("memory, last slice to second", form.pick(1.5, 1.05), memory, " ×"),
        Figure::at_most("open files, last slice to second", 1.1, files, " ×"),
        Figure::plain("p99, last slice to second", format!("{time:.2} ×")),
        // The short form on a busy machine says little about times.
        Figure::at_most(
            "the same by the proof's own processor time per request",
            form.pick(10.0, 1.1),
            time / machine,
            " ×",
        ),
    ];
    Ok(Outcome::Measured(figures))
}

/// Number of five-minute slices in the long form: a day, or `PROVE_SOAK_MINUTES`.
fn slices() -> usize {
    let minutes = std::env::var("PROVE_SOAK_MINUTES").ok().and_then(|minutes| minutes.parse().ok());
    (minutes.unwrap_or(24 * 60) / 5).max(3)
}

/// Processor time of this process so far.
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::try_from(time).unwrap_or_default()
}
