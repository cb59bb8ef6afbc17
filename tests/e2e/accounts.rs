//! Creating, reading, replacing and patching accounts.

use generated_client::{
    Client,
    accounts::*,
    models::*,
    runtime::json::{Maybe, Value},
};
use service::domain::caller::Visibility;

use crate::{
    app::App,
    records::{account, create, import, location, refusal},
};

#[tokio::test]
async fn an_account_is_created_with_its_locations_and_read_back() {
    let app = App::start().await;
    let client = app.client();
    let mut body = account("Rocket Works");
    body.account_code = Maybe::Value("RW-1".into());
    body.locations.push(location("Depot", false));
    let created = create(&client, body).await;
    let id = created.id.expect("an id");
    assert_eq!(created.account_name.as_deref(), Some("Rocket Works"));
    assert_eq!(created.account_type.as_deref().map(str::is_empty), Some(false), "names of references are filled in");
    assert_eq!(created.is_active, Some(true));
    assert!(created.created_on.value().is_some());
    assert!(created.website.is_null() && created.parent_id.is_null(), "what is not set is null");
    assert!(created.class_id.is_null() && created.class_name.is_null(), "the name of a reference, too");
    assert_eq!(created.credit_limit, Maybe::Value(5000.5));

    let read = client.accounts().get_account_summary(id).await.expect("the account").body;
    assert_eq!(read, created);
    let locations = read.locations.into_option().expect("locations");
    assert_eq!(locations.len(), 2);
    assert_eq!(locations[0].addresses.value().map(Vec::len), Some(1));

    let lookup = client.accounts().get_account_locations(id).await.expect("locations");
    let lookup = lookup.result.into_option().expect("locations");
    assert_eq!(lookup.iter().map(|location| location.is_main).collect::<Vec<_>>(), [Some(true), Some(false)]);
    let location_id = lookup[1].id.expect("an id");
    let one = client.accounts().get_account_location(GetAccountLocation { account_id: id, location_id }).await;
    let one = one.expect("the location").result.expect("the location");
    assert_eq!(one, locations[1]);
}

#[tokio::test]
async fn invalid_accounts_are_refused_as_a_whole() {
    let app = App::start().await;
    let client = app.client();
    let mut body = account("  ");
    body.account_type_id = 9999;
    body.locations = vec![location("A", true), location("B", true)];
    let error = client.accounts().post_account(PostAccount { idempotency_key: None, body }).await.expect_err("refused");
    let (status, texts) = refusal(error);
    assert_eq!(status, 422);
    let all = texts.join("\n");
    for place in ["/AccountName", "/Locations"] {
        assert!(all.contains(place), "{place} is missing in {all}");
    }

    let mut body = account("Fine");
    body.account_type_id = 9999;
    body.account_manager_id = 9999;
    body.parent_id = Maybe::Value(9999);
    let (status, texts) = refusal(
        client.accounts().post_account(PostAccount { idempotency_key: None, body }).await.expect_err("refused"),
    );
    assert_eq!((status, texts.len()), (422, 3), "{texts:?}");

    let total = async || {
        client
            .accounts()
            .get_accounts_list_summary(GetAccountsListSummary::default())
            .await
            .expect("a list")
            .body
            .total_records
    };
    let before = total().await;
    let mut body = account("Fine");
    body.locations[0].addresses[0].country = Maybe::Value("Atlantis".into());
    let (status, texts) = refusal(
        client.accounts().post_account(PostAccount { idempotency_key: None, body }).await.expect_err("refused"),
    );
    assert_eq!(status, 422);
    assert!(texts[0].contains("/Locations/0/Addresses/0/Country"), "{texts:?}");
    assert_eq!(total().await, before, "nothing is kept of what is refused");

    let answer = app
        .raw("POST /v2/crm/accounts HTTP/1.1\nhost: x\nauthorization: Bearer {token}\ncontent-type: application/json\nconnection: close\ncontent-length: 9\n\n{\"a\": 1,}")
        .await;
    assert!(answer.starts_with("HTTP/1.1 400"), "{answer}");
    let answer = app
        .raw("POST /v2/crm/accounts HTTP/1.1\nhost: x\nauthorization: Bearer {token}\ncontent-type: text/csv\nconnection: close\ncontent-length: 1\n\na")
        .await;
    assert!(answer.starts_with("HTTP/1.1 415"), "{answer}");
}

