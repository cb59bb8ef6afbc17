//! Notes, missing patches, scans, and the retention of their records.

use jiff::Timestamp;

use service::{
    domain::{
        agent::{Agent, AgentQuery},
        odata,
        retention::Retained,
        scan::{
            AgentSchedule, DamagedSchedule, DuePage, PlannedRun, ScanOutcome, ScanRecord, ScanRequest, ScanSchedule,
        },
    },
    store::{
        Error, TenantStore,
        resource::{AGENT_NOTE, MISSING_PATCH},
    },
};

use super::{Case, place, run};

fn notes(tenant: &TenantStore, filter: &str, order: &str) -> Vec<i64> {
    let query = AgentQuery {
        filter: (!filter.is_empty()).then(|| odata::filter(filter, &AGENT_NOTE.fields()).unwrap()),
        order: if order.is_empty() { Vec::new() } else { odata::order_by(order, &AGENT_NOTE.fields()).unwrap() },
        skip: 0,
        top: 100,
    };
    let listed = run(tenant.agent_notes(query)).unwrap();
    assert_eq!(listed.total, listed.records.len() as u64);
    listed.records.into_iter().map(|note| note.id).collect()
}

#[test]
fn notes_are_filtered_and_ordered_as_odata_says() {
    let case = Case::open(place());
    let tenant = &case.tenant;
    assert_eq!(notes(tenant, "", ""), [1, 2, 3]);
    assert_eq!(notes(tenant, "", "UserName, ID desc"), [2, 3, 1]);
    assert_eq!(notes(tenant, "UserName eq 'JO' and AgentGUID ne '200'", ""), [1]);
    assert_eq!(notes(tenant, "substringof('FAN', Description)", ""), [2, 3]);
    assert_eq!(notes(tenant, "startswith(Description,'über')", ""), [3]);
    assert_eq!(notes(tenant, "endswith(Description,'Replaced') or ID gt 2", ""), [1, 3]);
    assert_eq!(notes(tenant, "not (ID ge 2)", ""), [1]);
    assert_eq!(notes(tenant, "Email eq null", ""), [1]);
    assert_eq!(notes(tenant, "Email ne 'a@x'", ""), [1, 3]);
    assert_eq!(notes(tenant, "not substringof('x', Email)", ""), [1]);
    assert_eq!(notes(tenant, "CreationDate lt 1970-01-01T00:00:02Z", ""), [1]);
}

fn missing(tenant: &TenantStore, hide_denied: bool) -> Vec<(i64, i64)> {
    let query = AgentQuery { top: 100, ..AgentQuery::default() };
    let listed = run(tenant.missing_patches("100", hide_denied, query)).unwrap().unwrap();
    listed.records.iter().map(|patch| (patch.patch_data_id, patch.sched_together)).collect()
}

fn request(patch_ids: &[i64]) -> ScanRequest {
    ScanRequest {
        agent_id: "100".into(),
        body: format!("{patch_ids:?}"),
        zone: "UTC".into(),
        patch_ids: patch_ids.into(),
    }
}

/// Puts a schedule whose first run is due after 100 seconds.
fn put(tenant: &TenantStore, patch_ids: &[i64]) -> ScanSchedule {
    assert!(run(tenant.put_scan_schedule(new(tenant, patch_ids))).unwrap());
    due(tenant, 100).remove(0).schedule
}

fn new(tenant: &TenantStore, patch_ids: &[i64]) -> AgentSchedule {
    let present = run(tenant.scan_schedule_number("100")).unwrap();
    let schedule = ScanSchedule {
        number: present.map_or(1, |number| number + 1),
        request: request(patch_ids),
        next: Some(PlannedRun { index: 0, at: at(100) }),
    };
    AgentSchedule { schedule, agent: run(tenant.agent("100")).unwrap().unwrap() }
}

fn due(tenant: &TenantStore, second: i64) -> Vec<AgentSchedule> {
    run(tenant.due_scans(at(second), None, 10)).unwrap().scans
}

/// Records a run of the agent as the only one since the planned one.
fn record(tenant: &TenantStore, schedule: i64, planned: u64, outcome: ScanOutcome, next: Option<PlannedRun>) -> bool {
    let done = PlannedRun { index: planned, at: at(100) };
    let record = ScanRecord { agent_id: "100".into(), schedule, planned, run: done, outcome, next };
    run(tenant.record_scan(record)).unwrap()
}

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

