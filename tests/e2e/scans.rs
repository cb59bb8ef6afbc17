//! Scheduled patch scans: each runs once, and waits for machines that are offline.

use std::collections::BTreeMap;

use generated_client::{Client, Error, models::*, patch::*, runtime::json::Value};
use jiff::{SignedDuration, Timestamp};
use service::{
    domain::{scan::PlannedRun, tenant::TenantId},
    import, scheduler,
};

use crate::{
    app::App,
    records::agent_refusal,
    scan_runs::{self, Run},
    waiting::eventually,
};

/// An agent that misses one of its two patches.
const AGENT: &str = "99000000000000000000000001";

/// Imports the agent and its patches; an existing schedule is kept.
async fn agent(app: &App, is_online: bool) {
    let file = tempfile::NamedTempFile::with_suffix(".json").expect("a file");
    let records = format!(
        r#"{{"Patches": [
            {{"PatchDataId": 990001, "Description": "One", "KBArticle": "KB1", "Product": "E2E", "UpdateClassification": 100, "ReleaseDate": "2026-01-01T00:00:00Z"}},
            {{"PatchDataId": 990002, "Description": "Two", "KBArticle": "KB2", "Product": "E2E", "UpdateClassification": 100, "ReleaseDate": "2026-01-01T00:00:00Z"}}],
          "Agents": [{{"AgentId": "{AGENT}", "Name": "e2e", "TimeZone": "UTC", "IsOnline": {is_online}, "Products": ["E2E"], "InstalledPatches": [990001]}}]}}"#
    );
    std::fs::write(file.path(), records).expect("written");
    let records = app.service.records_of(TenantId::FIRST);
    let import = move || import::run(&records, &[file.path().to_path_buf()], None, &()).map(drop);
    tokio::task::spawn_blocking(import).await.expect("no panic").expect("imported");
}

/// Daily at half past one without end, from a future date on.
fn daily() -> PatchScanSchedule {
    PatchScanSchedule {
        server_time_zone: Some(true),
        skip_if_off_line: None,
        power_up_if_off_line: None,
        patch_ids: Vec::new(),
        recurrence: Recurrence { repeat: Some(Repeat::Days), times: Some(1), ..Recurrence::default() },
        distribution: Distribution { interval: Some(Interval::Hours), magnitude: Some(2) },
        start: Start { start_on: "2035-06-01T00:00:00Z".into(), start_at: Some("T0130".into()) },
        exclusion: None,
        attributes: None,
    }
}

/// A start at that moment.
fn at_first(text: &str) -> Start {
    Start { start_on: text.into(), start_at: None }
}

fn at(text: &str) -> Timestamp {
    text.parse().expect("an instant")
}

async fn put(client: &Client, agent: &str, body: PatchScanSchedule) -> Result<(), Error<AgentErrorResponse>> {
    let answer = client.patch().schedule_patch_scan(SchedulePatchScan { agent_id: agent.to_owned(), body }).await?;
    assert!(answer.result);
    assert_eq!((answer.response_code, answer.status.as_str(), answer.error.as_str()), (200, "OK", "None"));
    Ok(())
}

/// The number of a schedule, and its next run.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Scheduled {
    number: i64,
    next: Option<PlannedRun>,
}

async fn schedule(app: &App) -> Option<Scheduled> {
    let of_agent = format!("FROM scan_schedules WHERE agent_id = '{AGENT}'");
    let found = "coalesce(max(number || ' ' || coalesce(next_index || ' ' || next_at, '')), '')";
    let found = app.execute(&format!("SELECT {found} {of_agent}")).await;
    let numbers: Vec<i64> = found.split_whitespace().map(|number| number.parse().expect("a number")).collect();
    let next = |at: i64| Timestamp::from_microsecond(at).expect("an instant");
    let next = numbers.get(1..3).map(|run| PlannedRun { index: run[0].cast_unsigned(), at: next(run[1]) });
    Some(Scheduled { number: *numbers.first()?, next })
}

async fn runs(app: &App) -> Vec<Run> {
    scan_runs::runs(app, AGENT).await
}

async fn scan(app: &App, now: &str) -> usize {
    scheduler::scan(&app.service, at(now)).await.expect("scanned").done
}