#[tokio::test]
async fn a_reference_is_given_by_id_by_name_or_by_both() {
    let app = App::start().await;
    let client = app.client();
    let with = |country_id, country: &str| {
        let mut body = account("Fine");
        let address = &mut body.locations[0].addresses[0];
        (address.country_id, address.country) = (country_id, Maybe::Value(country.into()));
        client.accounts().post_account(PostAccount { idempotency_key: None, body })
    };
    let created = with(Maybe::Absent, "UNITED states").await.expect("names are folded").body;
    let locations = created.result.expect("the account").locations.into_option().expect("its locations");
    let country = locations[0].addresses.value().expect("its addresses")[0].country_id;
    assert!(country.value().is_some(), "the id of the name");
    with(country, "United States").await.expect("both may be given");
    let (status, texts) = refusal(with(country, "Canada").await.expect_err("refused"));
    assert_eq!((status, texts.len()), (422, 1), "{texts:?}");
    assert!(texts[0].contains("which is not the name of country"), "{texts:?}");
}

#[tokio::test]
async fn put_replaces_everything_but_the_locations() {
    let app = App::start().await;
    let client = app.client();
    let created = create(&client, account("Before")).await;
    let id = created.id.expect("an id");
    let body = AccountPut {
        account_code: Maybe::Value("AFTER".into()),
        account_type_id: 2,
        account_name: "After".into(),
        website: Maybe::Value("https://after.example".into()),
        business_type_id: 1,
        account_manager_id: 12,
        is_active: Maybe::Value(false),
        ..Default::default()
    };
    let put = PutAccount { id, if_match: None, body: body.clone() };
    let changed = client.accounts().put_account(put).await.expect("replaced").result.expect("the account");
    assert_eq!(changed.account_name.as_deref(), Some("After"));
    assert_eq!(changed.account_type_id, Maybe::Value(2));
    assert!(changed.description.is_null() && changed.credit_limit.is_null(), "what is left out becomes null");
    assert_eq!(changed.is_active, Some(false));
    assert_eq!(changed.locations, created.locations);
    assert_eq!(changed.created_on, created.created_on);

    let error =
        client.accounts().put_account(PutAccount { id: 987_654, if_match: None, body }).await.expect_err("not there");
    assert_eq!(refusal(error).0, 404);
}

fn operation(op: &str, path: &str, value: Option<Value>) -> PatchOperation {
    PatchOperation { op: op.into(), path: path.into(), value, ..Default::default() }
}

#[tokio::test]
async fn a_patch_is_applied_in_any_letter_case_and_as_a_whole() {
    let app = App::start().await;
    let client = app.client();
    let created = create(&client, account("Patch me")).await;
    let id = created.id.expect("an id");
    let patch = |body: Vec<PatchOperation>| client.accounts().patch_account(PatchAccount { id, if_match: None, body });

    let changed = patch(vec![
        operation("test", "/AccountName", Some(Value::from("Patch me"))),
        operation("replace", "accountname", Some(Value::from("Patched"))),
        operation("add", "/website", Some(Value::from("https://patched.example"))),
        operation("remove", "/Description", None),
        PatchOperation { from: Maybe::Value("/AccountName".into()), ..operation("copy", "/AccountCode", None) },
    ])
    .await
    .expect("patched")
    .result
    .expect("the account");
    assert_eq!(changed.account_name.as_deref(), Some("Patched"));
    assert_eq!(changed.account_code.as_deref(), Some("Patched"));
    assert_eq!(changed.website.as_deref(), Some("https://patched.example"));
    assert!(changed.description.is_null());

    for (bad, place) in [
        (operation("test", "/AccountName", Some(Value::from("wrong"))), "/1/value"),
        (operation("replace", "/Id", Some(Value::from(7))), "/1/path"),
        (operation("replace", "/AccountTypeId", Some(Value::from("seven"))), "/AccountTypeId"),
        (operation("remove", "/AccountName", None), "/AccountName"),
        (operation("replace", "/AccountTypeId", Some(Value::from(9999))), "/AccountTypeId"),
        (operation("replace", "/ParentId", Some(id.into())), "/ParentId"),
        (operation("frobnicate", "/AccountName", None), "/1/op"),
    ] {
        let good = operation("replace", "/Website", Some(Value::from("https://never.example")));
        let (status, texts) = refusal(patch(vec![good, bad]).await.expect_err("refused"));
        assert_eq!(status, 422);
        assert!(texts[0].contains(place), "{texts:?}");
    }
    let many = vec![operation("test", "/AccountName", Some(Value::from("Patched"))); 101];
    assert_eq!(refusal(patch(many).await.expect_err("too many")).0, 422);
    let read = client.accounts().get_account_summary(id).await.expect("the account").body;
    assert_eq!(read, changed, "nothing of a refused patch is kept");
}

