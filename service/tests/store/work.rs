//! Which tenants have work that no caller asked for.

use jiff::Timestamp;

use service::domain::{retention::Cutoffs, tenant::TenantId};

use super::{Case, HASH, place, run};

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

/// Schedules of tenants 1 and 2, whose next runs are due after these numbers of seconds.
fn schedules(first: i64, second: i64) -> String {
    let schedule = |tenant: i64, second: i64| {
        format!(
            "INSERT INTO agents (tenant_id, id, name, is_online) VALUES ({tenant}, '7', 'Seven', true);
             INSERT INTO scan_schedules (tenant_id, agent_id, number, body, zone, patch_ids, created_on, next_at, next_index)
             VALUES ({tenant}, '7', 1, '{{}}', 'UTC', '[]', 0, {second}000000, 0);"
        )
    };
    format!("INSERT INTO tenants (id, name) VALUES (2, 'Other'); {} {}", schedule(1, first), schedule(2, second))
}

#[test]
fn tenants_with_due_scans_come_in_the_order_of_their_longest_due() {
    let case = Case::open(place());
    let store = &case.store;
    case.execute(&schedules(100, 50));
    let due = |second| run(store.tenants_with_due_scans(at(second))).unwrap();
    assert_eq!(run(store.next_scan()).unwrap(), Some(at(50)));
    assert_eq!(due(49), []);
    assert_eq!(due(50), [TenantId(2)]);
    assert_eq!(due(100), [TenantId(2), TenantId(1)]);
    case.execute("UPDATE agents SET is_online = false WHERE tenant_id = 2");
    assert_eq!(due(100), [TenantId(2), TenantId(1)], "it finds out that its agent is away");
    case.execute("UPDATE scan_schedules SET is_waiting = true WHERE tenant_id = 2");
    assert_eq!(due(100), [TenantId(1)]);
    assert_eq!(run(store.next_scan()).unwrap(), Some(at(100)));
    case.execute("UPDATE scan_schedules SET problem = 'no time zone' WHERE tenant_id = 1");
    assert_eq!(due(100), []);
    assert_eq!(run(store.next_scan()).unwrap(), None);
    assert_eq!(run(store.tenants_with_scan_problems()).unwrap(), [TenantId(1)]);
}

#[test]
fn tenants_are_swept_that_have_something_old() {
    let case = Case::open(place());
    let store = &case.store;
    case.execute(
        "DELETE FROM audit_log; DELETE FROM job_logs; DELETE FROM jobs;
         INSERT INTO tenants (id, name) VALUES (2, 'Other'), (3, 'Third'), (4, 'Idle');",
    );
    let never = Cutoffs {
        uploads: Timestamp::MIN,
        idempotency_keys: Timestamp::MIN,
        changes: Timestamp::MIN,
        scan_runs: Timestamp::MIN,
        jobs: Timestamp::MIN,
    };
    let swept = |cutoffs| run(store.tenants_with_old_records(cutoffs)).unwrap();
    assert_eq!(swept(never), []);

    // Each record is of second 10.
    let content = format!(
        "INSERT INTO contents (tenant_id, hash, blob, size, media_type, claimed_on)
         VALUES (2, {HASH}, 'a', 1, 'text/plain', 10000000);"
    );
    let upload = format!(
        "INSERT INTO temporary_uploads (tenant_id, alias, module_id, name, created_on, expires_on, hash)
         VALUES (2, 'a', 1, 'a', 0, 10000000, {HASH});"
    );
    let change = |sequence: i64| {
        format!(
            "INSERT INTO audit_log (tenant_id, sequence, recorded_on, kind, record_id, operation)
             VALUES (2, {sequence}, 10000000, 'Account', '1', 'Test');"
        )
    };
    let key = format!(
        "INSERT INTO idempotency_keys (tenant_id, token_id, operation, key, request, answer, created_on)
         VALUES (3, 1, 'Test', 'a', {HASH}, '{{}}', 10000000);"
    );
    let agent = "INSERT INTO agents (tenant_id, id, name, is_online) VALUES (2, '7', 'Seven', true);
                 INSERT INTO scan_runs (tenant_id, agent_id, schedule, occurrence, due, recorded_on, scanned, missing)
                 VALUES (2, '7', 1, 0, 0, 10000000, true, 0);";
    let job = "INSERT INTO jobs (tenant_id, id, action, started_on) VALUES (3, 1, 'Import', 10000000)";

    case.execute(&content);
    case.execute(&upload);
    assert_eq!(swept(Cutoffs { uploads: at(10), ..never }), [TenantId(2)]);
    assert_eq!(swept(Cutoffs { uploads: at(9), ..never }), []);
    case.execute(&change(1));
    assert_eq!(swept(Cutoffs { changes: at(11), ..never }), [], "the newest change stays");
    case.execute(&change(2));
    assert_eq!(swept(Cutoffs { changes: at(11), ..never }), [TenantId(2)]);
    assert_eq!(swept(Cutoffs { changes: at(10), ..never }), []);
    case.execute(&key);
    assert_eq!(swept(Cutoffs { idempotency_keys: at(11), ..never }), [TenantId(3)]);
    case.execute(agent);
    assert_eq!(swept(Cutoffs { scan_runs: at(11), ..never }), [TenantId(2)]);
    case.execute(job);
    assert_eq!(swept(Cutoffs { jobs: at(11), ..never }), [TenantId(3)]);
    assert_eq!(swept(Cutoffs { jobs: at(10), ..never }), []);
    case.execute("INSERT INTO unused_blobs (tenant_id, blob) VALUES (3, 'a')");
    assert_eq!(swept(never), [TenantId(3)]);
}
