//! A long mixed load: memory, open files and times stay flat.

use std::time::{Duration, Instant};

use anyhow::Result;

use super::Form;
use crate::{
    callers::call_for,
    connection::{get, send_json},
    data,
    figure::{Figure, Outcome},
    store::Store,
};

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
    let slices = form.pick(3, slices());
    let mut samples = Vec::new();
    for _ in 0..slices {
        let begin = Instant::now();
        let seen = call_for(service.address, &requests, 8, Duration::from_millis(1), slice);
        let sample = (service.memory()?, service.open_files()?, seen.percentile(99));
        println!(
            "  after {:>5.0} s: {seen}, p99 {:.1} ms, {} MiB, {} files",
            begin.elapsed().as_secs_f64(),
            sample.2.as_secs_f64() * 1e3,
            sample.0 >> 20,
            sample.1
        );
        samples.push((sample, seen));
    }
    // The first slice warms up caches and connections.
    let ((memory, files, time), _) = &samples[1];
    let ((last_memory, last_files, last_time), _) = &samples[samples.len() - 1];
    let ratio = |last: f64, first: f64| last / first;
    let unexpected: u64 = samples.iter().map(|(_, seen)| seen.other_than(&[200, 404])).sum();
    #[expect(clippy::cast_precision_loss, reason = "for a ratio")]
    let figures = vec![
        Figure::exactly("answers other than 200 and the 404 that is asked for", 0, unexpected),
        Figure::at_most(
            "memory, last slice to second",
            form.pick(1.5, 1.05),
            ratio(*last_memory as f64, *memory as f64),
            " ×",
        ),
        Figure::at_most("open files, last slice to second", 1.1, ratio(*last_files as f64, *files as f64), " ×"),
        // The short form on a busy machine says little about times.
        Figure::at_most(
            "p99, last slice to second",
            form.pick(10.0, 1.1),
            ratio(last_time.as_secs_f64(), time.as_secs_f64()),
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