#[tokio::test]
async fn a_token_sees_its_accounts_only() {
    let app = App::start().await;
    let all = app.client();
    let mine = create(&all, account("Mine")).await.id.expect("an id");
    let other = create(&all, account("Other")).await.id.expect("an id");
    let limited = app.client_with(&["*"], &[], Visibility::Accounts([mine].into())).await;

    let listed = limited.accounts().get_accounts_list_summary(GetAccountsListSummary::default()).await.expect("listed");
    assert_eq!(listed.body.total_records, Some(1));
    let error = limited.accounts().get_account_summary(other).await.expect_err("hidden");
    assert_eq!(refusal(error).0, 404);
    let error = limited
        .accounts()
        .patch_account(PatchAccount { id: other, if_match: None, body: vec![] })
        .await
        .expect_err("hidden");
    assert_eq!(refusal(error).0, 404);

    for scoped in [Some(true), Some(false), None] {
        let lookup = GetAccounts { filter_with_security_scope: scoped, ..GetAccounts::default() };
        let found = limited.accounts().get_accounts(lookup).await.expect("a lookup").body.result;
        assert_eq!(found.value().map(Vec::len), Some(1), "{scoped:?}");
    }
    let error = limited
        .accounts()
        .post_account(PostAccount { idempotency_key: None, body: account("New") })
        .await
        .expect_err("refused");
    assert_eq!(refusal(error).0, 403);
}

#[tokio::test]
async fn a_token_that_only_writes_is_told_the_same_whether_something_changes_or_not() {
    let app = App::start().await;
    let id = create(&app.client(), account("Secret")).await.id.expect("an id");
    let writer = app.client_with(&["write:crm"], &[], Visibility::All).await;
    let patch = |body| writer.accounts().patch_account(PatchAccount { id, if_match: None, body });
    let rename = operation("replace", "/AccountName", Some(Value::from("Told")));
    let changed = patch(vec![rename.clone()]).await.expect("changed");
    assert_eq!(patch(vec![rename]).await.expect("unchanged"), changed);
    assert_eq!(patch(vec![]).await.expect("unchanged"), changed);
}

#[tokio::test]
async fn the_last_timestamp_is_stored_and_read_back() {
    let app = App::start().await;
    let client = app.client();
    let last = "9999-12-30T22:00:00Z".parse::<jiff::Timestamp>().expect("a moment");
    let body = AccountPost { acquired_date: Maybe::Value(last), ..account("Never") };
    let id = create(&client, body).await.id.expect("an id");
    let read = client.accounts().get_account_summary(id).await.expect("the account").body;
    assert!(read.acquired_date.value().is_some_and(|date| *date == last), "{:?}", read.acquired_date);
    client.accounts().patch_account(PatchAccount { id, if_match: None, body: vec![] }).await.expect("patched");
}

