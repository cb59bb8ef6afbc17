//! What callers may do to the connections that the service has to PostgreSQL, and to each other there.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

use futures_util::future::join_all;
use generated_client::{accounts::PostAccount, company_settings::GetCompanySettings};
use reqwest::StatusCode;
use service::domain::caller::Visibility;
use tests_postgres::{Durability, Server, execute, for_owner, hold};
use tokio::{
    io::{AsyncWriteExt as _, copy},
    net::{TcpListener, TcpStream, UnixStream},
};

use crate::{
    app::App,
    records::{account, refusal},
};

/// What reads the table that the tests hold, and what does not.
const HELD: &str = "/v2/crm/accounts/summary";
const FREE: &str = "/v2/admin/companysettings";

/// How many connections the service has to its database, and how many of them are at work.
fn connections(database: &str) -> (usize, usize) {
    let sql = "SELECT count(*), count(*) FILTER (WHERE state <> 'idle') FROM pg_stat_activity
               WHERE datname = current_database() AND usename = 'service'";
    let answer = execute(database, sql);
    let (all, at_work) = answer.trim().split_once('|').expect("two columns");
    (all.parse().expect("a number"), at_work.parse().expect("a number"))
}

/// The status of a GET, what `Retry-After` says, and how long it took.
async fn get(app: &App, path: &str) -> (StatusCode, Option<u32>, Duration) {
    let begin = Instant::now();
    let request = app.http.get(format!("http://{}{path}", app.address)).bearer_auth(app.token());
    let answer = request.send().await.expect("an answer");
    let wait = answer.headers().get("retry-after").and_then(|wait| wait.to_str().ok()?.parse().ok());
    (answer.status(), wait, begin.elapsed())
}

#[tokio::test(flavor = "multi_thread")]
async fn callers_who_hang_up_open_no_more_connections_than_there_may_be() {
    let app = App::start_with(|config| config.store_connections = 4).await;
    // With statements that the connections know, and with some that have to be prepared first, which waits for the table as well.
    join_all((0..16).map(|_| get(&app, HELD))).await;
    let database = for_owner(app.store());
    for path in [HELD, "/v2/crm/accounts/lookup"] {
        let held = hold(&database, "LOCK TABLE accounts");
        let (most, at_work) = hang_up(&app, &database, path, 50).await;
        assert!(most <= 4, "{most} connections");
        assert!(at_work <= 2, "{at_work} connections at work for one token, which has half of them");
        let (status, _, time) = get(&app, FREE).await;
        assert_eq!(status, StatusCode::OK);
        assert!(time < Duration::from_secs(2), "what nobody waits for is ended, and not waited for: {time:?}");
        drop(held);
        assert_eq!(get(&app, path).await.0, StatusCode::OK);
    }
}

/// Asks so often and does not wait for the answer; answers how many connections to the database there have been at once, and
/// how many at work.
async fn hang_up(app: &App, database: &str, path: &str, times: usize) -> (usize, usize) {
    let request = format!("GET {path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {}\r\n\r\n", app.token());
    let mut most = (0, 0);
    for _ in 0..times {
        let mut stream = TcpStream::connect(app.address).await.expect("connected");
        stream.write_all(request.as_bytes()).await.expect("sent");
        tokio::time::sleep(Duration::from_millis(30)).await;
        drop(stream);
        let now = connections(database);
        most = (most.0.max(now.0), most.1.max(now.1));
    }
    most
}