#[test]
fn a_scan_finds_what_is_missing_and_no_run_is_done_twice() {
    let case = Case::open(place());
    let (store, tenant) = (&case.store, &case.tenant);
    let schedule = put(tenant, &[]);
    assert_eq!(put(tenant, &[]), schedule);
    assert_eq!(run(store.next_scan()).unwrap(), Some(at(100)));
    assert!(due(tenant, 99).is_empty());
    let due = due(tenant, 100);
    assert_eq!((due.len(), &due[0].schedule, due[0].agent.time_zone.as_deref()), (1, &schedule, Some("Europe/Vienna")));

    let next = Some(PlannedRun { index: 1, at: at(200) });
    let number = schedule.number;
    assert!(record(tenant, number, 0, ScanOutcome::Scanned, next));
    assert!(!record(tenant, number, 0, ScanOutcome::Scanned, next));
    assert_eq!(missing(tenant, false), [(1, 0), (2, 0)]);
    assert_eq!(missing(tenant, true), [(1, 0)]);
    assert_eq!(case.runs(), "0:2 scanned");

    let replaced = put(tenant, &[2]);
    assert_ne!(replaced.number, number);
    assert_eq!(missing(tenant, false), [(1, 0), (2, 1)]);
    assert!(!record(tenant, number, 1, ScanOutcome::Scanned, None));
    assert!(record(tenant, replaced.number, 0, ScanOutcome::Skipped, None));
    assert_eq!(run(store.next_scan()).unwrap(), None);
    assert_eq!(missing(tenant, false), [(1, 0), (2, 0)]);

    let condition =
        odata::filter("Description eq 'second' and IsSuperseded eq false", &MISSING_PATCH.fields()).unwrap();
    let query = AgentQuery { filter: Some(condition), top: 1, ..AgentQuery::default() };
    assert_eq!(run(tenant.missing_patches("100", false, query)).unwrap().unwrap().total, 1);
}

#[test]
fn a_run_waits_for_its_agent() {
    let case = Case::open(place());
    let (store, tenant) = (&case.store, &case.tenant);
    let contact = |is_online: bool| {
        case.execute(&format!("UPDATE agents SET is_online = {is_online}"));
    };
    let number = put(tenant, &[]).number;
    contact(false);
    assert!(!due(tenant, 100)[0].agent.is_online);
    assert!(record(tenant, number, 0, ScanOutcome::Waiting, None));
    assert!(due(tenant, 500).is_empty());
    assert_eq!(run(store.next_scan()).unwrap(), None);
    contact(true);
    assert_eq!(due(tenant, 500).len(), 1);
}

#[test]
fn unknown_agents_and_patches_are_reported() {
    let case = Case::open(place());
    let tenant = &case.tenant;
    let Err(Error::Refused(refusals)) = run(tenant.put_scan_schedule(new(tenant, &[1, 77]))) else {
        panic!("it is taken")
    };
    assert_eq!(refusals[0].pointer, "/PatchIds/1");
    let other = ScanRequest { agent_id: "9".into(), ..request(&[]) };
    let mut unknown = new(tenant, &[]);
    unknown.schedule.request = other;
    assert!(!run(tenant.put_scan_schedule(unknown)).unwrap());
    assert_eq!(run(tenant.agent("9")).unwrap(), None);
    assert!(run(tenant.missing_patches("9", false, AgentQuery::default())).unwrap().is_none());
}

#[test]
fn a_schedule_planned_on_what_has_changed_is_not_put() {
    let case = Case::open(place());
    let tenant = &case.tenant;
    let planned = new(tenant, &[]);
    let moved = Agent { time_zone: Some("Asia/Tokyo".into()), ..planned.agent.clone() };
    let sold = Agent { account: Some(4711), ..planned.agent.clone() };
    for changed in [
        AgentSchedule { agent: moved, ..planned.clone() },
        AgentSchedule { agent: sold, ..planned.clone() },
        AgentSchedule { schedule: ScanSchedule { number: 2, ..planned.schedule.clone() }, ..planned.clone() },
    ] {
        assert!(!run(tenant.put_scan_schedule(changed)).unwrap());
    }
    assert_eq!(run(tenant.scan_schedule_number("100")).unwrap(), None);
    let is_online = !planned.agent.is_online;
    let contact = AgentSchedule { agent: Agent { is_online, ..planned.agent.clone() }, ..planned };
    assert!(run(tenant.put_scan_schedule(contact)).unwrap(), "contact changes no plan");
}

