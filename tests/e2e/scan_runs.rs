//! Many due scans: each runs once, failures do not delay others, and the service can stop.

use std::collections::BTreeMap;

use futures_util::{StreamExt as _, stream};
use generated_client::{models::*, patch::*};
use jiff::{SignedDuration, Timestamp};
use service::{
    domain::{
        agent::Agent,
        scan::{AgentSchedule, PlannedRun, ScanRequest, ScanSchedule},
        tenant::TenantId,
    },
    import, scheduler,
    store::TenantStore,
};

use crate::{app::App, waiting::eventually};

pub(crate) fn agent(number: u32) -> String {
    format!("77{number:08}")
}

/// Imports this many agents, none of which has anything installed.
pub(crate) async fn agents(app: &App, count: u32) -> TenantStore {
    let file = tempfile::NamedTempFile::with_suffix(".json").expect("a file");
    let agents: Vec<String> = (0..count)
        .map(|number| format!(r#"{{"AgentId": "{}", "Name": "e2e", "TimeZone": "Europe/Berlin"}}"#, agent(number)))
        .collect();
    std::fs::write(file.path(), format!(r#"{{"Agents": [{}]}}"#, agents.join(","))).expect("written");
    let records = app.service.records_of(TenantId::FIRST);
    let store = records.clone();
    let import = move || import::run(&store, &[file.path().to_path_buf()], None, &()).map(drop);
    tokio::task::spawn_blocking(import).await.expect("no panic").expect("imported");
    records
}

/// A recorded run of a scan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) index: u64,
    /// The number of runs before it that it covers.
    pub(crate) missed: u64,
    pub(crate) due: Timestamp,
    /// The number of missing patches that were found; `None` if the run was skipped.
    pub(crate) missing: Option<u64>,
}

/// The runs of an agent, newest first.
pub(crate) async fn runs(app: &App, agent: &str) -> Vec<Run> {
    let run = "occurrence || ' ' || missed || ' ' || due || CASE WHEN scanned THEN ' ' || missing ELSE '' END";
    let of_agent = format!("FROM scan_runs WHERE agent_id = '{agent}' ORDER BY schedule DESC, occurrence DESC");
    let sql = format!("SELECT coalesce(string_agg(run, ','), '') FROM (SELECT {run} AS run {of_agent}) AS runs");
    let read = |run: &str| {
        let numbers: Vec<i64> = run.split(' ').map(|number| number.parse().expect("a number")).collect();
        Run {
            index: numbers[0].cast_unsigned(),
            missed: numbers[1].cast_unsigned(),
            due: Timestamp::from_microsecond(numbers[2]).expect("an instant"),
            missing: numbers.get(3).map(|missing| missing.cast_unsigned()),
        }
    };
    app.execute(&sql).await.split(',').filter(|run| !run.is_empty()).map(read).collect()
}

/// The stored form of an agent's schedule.
pub(crate) async fn stored(app: &App, agent: &str) -> String {
    app.execute(&format!("SELECT body FROM scan_schedules WHERE agent_id = '{agent}'")).await
}

pub(crate) fn at(text: &str) -> Timestamp {
    text.parse().expect("an instant")
}

pub(crate) fn body(repeat: Repeat, times: i64, start_on: &str) -> PatchScanSchedule {
    PatchScanSchedule {
        server_time_zone: Some(false),
        skip_if_off_line: None,
        power_up_if_off_line: None,
        patch_ids: Vec::new(),
        recurrence: Recurrence { repeat: Some(repeat), times: Some(times), ..Recurrence::default() },
        distribution: Distribution::default(),
        start: Start { start_on: start_on.into(), start_at: None },
        exclusion: None,
        attributes: None,
    }
}

pub(crate) async fn put(app: &App, agent_id: String, body: PatchScanSchedule) {
    app.client().patch().schedule_patch_scan(SchedulePatchScan { agent_id, body }).await.expect("scheduled");
}

/// Stores a schedule that the interface would refuse.
pub(crate) async fn keep(records: &TenantStore, agent_id: String, body: &str, zone: &str, due: &str) {
    let agent = records.agent(&agent_id).await.expect("read").expect("an agent");
    let request = ScanRequest { agent_id, body: body.into(), zone: zone.into(), patch_ids: Vec::new() };
    let next = Some(PlannedRun { index: 0, at: at(due) });
    let schedule = ScanSchedule { number: 1, request, next };
    let new = AgentSchedule { schedule, agent: Agent { is_online: true, ..agent } };
    assert!(records.put_scan_schedule(new).await.expect("stored"));
}

#[tokio::test]
async fn damaged_schedules_keep_no_other_agent_from_its_scan() {
    let app = App::start().await;
    let records = agents(&app, 252).await;
    put(&app, agent(251), body(Repeat::Days, 1, "2035-01-01T00:00:00Z")).await;
    let good = stored(&app, &agent(251)).await;
    for number in 0..250 {
        keep(&records, agent(number), "nonsense", "UTC", "2030-01-01T00:00:00Z").await;
    }
    // An unknown zone is not replaced by another.
    keep(&records, agent(250), &good, "Europe/Atlantis", "2030-01-01T00:00:00Z").await;
    let pass = scheduler::scan(&app.service, at("2035-01-01T12:00:00Z")).await.expect("scanned");
    assert_eq!((pass.done, pass.failed, pass.is_partial), (1, 251, false));
    assert_eq!(runs(&app, &agent(251)).await.len(), 1);
    assert_eq!(runs(&app, &agent(250)).await, []);
    let pass = scheduler::scan(&app.service, at("2035-01-01T13:00:00Z")).await.expect("scanned");
    assert_eq!((pass.done, pass.failed), (0, 0), "they are skipped until they are replaced");
    put(&app, agent(250), body(Repeat::Days, 1, "2035-01-01T00:00:00Z")).await;
    let pass = scheduler::scan(&app.service, at("2035-01-01T22:00:00Z")).await.expect("scanned");
    assert_eq!((pass.done, pass.failed), (1, 0));
}

#[tokio::test]
async fn runs_wait_while_the_store_refuses_them() {
    let app = App::start().await;
    let records = agents(&app, 30).await;
    put(&app, agent(0), body(Repeat::Days, 1, "2035-01-01T00:00:00Z")).await;
    let good = stored(&app, &agent(0)).await;
    for number in 1..30 {
        keep(&records, agent(number), &good, "UTC", "2035-01-01T00:00:00Z").await;
    }
    app.execute(if app.store().is_empty() {
        "CREATE TRIGGER no_runs BEFORE INSERT ON scan_runs BEGIN SELECT RAISE(ABORT, 'on purpose'); END"
    } else {
        "CREATE FUNCTION no_runs() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'on purpose'; END $$;
         CREATE TRIGGER no_runs BEFORE INSERT ON scan_runs FOR EACH ROW EXECUTE FUNCTION no_runs()"
    })
    .await;
    scheduler::scan(&app.service, at("2035-01-01T12:00:00Z")).await.expect_err("nothing can be recorded");
    app.execute(if app.store().is_empty() { "DROP TRIGGER no_runs" } else { "DROP TRIGGER no_runs ON scan_runs" })
        .await;
    let pass = scheduler::scan(&app.service, at("2035-01-01T12:00:00Z")).await.expect("scanned");
    assert_eq!(pass.failed, 0);
    // Runs in progress when the pass ended may have been recorded since.
    for number in 0..30 {
        assert_eq!(runs(&app, &agent(number)).await.len(), 1, "of agent {number}");
    }
}

#[tokio::test]
async fn the_service_stops_while_thousands_are_due() {
    const ALL: u32 = 3000;
    let app = App::start().await;
    let records = agents(&app, ALL).await;
    put(&app, agent(0), body(Repeat::Minutes, 1, "2035-01-01T00:00:00Z")).await;
    let good = stored(&app, &agent(0)).await;
    let keeping = (1..ALL).map(|number| keep(&records, agent(number), &good, "UTC", "2035-01-01T00:00:00Z"));
    // Limit the concurrency to fit the queues of writes and of connections.
    stream::iter(keeping).buffer_unordered(50).for_each(|()| std::future::ready(())).await;
    app.execute("UPDATE scan_schedules SET next_at = 0").await;
    // This wakes the scheduler, which finds thousands of due scans.
    put(&app, agent(0), body(Repeat::Minutes, 2, "2035-01-01T00:00:00Z")).await;
    eventually("the first agent is scanned", async || !runs(&app, &agent(1)).await.is_empty()).await;
    let app = app.restart().await;
    let done: u32 = app.execute("SELECT count(*) FROM scan_runs").await.parse().expect("a number");
    assert!(done < ALL - 1, "all of them were done before the service stopped");
}

#[tokio::test]
async fn every_run_of_a_month_happens_exactly_once_across_restarts() {
    let mut app = App::start().await;
    agents(&app, 4).await;
    let start = "2035-03-01T00:00:00Z";
    let minutely = body(Repeat::Minutes, 1, start);
    let day = Recurrence { end_after_interval_times: Some(1440), ..minutely.recurrence.clone() };
    put(&app, agent(0), PatchScanSchedule { recurrence: day, ..minutely }).await;
    put(&app, agent(1), body(Repeat::Hours, 1, start)).await;
    let exclusion = Some(Exclusion { from: "T2200".into(), to: "T0600".into() });
    let distribution = Distribution { interval: Some(Interval::Hours), magnitude: Some(6) };
    put(&app, agent(2), PatchScanSchedule { exclusion, distribution, ..body(Repeat::Hours, 6, start) }).await;
    put(&app, agent(3), body(Repeat::Days, 1, start)).await;

    let mut now = at("2035-02-28T23:00:00Z");
    let end = at("2035-03-31T00:00:00Z");
    let (mut passes, mut restarts) = (0_u32, 0);
    while now < end {
        scheduler::scan(&app.service, now).await.expect("scanned");
        // On the first day, an agent is due each minute.
        now += SignedDuration::from_mins(if passes < 2000 { 1 } else { 7 });
        passes += 1;
        // Downtime, each time longer.
        if passes.is_multiple_of(500) {
            app = app.restart().await;
            restarts += 1;
            now += SignedDuration::from_mins(17 * restarts);
        }
    }
    assert!(restarts >= 10, "{restarts}");

    for (number, least, most) in [(0, 1440, 1440), (1, 720, 721), (2, 119, 121), (3, 31, 31)] {
        let mut covered = BTreeMap::new();
        for run in runs(&app, &agent(number)).await {
            for index in run.index - run.missed..=run.index {
                *covered.entry(index).or_insert(0) += 1;
            }
        }
        assert!(covered.values().all(|times| *times == 1), "agent {number}: a run happened twice");
        assert!(covered.keys().copied().eq(0..covered.len() as u64), "agent {number}: a run is missing");
        assert!((least..=most).contains(&covered.len()), "agent {number}: {} runs", covered.len());
    }
    let missed: u64 = runs(&app, &agent(0)).await.iter().map(|run| run.missed).sum();
    assert!(missed >= 17, "what was missed while the service was down is said: {missed}");
}
