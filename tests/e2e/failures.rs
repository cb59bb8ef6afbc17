//! What callers are told when the disk of PostgreSQL fails.

use reqwest::StatusCode;

use crate::app::App;

#[tokio::test]
async fn a_read_that_finds_no_room_is_told_to_come_again() {
    let app = App::start().await;
    app.execute(
        "CREATE FUNCTION disk_is_full() RETURNS boolean LANGUAGE plpgsql AS
             $$ BEGIN RAISE EXCEPTION 'could not write to file' USING ERRCODE = '53100'; END $$;
         CREATE POLICY disk_is_full ON accounts AS RESTRICTIVE FOR SELECT USING (disk_is_full())",
    );
    let url = format!("http://{}/v2/crm/accounts/summary", app.address);
    let answer = app.http.get(url).bearer_auth(app.token()).send().await.expect("an answer");
    assert_eq!(answer.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert!(answer.headers().contains_key("retry-after"));
}
