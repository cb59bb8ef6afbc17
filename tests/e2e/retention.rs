//! Records with a retention period are removed automatically.

use generated_client::{Client, batch_action_log::*, changes::GetChanges};
use service::{config::Config, domain::tenant::TenantId};

use crate::{app::App, attachments::sweep_later, records::refusal, waiting::eventually};

/// Makes the first half of the log, the first job and the scan run 36 hours older.
const AGED: &str = "
    UPDATE audit_log SET recorded_on = recorded_on - 36 * 3600000000
        WHERE sequence <= (SELECT max(sequence) / 2 FROM audit_log);
    UPDATE jobs SET started_on = started_on - 36 * 3600000000, finished_on = finished_on - 36 * 3600000000 WHERE id = 1;
    INSERT INTO scan_runs (tenant_id, agent_id, schedule, occurrence, due, recorded_on, scanned, missing)
        SELECT tenant_id, id, 1, 1, 0, (SELECT max(recorded_on) - 36 * 3600000000 FROM audit_log), FALSE, 0 FROM agents LIMIT 1;";

async fn count(app: &App, from: &str) -> i64 {
    app.execute(&format!("SELECT count(*) FROM {from}")).await.parse().expect("a number")
}

/// The number of remaining old changes, jobs and runs.
async fn left(app: &App, half: i64) -> (i64, i64, i64) {
    let log = format!("audit_log WHERE sequence <= {half}");
    (count(app, &log).await, count(app, "jobs WHERE id = 1").await, count(app, "scan_runs").await)
}

fn keep_for(days: u32) -> impl FnOnce(&mut Config) {
    move |config| {
        config.retention.audit_days = days;
        config.retention.run_days = days;
    }
}

async fn job(client: &Client) -> Option<u16> {
    let (sort, exclude, page_size, page_number) = (None, None, None, None);
    let request = GetAllBatchActionLogs { job_id: 1, sort, exclude, page_size, page_number };
    client.batch_action_log().get_all_batch_action_logs(request).await.err().map(|error| refusal(error).0)
}

#[tokio::test]
async fn records_older_than_the_retention_are_removed() {
    let app = App::start().await;
    // Changes get their numbers when they are first read.
    app.service.records_of(TenantId::FIRST).audit_log(0, 1).await.expect("the log");
    app.execute(AGED).await;
    let half = count(&app, "audit_log").await / 2;
    assert!(half > 1);
    assert_eq!(left(&app, half).await, (half, 1, 1));

    let mut app = app;
    for days in [0, 2] {
        app = app.restart_with(keep_for(days)).await;
        sweep_later(&app, 0).await;
        assert_eq!(left(&app, half).await, (half, 1, 1), "{days} days");
    }
    assert_eq!(job(&app.client()).await, None);

    let app = app.restart_with(keep_for(1)).await;
    // The service sweeps when it starts.
    eventually("the old records are removed", async || left(&app, half).await == (0, 0, 0)).await;
    let client = app.client();
    assert_eq!(job(&client).await, Some(404));
    let changes = |after| client.changes().get_changes(GetChanges { after: Some(after), page_size: Some(1) });
    assert_eq!(refusal(changes(0).await.expect_err("removed")).0, 410);
    let kept = changes(half).await.expect("changes").body.result;
    assert_eq!(kept[0].sequence, half + 1, "what is younger is there");
}
