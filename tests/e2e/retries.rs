//! Conflicting writes on PostgreSQL: retried as a whole, a limited number of times.

use generated_client::{accounts::PostAccount, models::AccountPost};

use crate::{
    app::App,
    records::{account, create, location, refusal},
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

/// An account that needs more location ids than a block has, so that new ids are allocated.
fn large(name: &str) -> AccountPost {
    let locations = (0..20).map(|number| location(&format!("{number}"), number == 0)).collect();
    AccountPost { locations, ..account(name) }
}

async fn counts(app: &App) -> (u32, u32) {
    let count = async |table| app.execute(&format!("SELECT count(*) FROM {table}")).await.parse().expect("a number");
    (count("accounts").await, count("audit_log").await)
}

#[tokio::test]
async fn conflicting_writes_are_retried_and_done_once() {
    let app = App::start().await;
    for place in PLACES {
        for code in ["40001", "40P01"] {
            let (accounts, entries) = counts(&app).await;
            conflict(&app, place, code, 3).await;
            create(&app.client(), large("Anew")).await;
            assert_eq!(counts(&app).await, (accounts + 1, entries + 1), "{code} at {place}");
            assert!(app.execute("SELECT last_value FROM tries").await.parse::<u32>().expect("a number") >= 4);

            conflict(&app, place, code, 1000).await;
            let post = PostAccount { idempotency_key: None, body: large("Never") };
            let error = app.client().accounts().post_account(post).await.expect_err("it is given up");
            assert_eq!(refusal(error).0, 503, "{code} at {place}");
            assert_eq!(counts(&app).await, (accounts + 1, entries + 1), "{code} at {place}");
            assert_eq!(app.execute("SELECT last_value FROM tries").await, "6", "{code} at {place}");
        }
    }
}
