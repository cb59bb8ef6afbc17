//! Copies of a store and its attachments from one database to the other and back.

use generated_client::{Client, Part, accounts::*, attachments::*, changes::*, runtime::json::Maybe};
use service::{cli, command, config::Config, doctor, domain::tenant::TenantId, export, folder::{Lock, STORE}, place, start};
use tests_s3::{BUCKET, Server};

use crate::{
    app::App,
    downloads::whole,
    records::{account, create, file},
};

const KEY: &str = "a-key-of-before";

/// The data of both stores.
struct Place {
    data: tempfile::TempDir,
    config: Config,
}

impl Place {
    fn new(store: &str, attachments: &str, server: &Server) -> Self {
        let data = tempfile::tempdir().expect("a temporary folder");
        let mut config = Config { data: data.path().into(), store: store.into(), time_zone: "UTC".into(), ..Config::default() };
        config.attachments = attachments.into();
        config.aws.0 = server.environment();
        Self { data, config }
    }

    fn file(&self) -> String {
        format!("sqlite:{}", self.data.path().join(STORE).display())
    }

    async fn serve(&self) -> App {
        let mine = self.config.clone();
        App::start_with(move |config| *config = mine).await
    }

    /// Every record, in export format.
    fn export(&self) -> String {
        let store = start::open_store_to_read(&self.config).expect("readable");
        let mut text = Vec::new();
        export::run(&store.tenant(TenantId::FIRST), &mut text).expect("exported");
        store.close();
        String::from_utf8(text).expect("UTF-8")
    }
}

async fn copy(config: &Config, from: &str, to: &str) -> Result<(), String> {
    let (from, to) = (Some(from.to_owned()), Some(to.to_owned()));
    let arguments = cli::Copy { from, to, attachments_from: None, attachments_to: None, quiet: true };
    command::copy(config, &arguments).await.map_err(|error| format!("{error:#}"))
}

/// The responses of every list that needs only a token.
async fn lists(app: &App) -> Vec<(String, serde_json::Value)> {
    let description = app.http.get(format!("http://{}/openapi.json", app.address)).send().await.expect("an answer");
    let description: serde_json::Value = serde_json::from_slice(&description.bytes().await.expect("all bytes")).expect("JSON");
    let mut answers = Vec::new();
    for (path, item) in description["paths"].as_object().expect("paths") {
        if path.contains('{') || item.get("get").is_none() {
            continue;
        }
        let request = app.http.get(format!("http://{}{path}", app.address)).bearer_auth(app.token());
        let answer = request.send().await.expect("an answer");
        if answer.status().is_success() {
            let bytes = answer.bytes().await.expect("all bytes");
            answers.push((path.clone(), serde_json::from_slice(&bytes).expect("JSON")));
        }
    }
    assert!(answers.len() > 15, "{} lists", answers.len());
    answers
}

async fn bytes(client: &Client, id: i32) -> Vec<u8> {
    match client.attachments().download_attachment(whole(id)).await.expect("downloaded") {
        DownloadAttachmentResponse::Ok { body, .. } => body.bytes().await.expect("all bytes").to_vec(),
        other => panic!("{other:?}"),
    }
}

async fn attach(client: &Client, bytes: Vec<u8>) -> i32 {
    let body = file(Part::bytes("file.bin", bytes));
    let request = PostAttachment { module_id: 1, object_id: 101, idempotency_key: None, body };
    let answer = client.attachments().post_attachment(request).await.expect("attached");
    answer.body.result.into_option().expect("the attachment")[0].id.expect("an id")
}

async fn post(client: &Client, name: &str) -> i32 {
    let request = PostAccount { idempotency_key: Some(KEY.into()), body: account(name) };
    client.accounts().post_account(request).await.expect("created").body.result.expect("the account").id.expect("an id")
}

async fn last_change(client: &Client) -> i64 {
    let request = GetChanges { after: Some(0), page_size: Some(1000) };
    let changes = client.changes().get_changes(request).await.expect("changes").body.result;
    changes.last().expect("a change").sequence
}

