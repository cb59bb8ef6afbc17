use std::sync::Arc;

use jiff::Timestamp;

use super::{run, store};
use crate::{
    domain::{
        agent::{AgentQuery, NOTE_FIELDS, PATCH_FIELDS},
        odata,
        scan::{PlannedRun, ScanOutcome, ScanRequest},
    },
    store::{Error, TenantStore},
};

fn notes(tenant: &TenantStore, filter: &str, order: &str) -> Vec<i64> {
    let query = AgentQuery {
        filter: (!filter.is_empty()).then(|| odata::filter(filter, NOTE_FIELDS).unwrap()),
        order: if order.is_empty() { Vec::new() } else { odata::order_by(order, NOTE_FIELDS).unwrap() },
        skip: 0,
        top: 100,
    };
    let listed = run(tenant.agent_notes(query)).unwrap();
    assert_eq!(listed.total, listed.records.len() as u64);
    listed.records.into_iter().map(|note| note.id).collect()
}

#[test]
fn notes_are_filtered_and_ordered_as_odata_says() {
    let (_folder, _store, tenant) = store();
    assert_eq!(notes(&tenant, "", ""), [1, 2, 3]);
    assert_eq!(notes(&tenant, "", "UserName, ID desc"), [2, 3, 1]);
    assert_eq!(notes(&tenant, "UserName eq 'JO' and AgentGUID ne '200'", ""), [1]);
    assert_eq!(notes(&tenant, "substringof('FAN', Description)", ""), [2, 3]);
    assert_eq!(notes(&tenant, "startswith(Description,'über')", ""), [3]);
    assert_eq!(notes(&tenant, "endswith(Description,'Replaced') or ID gt 2", ""), [1, 3]);
    assert_eq!(notes(&tenant, "not (ID ge 2)", ""), [1]);
    assert_eq!(notes(&tenant, "Email eq null", ""), [1]);
    assert_eq!(notes(&tenant, "Email ne 'a@x'", ""), [1, 3]);
    assert_eq!(notes(&tenant, "not substringof('x', Email)", ""), [1]);
    assert_eq!(notes(&tenant, "CreationDate lt 1970-01-01T00:00:02Z", ""), [1]);
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

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

#[test]
fn a_scan_finds_what_is_missing_and_no_run_is_done_twice() {
    let (_folder, _store, tenant) = store();
    let plan = Arc::new(|_: &_, _: i64| Some(PlannedRun { index: 0, at: at(100) }));
    let schedule = run(tenant.put_scan_schedule(request(&[]), plan.clone())).unwrap().unwrap();
    assert_eq!(run(tenant.put_scan_schedule(request(&[]), plan.clone())).unwrap().as_ref(), Some(&schedule));
    assert_eq!(run(tenant.next_scan()).unwrap(), Some(at(100)));
    assert!(run(tenant.due_scans(at(99), 10)).unwrap().is_empty());
    let due = run(tenant.due_scans(at(100), 10)).unwrap();
    assert_eq!((due.len(), &due[0].schedule, due[0].agent.time_zone.as_deref()), (1, &schedule, Some("Europe/Vienna")));

    let next = Some(PlannedRun { index: 1, at: at(200) });
    let number = schedule.number;
    assert!(run(tenant.record_scan("100", number, 0, ScanOutcome::Scanned, next)).unwrap());
    assert!(!run(tenant.record_scan("100", number, 0, ScanOutcome::Scanned, next)).unwrap());
    assert_eq!(missing(&tenant, false), [(1, 0), (2, 0)]);
    assert_eq!(missing(&tenant, true), [(1, 0)]);
    let runs = run(tenant.scan_runs("100")).unwrap();
    assert_eq!((runs.len(), runs[0].missing, runs[0].scanned), (1, 2, true));

    let replaced = run(tenant.put_scan_schedule(request(&[2]), plan)).unwrap().unwrap();
    assert_ne!(replaced.number, number);
    assert_eq!(missing(&tenant, false), [(1, 0), (2, 1)]);
    assert!(!run(tenant.record_scan("100", number, 1, ScanOutcome::Scanned, None)).unwrap());
    assert!(run(tenant.record_scan("100", replaced.number, 0, ScanOutcome::Skipped, None)).unwrap());
    assert_eq!(run(tenant.scan_schedule("100")).unwrap().unwrap().next, None);
    assert_eq!(missing(&tenant, false), [(1, 0), (2, 0)]);

    let condition = odata::filter("Description eq 'second' and IsSuperseded eq false", PATCH_FIELDS).unwrap();
    let query = AgentQuery { filter: Some(condition), top: 1, ..AgentQuery::default() };
    assert_eq!(run(tenant.missing_patches("100", false, query)).unwrap().unwrap().total, 1);
}

#[test]
fn a_run_waits_for_its_agent() {
    let (_folder, store, tenant) = store();
    let contact = |is_online: bool| {
        let sql = format!("UPDATE agents SET is_online = {is_online}");
        store.database.write_blocking(move |connection| Ok(connection.execute_batch(&sql)?)).unwrap();
    };
    let plan = Arc::new(|_: &_, _: i64| Some(PlannedRun { index: 0, at: at(100) }));
    let number = run(tenant.put_scan_schedule(request(&[]), plan)).unwrap().unwrap().number;
    contact(false);
    assert!(!run(tenant.due_scans(at(100), 10)).unwrap()[0].agent.is_online);
    assert!(run(tenant.record_scan("100", number, 0, ScanOutcome::Waiting, None)).unwrap());
    assert!(run(tenant.due_scans(at(500), 10)).unwrap().is_empty());
    assert_eq!(run(tenant.next_scan()).unwrap(), None);
    contact(true);
    assert_eq!(run(tenant.due_scans(at(500), 10)).unwrap().len(), 1);
}

#[test]
fn unknown_agents_and_patches_are_told() {
    let (_folder, _store, tenant) = store();
    let plan = Arc::new(|_: &_, _: i64| None);
    let Err(Error::Refused(refusals)) = run(tenant.put_scan_schedule(request(&[1, 77]), plan.clone())) else {
        panic!("it is taken")
    };
    assert_eq!(refusals[0].pointer, "/PatchIds/1");
    let other = ScanRequest { agent_id: "9".into(), ..request(&[]) };
    assert_eq!(run(tenant.put_scan_schedule(other, plan)).unwrap(), None);
    assert_eq!(run(tenant.agent("9")).unwrap(), None);
    assert!(run(tenant.missing_patches("9", false, AgentQuery::default())).unwrap().is_none());
}
