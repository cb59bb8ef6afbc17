//! Two services on one database, behind a load balancer that alternates.

use std::time::Duration;

use futures_util::future::{join_all, select};
use generated_client::{Client, accounts::*, attachments::*, models::*, patch::*, runtime::multipart::Part};
use jiff::SignedDuration;
use service::{
    domain::{
        caller::Visibility,
        tenant::TenantId,
        token::{Grants, NewToken},
    },
    import, scheduler,
    store::{Error, KeptContents, Location, Options},
};
use tests_postgres::{for_owner, hold};

use crate::{
    app::App,
    attachments::sweep_later,
    downloads::whole,
    records::{account, file, refusal},
    scan_runs::{agent, agents, at, body, keep, put, runs, stored},
    waiting::eventually,
};

#[tokio::test]
async fn a_due_run_is_done_once_by_one_process() {
    each_run_is_done_once(12).await;
}

#[tokio::test]
#[ignore = "takes minutes: `cargo xtask prove --store postgres due-scans`"]
async fn each_run_of_a_month_is_done_once_by_one_process() {
    each_run_is_done_once(30 * 24).await;
}

/// Two agents with a run each minute and one with a run each hour, for this many hours of a simulated clock.
async fn each_run_is_done_once(hours: u64) {
    let one = App::start().await;
    let other = one.second_process().await;
    agents(&one, 3).await;
    let start = "2035-03-01T00:00:00Z";
    for (number, repeat) in [(0, Repeat::Minutes), (1, Repeat::Minutes), (2, Repeat::Hours)] {
        let request = SchedulePatchScan { agent_id: agent(number), body: body(repeat, 1, start) };
        one.client().patch().schedule_patch_scan(request).await.expect("scheduled");
    }
    // The agents are in Berlin.
    let (mut now, mut by) = (at(start) - SignedDuration::from_hours(1), [0, 0]);
    for _ in 0..60 * hours {
        let scans = [scheduler::scan(&one.service, now), scheduler::scan(&other.service, now)];
        for (by, pass) in by.iter_mut().zip(join_all(scans).await) {
            let pass = pass.expect("scanned");
            assert_eq!(pass.failed, 0);
            *by += pass.done;
        }
        now += SignedDuration::from_mins(1);
    }
    for (number, expected) in [(0, 60 * hours), (1, 60 * hours), (2, hours)] {
        let runs = runs(&one, &agent(number)).await;
        let mut indexes: Vec<_> = runs.iter().map(|run| run.index).collect();
        indexes.sort_unstable();
        assert_eq!(indexes, (0..expected).collect::<Vec<_>>(), "of agent {number}");
        assert!(runs.iter().all(|run| run.missed == 0));
    }
    assert_eq!(by.iter().sum::<usize>() as u64, 121 * hours, "{by:?}");
}

#[tokio::test]
async fn processes_read_each_others_writes_and_idempotency_keys() {
    let one = App::start().await;
    let other = one.second_process().await;
    let records = one.service.records_of(TenantId::FIRST);
    let new =
        NewToken { name: "both".into(), grants: Grants::all([]), visible: Visibility::All, ..NewToken::default() };
    let (token, secret) = records.create_token(new).await.expect("a token");
    let (here, there) = (one.client_of(&secret), other.client_of(&secret));
    let post = || PostAccount { idempotency_key: Some("k".into()), body: account("Once") };
    let first = here.accounts().post_account(post()).await.expect("created");
    let again = there.accounts().post_account(post()).await.expect("answered");
    assert_eq!(again.idempotency_replayed, Some(true));
    assert_eq!(again.body, first.body);

    // Each process caches names by id.
    let name = async |client: &Client| {
        let id = first.body.result.as_ref().and_then(|account| account.id).expect("an id");
        let read = client.accounts().get_account_summary(id).await.expect("read");
        read.body.account_type.as_deref().expect("a name").to_owned()
    };
    assert_eq!(name(&here).await, name(&there).await);
    let file = tempfile::NamedTempFile::with_suffix(".json").expect("a file");
    std::fs::write(file.path(), r#"{"AccountTypes": [{"Id": 1, "Name": "Renamed"}]}"#).expect("written");
    let import = move || import::run(&records, &[file.path().to_path_buf()], None, &()).map(drop);
    tokio::task::spawn_blocking(import).await.expect("no panic").expect("imported");
    assert_eq!(name(&there).await, "Renamed");

    assert!(one.service.records_of(TenantId::FIRST).revoke_token(token.id).await.expect("revoked"));
    let error = there.accounts().post_account(post()).await.expect_err("revoked");
    assert_eq!(refusal(error).0, 401);
}

#[tokio::test]
async fn claimed_contents_survive_sweeps_and_expire() {
    let app = App::start().await;
    let client = app.client();
    let forget = async |text: &'static str| {
        let body = file(Part::bytes("a.txt", text));
        let request = PostAttachment { module_id: 1, object_id: 101, idempotency_key: None, body };
        let answer = client.attachments().post_attachment(request).await.expect("attached");
        let id = answer.body.result.into_option().expect("the attachment")[0].id.expect("an id");
        client.attachments().delete_attachments(id.to_string()).await.expect("deleted");
    };
    let location = Location::parse(app.store()).expect("a store");
    let options = Options { owner: Some(tests_postgres::for_owner(app.store())), ..Options::default() };
    forget("needed").await;
    let kept = KeptContents::keep(&location, &options).await.expect("kept");
    assert_eq!(sweep_later(&app, 2).await, 0);
    kept.end().await.expect("kept all the time");

    let kept = KeptContents::keep(&location, &options).await.expect("kept");
    // The connection that keeps them is lost.
    let keeps = "SELECT count(pg_terminate_backend(pid)) FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ShareLock'
                 AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
    assert_eq!(app.execute(keeps).await, "1");
    eventually("its lock is gone", async || app.execute(&keeps.replace("pg_terminate_backend(pid)", "*")).await == "0").await;
    assert_eq!(sweep_later(&app, 2).await, 1);
    assert!(matches!(kept.end().await, Err(Error::NotKept)));
}