#[tokio::test(flavor = "multi_thread")]
async fn who_finds_too_many_waiting_is_told_to_come_again() {
    let app = App::start_with(|config| {
        config.store_connections = 1;
        config.limits.waiting_reads = 4;
        config.limits.read_seconds = 2;
    })
    .await;
    assert_eq!(get(&app, FREE).await.0, StatusCode::OK);
    let held = hold(&for_owner(app.store()), "LOCK TABLE accounts");
    let answers = join_all((0..20).map(|_| get(&app, HELD))).await;
    assert!(answers.iter().all(|(status, wait, _)| *status == StatusCode::SERVICE_UNAVAILABLE && wait.is_some()));
    let at_once = answers.iter().filter(|(_, _, time)| *time < Duration::from_secs(1)).count();
    assert!((15..20).contains(&at_once), "{answers:?}");
    assert_eq!(connections(&for_owner(app.store())).0, 1);
    drop(held);
    assert_eq!(get(&app, HELD).await.0, StatusCode::OK);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_token_leaves_connections_to_another() {
    let app = App::start_with(|config| config.store_connections = 4).await;
    let (client, other) = (app.client(), app.client_with(&["*"], &[], Visibility::All).await);
    let free = || other.company_settings().get_company_settings(GetCompanySettings::default()).into_future();
    free().await.expect("settings");
    let held = hold(&for_owner(app.store()), "LOCK TABLE accounts");
    let post = PostAccount { idempotency_key: None, body: account("Waits") };
    let reads = join_all((0..20).map(|_| get(&app, HELD)));
    let writes = join_all((0..20).map(|_| client.accounts().post_account(post.clone()).into_future()));
    let another = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        let begin = Instant::now();
        let answers = join_all((0..4).map(|_| free())).await;
        drop(held);
        (answers, begin.elapsed())
    };
    let (reads, writes, (answers, time)) = tokio::join!(reads, writes, another);
    assert!(answers.iter().all(Result::is_ok), "{answers:?}");
    assert!(time < Duration::from_secs(2), "{time:?}");
    assert!(reads.iter().all(|(status, ..)| *status == StatusCode::OK), "those who waited have their turn: {reads:?}");
    assert!(writes.iter().all(Result::is_ok));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_takes_too_long_is_ended_on_the_server() {
    let app = App::start_with(|config| {
        config.limits.read_seconds = 1;
        config.limits.write_seconds = 1;
    })
    .await;
    let working = || {
        app.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND usename = 'service'
             AND state <> 'idle'",
        )
    };
    let held = hold(&for_owner(app.store()), "LOCK TABLE accounts");
    let (status, wait, time) = get(&app, HELD).await;
    assert_eq!((status, wait), (StatusCode::SERVICE_UNAVAILABLE, Some(1)));
    assert!((Duration::from_secs(1)..Duration::from_secs(3)).contains(&time), "{time:?}");
    assert_eq!(working().await, "0");
    drop(held);

    // A write that waits for nobody, and does not end.
    app.execute(
        "CREATE FUNCTION sleeps() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(60); RETURN NEW; END $$;
         CREATE TRIGGER sleeps BEFORE INSERT ON accounts FOR EACH STATEMENT EXECUTE FUNCTION sleeps()",
    )
    .await;
    let begin = Instant::now();
    let post = PostAccount { idempotency_key: None, body: account("Slow") };
    let (status, texts) = refusal(app.client().accounts().post_account(post).await.expect_err("it takes too long"));
    assert_eq!((status, texts.as_slice()), (503, ["The service is busy; try again".to_owned()].as_slice()));
    assert!(begin.elapsed() < Duration::from_secs(10), "{:?}", begin.elapsed());
    assert_eq!(working().await, "0");
}

#[tokio::test(flavor = "multi_thread")]
async fn callers_who_hang_up_before_there_is_a_connection_open_no_more() {
    // Behind a server that takes connections, and is slow to answer.
    let server = Server::start(Durability::None);
    let database = server.database();
    let slow = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let port = slow.local_addr().expect("an address").port();
    let (socket, [open, most]) = (Arc::new(server.socket()), [const { AtomicUsize::new(0) }; 2].map(Arc::new));
    let counted = (Arc::clone(&open), Arc::clone(&most));
    tokio::spawn(async move {
        loop {
            let (mut caller, _) = slow.accept().await.expect("a connection");
            let (socket, (open, most)) = (Arc::clone(&socket), counted.clone());
            tokio::spawn(async move {
                // By then it is known which ones the service has closed before it made this one.
                tokio::time::sleep(Duration::from_millis(10)).await;
                most.fetch_max(open.fetch_add(1, Relaxed) + 1, Relaxed);
                tokio::time::sleep(Duration::from_millis(500)).await;
                let mut server = UnixStream::connect(&*socket).await.expect("the server");
                let (mut from_service, mut to_service) = caller.split();
                let (mut from_server, mut to_server) = server.split();
                tokio::select! {
                    _ = copy(&mut from_service, &mut to_server) => {}
                    _ = copy(&mut from_server, &mut to_service) => {}
                }
                open.fetch_sub(1, Relaxed);
            });
        }
    });
    let name = database.rsplit('/').next().expect("a name");
    let store = format!("postgres://service@127.0.0.1:{port}/{name}");
    let app = App::start_on(store, |config| {
        config.store_connections = 4;
        config.store_owner.clone_from(&database);
    })
    .await;
    execute(&database, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'service'");
    tokio::time::sleep(Duration::from_millis(100)).await;
    most.store(0, Relaxed);
    hang_up(&app, &database, HELD, 30).await;
    assert!((1..=4).contains(&most.load(Relaxed)), "{most:?} connections");
    assert_eq!(get(&app, HELD).await.0, StatusCode::OK);
}
