//! Conflicting writes on PostgreSQL: retried as a whole, a limited number of times.

use generated_client::accounts::PostAccount;
use tests_postgres::{log_statements, statements};

use crate::{
    app::App,
    records::{account, create, refusal},
    waiting::eventually,
};

/// Where a conflict occurs: at a statement, at the allocation of ids, and at commit.
const PLACES: [&str; 3] = [
    "TRIGGER conflicts BEFORE INSERT ON accounts FOR EACH STATEMENT",
    "TRIGGER conflicts BEFORE INSERT ON sequences FOR EACH STATEMENT",
    "CONSTRAINT TRIGGER conflicts AFTER INSERT ON accounts DEFERRABLE INITIALLY DEFERRED FOR EACH ROW",
];

/// Makes the next `times` writes there fail with this code. A sequence counts them, because it is not rolled
/// back.
async fn conflict(app: &App, place: &str, code: &str, times: u32) {
    app.execute(&format!(
        "DROP TRIGGER IF EXISTS conflicts ON accounts;
         DROP TRIGGER IF EXISTS conflicts ON sequences;
         DROP SEQUENCE IF EXISTS tries;
         CREATE SEQUENCE tries;
         CREATE OR REPLACE FUNCTION conflicts() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
             IF nextval('tries') <= {times} THEN RAISE EXCEPTION 'in the way' USING ERRCODE = '{code}'; END IF;
             RETURN NEW;
         END $$;
         CREATE {place} EXECUTE FUNCTION conflicts()"
    ))
    .await;
}

/// Another process, which has to allocate ids, once its work at startup is done: it ends with the query for the next due scan.
async fn anew(app: App) -> App {
    let looks = |app: &App| statements(app.store()).iter().filter(|sql| sql.contains("next_scan()")).count();
    let before = looks(&app);
    app.execute("DROP TRIGGER IF EXISTS conflicts ON accounts; DROP TRIGGER IF EXISTS conflicts ON sequences").await;
    let app = app.restart().await;
    eventually("the service has nothing to do by itself", async || looks(&app) > before).await;
    app
}

async fn counts(app: &App) -> (u32, u32) {
    let count = async |table| app.execute(&format!("SELECT count(*) FROM {table}")).await.parse().expect("a number");
    (count("accounts").await, count("audit_log").await)
}

#[tokio::test]
async fn conflicting_writes_are_retried_and_done_once() {
    let store = crate::store();
    log_statements(&store);
    let mut app = App::start_on(store, |_| {}).await;
    for place in PLACES {
        for code in ["40001", "40P01"] {
            app = anew(app).await;
            let (accounts, entries) = counts(&app).await;
            conflict(&app, place, code, 3).await;
            create(&app.client(), account("Anew")).await;
            assert_eq!(counts(&app).await, (accounts + 1, entries + 1), "{code} at {place}");
            assert!(app.execute("SELECT last_value FROM tries").await.parse::<u32>().expect("a number") >= 4);

            app = anew(app).await;
            let before = counts(&app).await;
            conflict(&app, place, code, 1000).await;
            let post = PostAccount { idempotency_key: None, body: account("Never") };
            let error = app.client().accounts().post_account(post).await.expect_err("it is given up");
            assert_eq!(refusal(error).0, 503, "{code} at {place}");
            assert_eq!(counts(&app).await, before, "{code} at {place}");
            assert_eq!(app.execute("SELECT last_value FROM tries").await, "6", "{code} at {place}");
        }
    }
}