#[tokio::test]
async fn a_store_moves_to_postgresql_with_its_files_in_a_bucket_and_back() {
    let server = Server::start().await;
    let sqlite = Place::new("", "", &server);
    let url = tests_postgres::database();
    let postgres = Place::new(&url, &format!("s3://{BUCKET}/moved"), &server);

    let app = sqlite.serve().await;
    let client = app.client();
    let kept = post(&client, "Kept under a key").await;
    create(&client, account("ÄÖÜ \"quoted\" \\ and\nlines")).await;
    let mut child = account("The child of a later one");
    let parent = create(&client, account("Zz, the parent")).await.id;
    child.parent_id = Maybe::or_null(parent);
    create(&client, child).await;
    let (small, large) = (b"the content".to_vec(), vec![7_u8; 9 << 20]);
    let ids = [attach(&client, small.clone()).await, attach(&client, large.clone()).await];
    let before = lists(&app).await;
    let change = last_change(&client).await;
    let token = app.token().to_owned();
    app.stop().await;
    let serving = Lock::take(sqlite.data.path()).expect("not served");
    let refused = copy(&postgres.config, &sqlite.file(), &url).await.expect_err("it is served");
    assert!(refused.contains("is served by"), "{refused}");
    drop(serving);
    let exported = sqlite.export();

    copy(&postgres.config, &sqlite.file(), &url).await.expect("copied");
    assert_eq!(postgres.export(), exported);
    let refused = copy(&postgres.config, &sqlite.file(), &url).await.expect_err("it has rows");
    assert!(refused.contains("empty"), "{refused}");

    let app = postgres.serve().await;
    let client = app.client();
    assert_eq!(lists(&app).await, before);
    assert_eq!(bytes(&client, ids[0]).await, small);
    assert!(bytes(&client, ids[1]).await == large);
    let builder = Client::builder(&format!("http://{}", app.address)).expect("a URL");
    let same = builder.bearer_auth(&*token).build().expect("a client");
    assert_eq!(post(&same, "Kept under a key").await, kept, "it was done before");
    let moved = last_change(&client).await;
    assert!(moved >= change);
    let new = create(&client, account("New on PostgreSQL")).await.id.expect("an id");
    assert!(new > parent.expect("an id"));
    assert_eq!(last_change(&client).await, moved + 1, "numbers go on");
    assert!(attach(&client, b"new".to_vec()).await > ids[1]);
    let before = lists(&app).await;
    app.stop().await;
    let exported = postgres.export();

    let back = Place::new("", "", &server);
    copy(&postgres.config, &url, &back.file()).await.expect("copied back");
    assert_eq!(back.export(), exported);
    let place = place::Place::of(&back.config).expect("a place");
    let mut findings = doctor::examine(&place, true).await.expect("examined");
    // Only a separate process protects its files from other users.
    findings.retain(|finding| !finding.what.contains("open to others"));
    assert_eq!(findings, Vec::new());
    let app = back.serve().await;
    let client = app.client();
    assert_eq!(lists(&app).await, before);
    assert!(bytes(&client, ids[1]).await == large);
    assert!(create(&client, account("New on SQLite")).await.id.expect("an id") > new);
}

#[tokio::test]
async fn a_copy_belongs_to_the_role_that_the_settings_name_as_its_owner() {
    let server = Server::start().await;
    let sqlite = Place::new("", "", &server);
    let app = sqlite.serve().await;
    let before = lists(&app).await;
    app.stop().await;

    let url = tests_postgres::for_service(&tests_postgres::database());
    let mut postgres = Place::new(&url, &format!("s3://{BUCKET}/owned"), &server);
    postgres.config.store_owner = tests_postgres::for_owner(&url);
    copy(&postgres.config, &sqlite.file(), &url).await.expect("copied");
    command::migrate(&postgres.config).expect("nothing is left to do");
    postgres.config.store_owner.clear();
    let app = postgres.serve().await;
    assert_eq!(lists(&app).await, before);
    let dropped = std::panic::catch_unwind(|| tests_postgres::execute(&url, "DROP TABLE accounts"));
    assert!(dropped.is_err(), "the role of the service owns the tables");
}

#[tokio::test]
async fn a_store_without_permission_is_not_reported_as_missing() {
    let server = Server::start().await;
    let url = tests_postgres::for_service(&tests_postgres::database());
    let sqlite = Place::new("", "", &server);
    sqlite.serve().await.stop().await;
    let mut postgres = Place::new(&url, "", &server);
    copy(&postgres.config, &sqlite.file(), &tests_postgres::for_owner(&url)).await.expect("copied");

    let refused = start::open_store_to_read(&postgres.config).expect_err("it is the owner's");
    assert!(format!("{refused:#}").contains("permission denied"), "{refused:#}");
    postgres.config.store_owner = tests_postgres::for_owner(&url);
    command::migrate(&postgres.config).expect("the role may use it now");
    postgres.config.store_owner.clear();
    start::open_store_to_read(&postgres.config).expect("readable").close();
}