#[tokio::test]
async fn a_hidden_parent_reads_as_null_and_is_kept() {
    let app = App::start().await;
    let all = app.client();
    let hidden = create(&all, account("Hidden")).await.id.expect("an id");
    let parent_id = Maybe::Value(hidden);
    let mine = create(&all, AccountPost { parent_id, ..account("Mine") }).await.id.expect("an id");
    let sibling = create(&all, account("Sibling")).await.id.expect("an id");
    let limited = app.client_with(&["*"], &[], Visibility::Accounts([mine, sibling].into())).await;
    let parent = |client: Client, id| async move {
        client.accounts().get_account_summary(id).await.expect("seen").body.parent_id
    };
    let patch = |path: &str, value| PatchAccount {
        id: mine,
        if_match: None,
        body: vec![operation("replace", path, Some(value))],
    };

    assert_eq!(parent(limited.clone(), mine).await, Maybe::Null);
    limited.accounts().patch_account(patch("/Website", Value::from("https://mine.example"))).await.expect("changed");
    assert_eq!(parent(all.clone(), mine).await, Maybe::Value(hidden), "who cannot see it does not cut it off");

    // A hidden account and a missing one are refused with the same message.
    let refused = |parent: i32| {
        let call = limited.accounts().patch_account(patch("/ParentId", Value::from(i64::from(parent))));
        async move { refusal(call.await.expect_err("refused")) }
    };
    let (status, texts) = refused(hidden).await;
    let (missing, there) = (texts.join("").replace(&hidden.to_string(), "#"), refused(987_654).await);
    assert_eq!((status, missing), (422, there.1.join("").replace("987654", "#")));

    limited.accounts().patch_account(patch("/ParentId", Value::from(i64::from(sibling)))).await.expect("moved");
    assert_eq!(parent(all, mine).await, Maybe::Value(sibling));
}

#[tokio::test]
async fn sorting_by_parent_does_not_reveal_hidden_parents() {
    let app = App::start().await;
    let all = app.client();
    let make = async |name: &str, parent: Option<i32>| {
        let parent_id = parent.map_or(Maybe::Null, Maybe::Value);
        create(&all, AccountPost { parent_id, ..account(name) }).await.id.expect("an id")
    };
    let (lower, higher) = (make("Lower", None).await, make("Higher", None).await);
    let of_higher = make("Of the higher one", Some(higher)).await;
    let of_lower = make("Of the lower one", Some(lower)).await;
    let of_none = make("Of none", None).await;
    let of_seen = make("Of one that is seen", Some(of_none)).await;
    let expected = [of_higher, of_lower, of_none, of_seen];
    let limited = app.client_with(&["*"], &[], Visibility::Accounts(expected.into())).await;
    let listed = async |sort: &str, page: (i32, i32)| -> Vec<(i32, Option<i32>)> {
        let (page_number, page_size) = (Some(page.0), Some(page.1));
        let request = GetAccountsListSummary { sort: Some(sort.into()), page_number, page_size, ..Default::default() };
        let body = limited.accounts().get_accounts_list_summary(request).await.expect("listed").body;
        let records = body.result.into_option().expect("records").into_iter();
        records.map(|record| (record.id.expect("an id"), record.parent_id.into_option())).collect()
    };
    let parents = expected.map(|id| (id, (id == of_seen).then_some(of_none)));
    assert_eq!(listed("ParentId", (1, 10)).await, parents);
    assert_eq!(listed("ParentId desc", (1, 10)).await, parents.into_iter().rev().collect::<Vec<_>>());
    assert_eq!(listed("ParentId", (2, 2)).await, parents[2..]);
    assert_eq!(
        listed("ParentId,AccountName desc", (1, 10)).await[..3],
        [of_lower, of_higher, of_none].map(|id| (id, None))
    );
}

#[tokio::test]
async fn alerts_are_found_by_number_and_by_name() {
    let app = App::start().await;
    let client = app.client();
    let id = create(&client, account("Alerted")).await.id.expect("an id");
    let request = |account_id| GetAccountAlert { account_id, account_alert_type: AccountAlertType::NewTicket };
    let answer = client.accounts().get_account_alert(request(id)).await.expect("no alert is an answer");
    assert_eq!(answer.result.expect("an alert").details.value().map(Vec::len), Some(0));
    assert_eq!(refusal(client.accounts().get_account_alert(request(987_654)).await.expect_err("no account")).0, 404);

    for (kind, status) in [("1", 200), ("NewTicket", 200), ("newticket", 200), ("3", 400), ("Other", 400)] {
        let request = format!(
            "GET /v2/crm/accounts/{id}/alerts/{kind} HTTP/1.1\nhost: x\nauthorization: Bearer {{token}}\nconnection: close\n\n"
        );
        let answer = app.raw(&request).await;
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{kind}: {answer}");
    }
}