#[tokio::test]
async fn a_schedule_is_kept_and_putting_it_again_changes_nothing() {
    let app = App::start().await;
    let client = app.client();
    agent(&app, true).await;
    put(&client, AGENT, daily()).await.expect("scheduled");
    let first = schedule(&app).await.expect("a schedule");
    let next = first.next.expect("a run").at;
    let opens = at("2035-06-01T01:30:00Z");
    assert!(next >= opens && next < opens + SignedDuration::from_hours(2), "{next} is in the window");
    put(&client, AGENT, daily()).await.expect("scheduled again");
    assert_eq!(schedule(&app).await, Some(first.clone()));
    let weekly =
        Recurrence { repeat: Some(Repeat::Weeks), days_of_week: Some("Monday, friday".into()), ..daily().recurrence };
    let weekly = PatchScanSchedule { recurrence: weekly, ..daily() };
    // The description's pattern requires capitalized English names.
    assert_eq!(agent_refusal(put(&client, AGENT, weekly.clone()).await.expect_err("friday")).0, 422);
    let recurrence = Recurrence { days_of_week: Some("Monday, Friday".into()), ..weekly.recurrence.clone() };
    put(&client, AGENT, PatchScanSchedule { recurrence, ..weekly }).await.expect("another schedule");
    let second = schedule(&app).await.expect("a schedule");
    assert!(second.number > first.number, "it takes the place of the first");
}

/// This many members, each a text of this length.
fn attributes(count: usize, length: usize) -> BTreeMap<String, Value> {
    (0..count).map(|number| (format!("Member{number}"), Value::from("x".repeat(length)))).collect()
}

#[tokio::test]
async fn invalid_schedules_are_refused() {
    let app = App::start().await;
    let client = app.client();
    agent(&app, true).await;
    let both = Recurrence {
        repeat: Some(Repeat::Months),
        day_of_month: Some(DayOfMonth::SecondTuesday),
        specific_day_of_month: Some(15),
        ..Recurrence::default()
    };
    let both = PatchScanSchedule { recurrence: both, ..daily() };
    let (status, _, explanation) = agent_refusal(put(&client, AGENT, both).await.expect_err("both forms of a day"));
    assert_eq!(status, 400);
    assert!(explanation.contains("DayOfMonth and SpecificDayOfMonth"), "{explanation}");

    let wide = Distribution { interval: Some(Interval::Days), magnitude: Some(2) };
    let early = Recurrence { end_on: Some("2035-05-01T00:00:00Z".into()), ..daily().recurrence };
    let far = Recurrence { end_on: Some("1899-05-01T00:00:00Z".into()), ..daily().recurrence };
    let late = Start { start_at: Some("2561".into()), ..daily().start };
    let month = Recurrence { specific_day_of_month: Some(32), ..daily().recurrence };
    for (body, place) in [
        (PatchScanSchedule { distribution: wide, ..daily() }, "/Distribution/Magnitude"),
        (PatchScanSchedule { start: at_first("0001-01-01T00:00:00Z"), ..daily() }, "/Start/StartOn"),
        (PatchScanSchedule { start: at_first("-009000-01-02T00:00:00Z"), ..daily() }, "/Start/StartOn"),
        (PatchScanSchedule { recurrence: far, ..daily() }, "/Recurrence/EndOn"),
        (PatchScanSchedule { recurrence: early, ..daily() }, "/Recurrence/EndOn"),
        (PatchScanSchedule { start: late, ..daily() }, "/Start/StartAt"),
        (PatchScanSchedule { recurrence: month, ..daily() }, "/Recurrence/SpecificDayOfMonth"),
        (PatchScanSchedule { patch_ids: vec![987_654], ..daily() }, "/PatchIds/0"),
        (PatchScanSchedule { attributes: Some(attributes(101, 1)), ..daily() }, "/Attributes"),
        (PatchScanSchedule { attributes: Some(attributes(1, 17_000)), ..daily() }, "/Attributes"),
    ] {
        let (status, text, explanation) = agent_refusal(put(&client, AGENT, body).await.expect_err(place));
        assert_eq!((status, text.as_str()), (422, "Unprocessable Content"));
        assert!(explanation.contains(place), "{place}: {explanation}");
    }
    assert_eq!(schedule(&app).await, None);
    assert_eq!(agent_refusal(put(&client, "987654", daily()).await.expect_err("no such agent")).0, 404);
}