#[tokio::test]
async fn a_sweep_does_not_remove_contents_uploaded_again() {
    let one = App::start().await;
    let other = one.second_process_with(|config| config.limits.calls_per_hour = 0).await;
    // The sweep may run between the claim and the record; then the caller is asked to retry.
    let client = other.client();
    let keep = async || loop {
        let body = file(Part::bytes("same.txt", "the same bytes"));
        let request = PostAttachment { module_id: 1, object_id: 101, idempotency_key: None, body };
        match client.attachments().post_attachment(request).await {
            Ok(answer) => break answer.body.result.into_option().expect("the attachment")[0].id.expect("an id"),
            Err(error) => assert_eq!(refusal(error).0, 503),
        }
    };
    let id = keep().await;
    client.attachments().delete_attachments(id.to_string()).await.expect("deleted");
    assert_eq!(sweep_later(&one, 2).await, 1, "contents without a record are removed");
    let uploads = join_all((0..2).map(|_| async {
        for _ in 0..50 {
            let id = keep().await;
            let answer = client.attachments().download_attachment(whole(id)).await.expect("the file");
            let DownloadAttachmentResponse::Ok { body, .. } = answer else { panic!("{answer:?}") };
            assert_eq!(body.bytes().await.expect("all bytes"), "the same bytes");
            client.attachments().delete_attachments(id.to_string()).await.expect("deleted");
        }
    }));
    let sweeps = async {
        loop {
            sweep_later(&one, 2).await;
        }
    };
    select(std::pin::pin!(sweeps), std::pin::pin!(uploads)).await;
    assert!(other.service.missing_blobs().await.expect("listed").is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_locked_agent_keeps_no_other_from_its_scan() {
    let app = App::start_with(|config| config.bounds.write = Duration::from_millis(500)).await;
    let records = agents(&app, 20).await;
    put(&app, agent(0), body(Repeat::Days, 1, "2035-01-01T00:00:00Z")).await;
    let good = stored(&app, &agent(0)).await;
    for number in 1..20 {
        keep(&records, agent(number), &good, "UTC", "2035-01-01T00:00:00Z").await;
    }
    let lock = format!(
        "SELECT 1 FROM agents WHERE id = '{0}' FOR UPDATE; SELECT 1 FROM scan_schedules WHERE agent_id = '{0}' FOR UPDATE",
        agent(0)
    );
    let held = hold(&for_owner(app.store()), &lock);
    let pass = scheduler::scan(&app.service, at("2035-01-01T12:00:00Z")).await.expect("scanned");
    assert_eq!((pass.done, pass.failed), (19, 1));
    drop(held);
    let pass = scheduler::scan(&app.service, at("2035-01-01T12:00:00Z")).await.expect("scanned");
    assert_eq!((pass.done, pass.failed), (1, 0));
}