#[tokio::test]
async fn timestamps_out_of_range_are_refused() {
    let app = App::start().await;
    let client = app.client();
    let created = create(&client, account("Never")).await;
    let url = |path: &str| format!("http://{}/v2/crm/accounts{path}", app.address);
    let id = created.id.expect("an id");
    for moment in [
        "9999-12-31T23:59:59Z",
        "9999-12-31",
        "9999-12-30T22:00:00.5Z",
        "0000-01-01T00:00:00Z",
        "-000001-01-01T00:00:00Z",
    ] {
        let post = serde_json::json!({
            "AccountTypeId": 1, "AccountName": "Other", "BusinessTypeId": 1, "AccountManagerId": 12, "AcquiredDate": moment,
            "Locations": [{ "LocationName": "Main", "IsMain": true, "Addresses": [{}] }]
        });
        let mut put = post.clone();
        put.as_object_mut().expect("an object").remove("Locations");
        let patch = serde_json::json!([{ "op": "replace", "path": "/AcquiredDate", "value": moment }]);
        for (request, body) in [
            (app.http.post(url("")), post),
            (app.http.put(url(&format!("/{id}"))), put),
            (app.http.patch(url(&format!("/{id}"))), patch),
        ] {
            let answer = request
                .bearer_auth(app.token())
                .header("content-type", "application/json")
                .body(body.to_string())
                .send()
                .await
                .expect("an answer");
            let (status, text) = (answer.status(), answer.text().await.expect("text"));
            assert_eq!(status, 422, "{moment}: {text}");
            assert!(text.contains("/AcquiredDate"), "{moment}: {text}");
        }
    }
    let last = serde_json::json!([{ "op": "replace", "path": "/AcquiredDate", "value": "9999-12-30T22:00:00Z" }]);
    let kept = app
        .http
        .patch(url(&format!("/{id}")))
        .bearer_auth(app.token())
        .header("content-type", "application/json")
        .body(last.to_string())
        .send()
        .await
        .expect("sent");
    assert_eq!(kept.status(), 200);
    let found = client.accounts().get_account_summary(id).await.expect("it can be read").body;
    assert_eq!(found.acquired_date.value().map(ToString::to_string).as_deref(), Some("9999-12-30T22:00:00Z"));
}