#[tokio::test]
async fn due_scans_run_exactly_once_across_a_restart() {
    let app = App::start().await;
    let client = app.client();
    agent(&app, true).await;
    put(&client, AGENT, daily()).await.expect("scheduled");
    assert_eq!(scan(&app, "2035-06-01T01:29:59Z").await, 0, "nothing is due before the window");
    assert_eq!(scan(&app, "2035-06-01T03:30:00Z").await, 1);
    assert_eq!(scan(&app, "2035-06-01T03:30:00Z").await, 0, "a run is not doubled");
    let next = schedule(&app).await.expect("a schedule").next.expect("a run");
    assert_eq!(next.index, 1);
    let request = GetMissingPatches {
        agent_id: AGENT.into(),
        hide_denied_patches: true,
        filter: None,
        orderby: None,
        skip: None,
        top: None,
    };
    let found = client.patch().get_missing_patches(request).await.expect("patches").result;
    assert_eq!(found.iter().map(|patch| patch.patch_data_id).collect::<Vec<_>>(), [990_002], "what is not installed");

    let app = app.restart().await;
    assert_eq!(schedule(&app).await.expect("a schedule").next, Some(next));
    assert_eq!(scan(&app, "2035-06-01T23:00:00Z").await, 0, "nothing is doubled by the restart");
    let (one, other) = tokio::join!(scan(&app, "2035-06-02T03:30:00Z"), scan(&app, "2035-06-02T03:30:00Z"));
    assert_eq!(one + other, 1, "two schedulers do it once");
    assert_eq!(scan(&app, "2035-06-05T12:00:00Z").await, 1, "one run makes up for what was missed");
    let runs = runs(&app).await;
    let recorded: Vec<_> = runs.iter().map(|run| (run.index, run.missed)).collect();
    assert_eq!(recorded, [(4, 2), (1, 0), (0, 0)], "and says so: none is lost");
    assert!(runs.iter().all(|run| run.missing == Some(1)));
}

#[tokio::test]
async fn a_schedule_ends_after_its_number_of_scans() {
    let app = App::start().await;
    let client = app.client();
    agent(&app, true).await;
    let recurrence = Recurrence { end_after_interval_times: Some(2), ..daily().recurrence };
    put(&client, AGENT, PatchScanSchedule { recurrence, ..daily() }).await.expect("scheduled");
    assert_eq!(scan(&app, "2035-07-01T00:00:00Z").await, 1);
    assert_eq!(runs(&app).await.iter().map(|run| (run.index, run.missed)).collect::<Vec<_>>(), [(1, 1)]);
    assert_eq!(schedule(&app).await.expect("a schedule").next, None);
}

#[tokio::test]
async fn an_offline_machine_is_scanned_when_it_is_back() {
    let app = App::start().await;
    let client = app.client();
    agent(&app, false).await;
    put(&client, AGENT, daily()).await.expect("scheduled");
    scan(&app, "2035-06-01T12:00:00Z").await;
    assert_eq!(runs(&app).await, [], "it waits");
    let app = app.restart().await;
    scan(&app, "2035-06-01T13:00:00Z").await;
    assert_eq!(runs(&app).await, []);
    agent(&app, true).await;
    assert_eq!(scan(&app, "2035-06-01T14:00:00Z").await, 1);
    let runs = runs(&app).await;
    assert_eq!((runs.len(), runs[0].missing.is_some(), runs[0].index), (1, true, 0));
}

