//! Responses when PostgreSQL fails.

use reqwest::StatusCode;

use crate::app::App;

/// A full disk, and lost connections as PgBouncer and similar programs report them.
const FAILURES: [&str; 4] = ["53100", "08006", "08003", "08P01"];

#[tokio::test]
async fn a_failed_read_gets_retry_after() {
    let app = App::start().await;
    app.execute(
        "CREATE FUNCTION fails() RETURNS boolean LANGUAGE sql AS 'SELECT false';
         CREATE POLICY fails ON accounts AS RESTRICTIVE FOR SELECT USING (fails())",
    )
    .await;
    for code in FAILURES {
        app.execute(&format!(
            "CREATE OR REPLACE FUNCTION fails() RETURNS boolean LANGUAGE plpgsql AS
                 $$ BEGIN RAISE EXCEPTION 'it fails' USING ERRCODE = '{code}'; END $$"
        ))
        .await;
        let url = format!("http://{}/v2/crm/accounts/summary", app.address);
        let answer = app.http.get(url).bearer_auth(app.token()).send().await.expect("an answer");
        assert_eq!(answer.status(), StatusCode::SERVICE_UNAVAILABLE, "{code}");
        assert!(answer.headers().contains_key("retry-after"), "{code}");
    }
}