#[tokio::test]
async fn a_test_compares_numbers_by_value() {
    let app = App::start().await;
    let client = app.client();
    let body = AccountPost { credit_limit: Maybe::Value(5000.0), ..account("Compared") };
    let id = create(&client, body).await.id.expect("an id");
    let url = format!("http://{}/v2/crm/accounts/{id}", app.address);
    for (value, status) in [
        ("5000", 200),
        ("5000.0", 200),
        ("5e3", 200),
        ("5000.00000", 200),
        ("5000.5", 422),
        ("\"5000\"", 422),
        ("null", 422),
    ] {
        let patch = format!(r#"[{{"op":"test","path":"/CreditLimit","value":{value}}}]"#);
        let request = app.http.patch(&url).bearer_auth(app.token()).header("content-type", "application/json");
        assert_eq!(request.body(patch).send().await.expect("an answer").status(), status, "{value}");
    }
}

/// An account as an import has it.
fn imported(id: i32, parent: Option<i32>) -> serde_json::Value {
    serde_json::json!({
        "Id": id, "AccountName": format!("Account {id}"), "AccountTypeId": 1, "BusinessTypeId": 1, "AccountManagerId": 12,
        "ParentId": parent
    })
}

#[tokio::test]
async fn an_import_and_a_patch_at_once_make_no_circle_of_parents() {
    let app = App::start().await;
    let client = app.client();
    for round in 0..8 {
        let (upper, lower) = (50_001 + 2 * round, 50_002 + 2 * round);
        import(&app, &serde_json::json!({ "Accounts": [imported(upper, None), imported(lower, None)] }))
            .await
            .expect("imported");
        let records = serde_json::json!({ "Accounts": [imported(lower, Some(upper))] });
        let operation = operation("replace", "/ParentId", Some(lower.into()));
        let patch = PatchAccount { id: upper, if_match: None, body: vec![operation] };
        let (imported, patched) = tokio::join!(import(&app, &records), client.accounts().patch_account(patch));
        assert!(imported.is_ok() != patched.is_ok(), "one of the two: {imported:?}, {patched:?}");
    }
}

#[tokio::test]
async fn accounts_stand_a_hundred_deep_however_they_are_written() {
    let app = App::start().await;
    let client = app.client();
    let chain = |length: i32| {
        let accounts = (0..length).map(|depth| imported(60_001 + depth, (depth > 0).then_some(60_000 + depth)));
        serde_json::json!({ "Accounts": accounts.collect::<Vec<_>>() })
    };
    import(&app, &chain(101)).await.expect_err("one too deep");
    import(&app, &chain(99)).await.expect("imported");
    let below = |parent: i32| AccountPost { parent_id: Maybe::Value(parent), ..account("Deep") };
    let deepest = create(&client, below(60_099)).await.id.expect("an id");
    let request = PostAccount { idempotency_key: None, body: below(deepest) };
    let (status, texts) = refusal(client.accounts().post_account(request).await.expect_err("one too deep"));
    assert_eq!(status, 422);
    assert!(texts[0].contains("/ParentId") && texts[0].contains("100 deep at most"), "{texts:?}");
    let operation = operation("replace", "/Description", Some("down here".into()));
    let patch = PatchAccount { id: deepest, if_match: None, body: vec![operation] };
    client.accounts().patch_account(patch).await.expect("the deepest can be changed");
}

#[tokio::test]
async fn what_moves_brings_its_own_depth() {
    let app = App::start().await;
    let client = app.client();
    let chain = |first: i32, length: i32| {
        let accounts = (first..first + length).map(|id| imported(id, (id > first).then_some(id - 1)));
        serde_json::json!({ "Accounts": accounts.collect::<Vec<_>>() })
    };
    import(&app, &chain(61_001, 60)).await.expect("imported");
    import(&app, &chain(62_001, 60)).await.expect("imported");
    let put = |parent: i32| {
        let operation = operation("replace", "/ParentId", Some(parent.into()));
        client.accounts().patch_account(PatchAccount { id: 62_001, if_match: None, body: vec![operation] })
    };
    let (status, texts) = refusal(put(61_041).await.expect_err("101 deep"));
    assert_eq!(status, 422);
    assert!(texts[0].contains("/ParentId") && texts[0].contains("100 deep at most"), "{texts:?}");
    let moved = |parent: i32| serde_json::json!({ "Accounts": [imported(62_001, Some(parent))] });
    import(&app, &moved(61_041)).await.expect_err("101 deep");
    put(61_040).await.expect("100 deep");
    import(&app, &moved(61_040)).await.expect("100 deep");
}

#[tokio::test]
async fn a_hidden_account_as_a_parent_is_refused_like_a_missing_one() {
    let app = App::start().await;
    let own = create(&app.client(), account("Own")).await.id.expect("an id");
    let below = AccountPost { parent_id: Maybe::Value(own), ..account("Hidden") };
    let hidden = create(&app.client(), below).await.id.expect("an id");
    let limited = app.client_with(&["*"], &[], Visibility::Accounts([own].into())).await;
    let mut answers = Vec::new();
    for parent in [hidden, 999_999] {
        let operation = operation("replace", "/ParentId", Some(parent.into()));
        let patch = PatchAccount { id: own, if_match: None, body: vec![operation] };
        let (status, texts) = refusal(limited.accounts().patch_account(patch).await.expect_err("refused"));
        answers.push((status, texts.join(";").replace(&parent.to_string(), "")));
    }
    assert_eq!(answers[0], answers[1]);
}