#[tokio::test]
async fn an_offline_machine_is_skipped_if_the_schedule_says_so() {
    let app = App::start().await;
    let client = app.client();
    agent(&app, false).await;
    let body = PatchScanSchedule { skip_if_off_line: Some(true), ..daily() };
    put(&client, AGENT, body.clone()).await.expect("scheduled");
    assert_eq!(scan(&app, "2035-06-01T12:00:00Z").await, 1);
    let skipped = runs(&app).await;
    assert_eq!((skipped.len(), skipped[0].missing), (1, None));
    assert_eq!(schedule(&app).await.expect("a schedule").next.map(|run| run.index), Some(1), "the next turn is kept");

    let once = Recurrence { repeat: Some(Repeat::Never), ..Recurrence::default() };
    put(&client, AGENT, PatchScanSchedule { recurrence: once, ..body }).await.expect("scheduled once");
    scan(&app, "2035-06-03T00:00:00Z").await;
    assert_eq!(runs(&app).await.len(), 1, "without a next turn it waits all the same");
    agent(&app, true).await;
    assert_eq!(scan(&app, "2035-06-03T01:00:00Z").await, 1);
    assert!(runs(&app).await[0].missing.is_some());
}

#[tokio::test]
async fn the_running_service_scans_by_itself() {
    let app = App::start().await;
    agent(&app, true).await;
    let recurrence = Recurrence { repeat: Some(Repeat::Never), ..Recurrence::default() };
    let start = Start { start_on: "2020-01-01T00:00:00Z".into(), start_at: None };
    let body = PatchScanSchedule { recurrence, start, distribution: Distribution::default(), ..daily() };
    put(&app.client(), AGENT, body).await.expect("scheduled");
    eventually("the agent is scanned", async || !runs(&app).await.is_empty()).await;
    assert_eq!(runs(&app).await.len(), 1);
}

#[tokio::test]
async fn the_first_and_the_last_day_are_those_that_are_written() {
    let app = App::start().await;
    let client = app.client();
    agent(&app, true).await;
    let body = |start: &str, end: &str| PatchScanSchedule {
        start: at_first(start),
        distribution: Distribution::default(),
        recurrence: Recurrence { end_on: Some(end.into()), end_at: Some("T0300".into()), ..daily().recurrence },
        ..daily()
    };
    for (start, end, first) in [
        ("2035-03-05T00:00:00+10:00", "2035-03-07T00:00:00+10:00", "2035-03-05T00:00:00Z"),
        ("2035-03-05T01:30:00-11:00", "2035-03-07T23:00:00-11:00", "2035-03-05T01:30:00Z"),
        ("2035-03-05", "2035-03-07", "2035-03-05T00:00:00Z"),
    ] {
        put(&client, AGENT, body(start, end)).await.expect("scheduled");
        let next = schedule(&app).await.expect("a schedule").next.expect("a run");
        assert_eq!(next.at, at(first), "{start}");
        let done = scan(&app, "2035-03-20T00:00:00Z").await;
        let last = runs(&app).await.iter().map(|run| run.due).max();
        assert_eq!(
            (done, last.map(|last| last.to_string()[..10].to_owned()).as_deref()),
            (1, Some("2035-03-07")),
            "{end}"
        );
    }
    let error = put(&client, AGENT, body("2035-03-05T00:00:00", "soon")).await.expect_err("no date");
    assert_eq!(agent_refusal(error).0, 422);
}

#[tokio::test]
async fn no_scan_runs_after_the_end() {
    let app = App::start().await;
    agent(&app, true).await;
    let body = PatchScanSchedule {
        start: at_first("2035-03-05T22:30:00Z"),
        distribution: Distribution::default(),
        exclusion: Some(Exclusion { from: "T2200".into(), to: "T2345".into() }),
        recurrence: Recurrence {
            end_on: Some("2035-03-07T00:00:00Z".into()),
            end_at: Some("T2300".into()),
            ..daily().recurrence
        },
        ..daily()
    };
    put(&app.client(), AGENT, body).await.expect("scheduled");
    for now in ["2035-03-06T12:00:00Z", "2035-03-07T12:00:00Z", "2035-03-09T00:00:00Z"] {
        scan(&app, now).await;
    }
    let due: Vec<String> = runs(&app).await.iter().map(|run| run.due.to_string()).collect();
    assert_eq!(due, ["2035-03-06T23:45:00Z", "2035-03-05T23:45:00Z"], "the third would run at a quarter to midnight");
    assert_eq!(schedule(&app).await.expect("a schedule").next, None);
}