#[test]
fn a_schedule_with_a_problem_is_passed_over_until_it_is_put_anew() {
    let case = Case::open(place());
    let (store, tenant) = (&case.store, &case.tenant);
    let number = put(tenant, &[]).number;
    case.execute("UPDATE scan_schedules SET patch_ids = 'nonsense'");
    let page = run(tenant.due_scans(at(100), None, 10)).unwrap();
    assert_eq!((page.scans.len(), page.damaged.len(), page.damaged[0].number), (0, 1, number));
    let damaged = DamagedSchedule { problem: "no proper JSON".into(), ..page.damaged[0].clone() };
    run(tenant.note_scan_problem(damaged)).unwrap();
    assert_eq!(run(tenant.due_scans(at(100), None, 10)).unwrap(), DuePage::default());
    assert_eq!(run(store.next_scan()).unwrap(), None);
    assert_eq!(run(tenant.forget_scan_problems()).unwrap(), 1);
    assert_eq!(run(store.next_scan()).unwrap(), Some(at(100)));

    for _ in 0..2 {
        let damaged = DamagedSchedule { problem: "once more".into(), ..page.damaged[0].clone() };
        let number = run(tenant.scan_schedule_number("100")).unwrap().unwrap();
        run(tenant.note_scan_problem(DamagedSchedule { number, ..damaged })).unwrap();
        assert_eq!(run(store.next_scan()).unwrap(), None);
        // The first time it cannot be read, the second time it is the same.
        assert_eq!(put(tenant, &[]).number, number + 1);
        assert_eq!(run(store.next_scan()).unwrap(), Some(at(100)));
    }
    let number = number + 2;
    assert_eq!(put(tenant, &[]).number, number, "without a problem the same changes nothing");
    case.execute("UPDATE scan_schedules SET next_at = 9223372036854775807");
    assert_eq!(put(tenant, &[]).number, number + 1, "a moment beyond the calendar is mended, too");
}

#[test]
fn old_runs_are_removed_a_few_at_a_time() {
    let case = Case::open(place());
    let (store, tenant) = (&case.store, &case.tenant);
    let number = put(tenant, &[]).number;
    for planned in 0..5 {
        let next = Some(PlannedRun { index: planned + 1, at: at(100) });
        assert!(record(tenant, number, planned, ScanOutcome::Scanned, next));
    }
    case.execute("UPDATE scan_runs SET recorded_on = 1000000 * occurrence");
    let remove = |limit| run(tenant.remove_older(Retained::ScanRuns, at(3), limit)).unwrap();
    assert_eq!((remove(2), remove(2), remove(2)), (2, 1, 0));
    assert_eq!(case.runs(), "4:2 scanned, 3:2 scanned");
    assert_eq!(run(store.next_scan()).unwrap(), Some(at(100)), "the schedule goes on");
}

#[test]
fn old_jobs_are_removed_with_their_logs() {
    let case = Case::open(place());
    let tenant = &case.tenant;
    case.execute(
        "DELETE FROM job_logs; DELETE FROM jobs;
        INSERT INTO jobs VALUES (1, 1, 'ended', 0, 1000000), (1, 2, 'cut off', 2000000, NULL), (1, 3, 'new', 0, 9000000);
        INSERT INTO job_logs VALUES (1, 1, x'01', 0, NULL, NULL, NULL, 0), (1, 1, x'02', 0, NULL, NULL, NULL, 0),
            (1, 2, x'03', 0, NULL, NULL, NULL, 0), (1, 3, x'04', 0, NULL, NULL, NULL, 0);",
    );
    let mut removed = Vec::new();
    loop {
        removed.push(run(tenant.remove_older(Retained::Jobs, at(5), 2)).unwrap());
        if removed.ends_with(&[0]) {
            break;
        }
    }
    assert_eq!(removed, [2, 1, 2, 0], "the lines first, then the jobs");
}
