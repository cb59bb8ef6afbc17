//! The connections to PostgreSQL: limits, quotas, and abandoned requests.

use std::{
    io::{ErrorKind, Read as _, Write as _},
    net::{self, SocketAddr},
    os::unix::net::UnixStream,
    path::PathBuf,
    sync::{Arc, Mutex},
    thread,
    time::Duration,
};

use futures_util::{StreamExt as _, future::join_all, stream::FuturesUnordered};
use generated_client::{
    accounts::{GetAccounts, PostAccount},
    assignees::GetAssignees,
    company_settings::GetCompanySettings,
    runtime::json,
};
use reqwest::StatusCode;
use service::domain::caller::Visibility;
use tests_postgres::{Durability, Server, execute, for_owner, hold};
use tokio::{io::AsyncWriteExt as _, net::TcpStream};

use crate::{
    app::App,
    records::{account, refusal},
    waiting::{answered, eventually},
};

/// A path that reads the table locked by the tests, and one that does not.
const HELD: &str = "/v2/crm/accounts/summary";
const FREE: &str = "/v2/admin/companysettings";

/// The number of connections to the service's database, and of those that are active.
fn connections(database: &str) -> (usize, usize) {
    let sql = "SELECT count(*), count(*) FILTER (WHERE state <> 'idle') FROM pg_stat_activity
               WHERE datname = current_database() AND usename = 'service'";
    let answer = execute(database, sql);
    let (all, at_work) = answer.trim().split_once('|').expect("two columns");
    (all.parse().expect("a number"), at_work.parse().expect("a number"))
}

/// A limit that no test reaches: anything that ends earlier has another reason.
const NEVER: u64 = 3600;

/// The status of a GET, and its `Retry-After`.
async fn get(app: &App, path: &str) -> (StatusCode, Option<u32>) {
    let request = app.http.get(format!("http://{}{path}", app.address)).bearer_auth(app.token());
    let answer = request.send().await.expect("an answer");
    let wait = answer.headers().get("retry-after").and_then(|wait| wait.to_str().ok()?.parse().ok());
    (answer.status(), wait)
}

#[tokio::test(flavor = "multi_thread")]
async fn disconnecting_callers_do_not_exceed_the_connection_limit() {
    let app = App::start_with(|config| {
        config.store_connections = 5;
        config.bounds.read = Duration::from_secs(NEVER);
    })
    .await;
    // With prepared statements, and with new ones: preparing also waits for the table.
    join_all((0..16).map(|_| get(&app, HELD))).await;
    let database = for_owner(app.store());
    for path in [HELD, "/v2/crm/accounts/lookup"] {
        let held = hold(&database, "LOCK TABLE accounts");
        let (most, at_work) = hang_up(&app, &database, path, 50).await;
        assert!(most <= 5, "{most} connections");
        assert!(at_work <= 2, "{at_work} connections at work for one token, which has half of them");
        // The table is still locked: abandoned reads were cancelled.
        assert_eq!(answered(get(&app, FREE)).await.0, StatusCode::OK);
        drop(held);
        assert_eq!(get(&app, path).await.0, StatusCode::OK);
    }
}

/// Sends this many requests and disconnects; returns the maximum number of connections to the database, and
/// of active ones.
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
async fn a_full_queue_responds_with_retry_after() {
    let app = App::start_with(|config| {
        // One connection allocates ids; of the others, one looks up the token while the other waits for the table.
        config.store_connections = 3;
        // A token's quota is a quarter of one short read and 19 waiting ones.
        config.bounds.waiting_reads = 19;
        config.bounds.read = Duration::from_secs(NEVER);
    })
    .await;
    assert_eq!(get(&app, FREE).await.0, StatusCode::OK);
    let held = hold(&for_owner(app.store()), "LOCK TABLE accounts");
    let mut answers: FuturesUnordered<_> = (0..20).map(|_| get(&app, HELD)).collect();
    // One reads and four wait while the table is locked.
    for _ in 0..15 {
        let (status, wait) = answered(answers.next()).await.expect("an answer");
        assert_eq!((status, wait.is_some()), (StatusCode::SERVICE_UNAVAILABLE, true));
    }
    eventually("one connection reads", async || connections(&for_owner(app.store())).1 == 1).await;
    assert!(connections(&for_owner(app.store())).0 <= 3);
    drop(held);
    let waited: Vec<_> = answers.map(|(status, _)| status).collect().await;
    assert_eq!(waited, [StatusCode::OK; 5]);
}

#[tokio::test(flavor = "multi_thread")]
async fn bodies_of_requests_that_wait_for_the_database_are_held() {
    let app = App::start_with(|config| {
        // One token has room for a quarter.
        config.bounds.held_bytes = 4 << 20;
        config.bounds.write = Duration::from_secs(NEVER);
    })
    .await;
    assert_eq!(get(&app, FREE).await.0, StatusCode::OK);
    let body = [json::to_vec(&account("Waits")), vec![b' '; 600_000]].concat();
    let post = async || {
        let request = app.http.post(format!("http://{}/v2/crm/accounts", app.address)).bearer_auth(app.token());
        let request = request.header("content-type", "application/json").body(body.clone());
        request.send().await.expect("an answer").status()
    };
    let database = for_owner(app.store());
    let held = hold(&database, "LOCK TABLE accounts");
    let another = async {
        eventually("the first waits", async || connections(&database).1 == 1).await;
        let status = answered(post()).await;
        drop(held);
        status
    };
    let (first, second) = tokio::join!(post(), another);
    assert_eq!([first, second], [StatusCode::OK, StatusCode::SERVICE_UNAVAILABLE]);
    assert_eq!(post().await, StatusCode::OK);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_token_leaves_connections_to_another() {
    let app = App::start_with(|config| {
        // One allocates ids; of the others, 2 are for long reads, 6 for short reads and writes.
        config.store_connections = 9;
        config.bounds.read = Duration::from_secs(NEVER);
        config.bounds.write = Duration::from_secs(NEVER);
    })
    .await;
    let (client, other) = (app.client(), app.client_with(&["*"], &[], Visibility::All).await);
    let free = || other.company_settings().get_company_settings(GetCompanySettings::default()).into_future();
    free().await.expect("settings");
    let database = for_owner(app.store());
    let held = hold(&database, "LOCK TABLE accounts");
    let post = PostAccount { idempotency_key: None, body: account("Waits") };
    let reads = join_all((0..20).map(|_| get(&app, HELD)));
    let writes = join_all((0..20).map(|_| client.accounts().post_account(post.clone()).into_future()));
    let another = async {
        eventually("one token has its share", async || connections(&database).1 == 3).await;
        let answers = answered(join_all((0..4).map(|_| free()))).await;
        drop(held);
        answers
    };
    let (reads, writes, answers) = tokio::join!(reads, writes, another);
    assert!(answers.iter().all(Result::is_ok), "{answers:?}");
    assert!(reads.iter().all(|(status, _)| *status == StatusCode::OK), "those who waited have their turn: {reads:?}");
    assert!(writes.iter().all(Result::is_ok));
}

#[tokio::test(flavor = "multi_thread")]
async fn long_reads_leave_connections_to_short_reads() {
    let app = App::start_with(|config| {
        // One allocates ids; of the others, 4 are for long reads and 12 for short ones.
        config.store_connections = 17;
        config.bounds.read = Duration::from_secs(NEVER);
    })
    .await;
    let other = app.client_with(&["*"], &[], Visibility::All).await;
    let page = GetAssignees { page_size: Some(1), ..GetAssignees::default() };
    let short = || other.assignees().get_assignees(page.clone()).into_future();
    short().await.expect("assignees");
    let database = for_owner(app.store());
    let held = hold(&database, "LOCK TABLE accounts");
    let first = join_all((0..20).map(|_| app.client().accounts().get_accounts(GetAccounts::default()).into_future()));
    let second = join_all((0..20).map(|_| other.accounts().get_accounts(GetAccounts::default()).into_future()));
    let others = async {
        eventually("long reads have their share", async || connections(&database).1 == 4).await;
        let answers = answered(join_all((0..8).map(|_| short()))).await;
        let at_work = connections(&database).1;
        drop(held);
        (answers, at_work)
    };
    let (first, second, (answers, at_work)) = tokio::join!(first, second, others);
    assert!(answers.iter().all(Result::is_ok), "{answers:?}");
    assert_eq!(at_work, 4, "no more long reads run once others have been answered");
    assert!(first.iter().chain(&second).all(Result::is_ok));
}

#[tokio::test(flavor = "multi_thread")]
async fn slow_statements_are_cancelled_on_the_server() {
    let app = App::start_with(|config| {
        config.bounds.read = Duration::from_secs(1);
        config.bounds.write = Duration::from_secs(1);
    })
    .await;
    let working = || {
        app.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND usename = 'service'
             AND state <> 'idle'",
        )
    };
    let held = hold(&for_owner(app.store()), "LOCK TABLE accounts");
    assert_eq!(answered(get(&app, HELD)).await, (StatusCode::SERVICE_UNAVAILABLE, Some(1)));
    assert_eq!(working().await, "0");
    drop(held);

    // A write that never ends, without waiting for a lock.
    app.execute(
        "CREATE FUNCTION sleeps() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(3600); RETURN NEW; END $$;
         CREATE TRIGGER sleeps BEFORE INSERT ON accounts FOR EACH STATEMENT EXECUTE FUNCTION sleeps()",
    )
    .await;
    let post = PostAccount { idempotency_key: None, body: account("Slow") };
    let written = answered(app.client().accounts().post_account(post).into_future()).await;
    let (status, texts) = refusal(written.expect_err("it takes too long"));
    assert_eq!((status, texts.as_slice()), (503, ["The service is busy; try again".to_owned()].as_slice()));
    assert_eq!(working().await, "0");
}

#[tokio::test(flavor = "multi_thread")]
async fn callers_that_disconnect_while_queued_open_no_connections() {
    let server = Server::start(Durability::None);
    let database = server.database();
    let gate = Gate::start(server.socket());
    let name = database.rsplit('/').next().expect("a name");
    let app = App::start_on(format!("postgres://service@{}/{name}", gate.address), |config| {
        config.store_connections = 5;
        config.store_owner.clone_from(&database);
    })
    .await;
    gate.close();
    execute(&database, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'service'");
    hang_up(&app, &database, HELD, 30).await;
    let most = gate.open();
    assert!((1..=4).contains(&most), "{most} connections");
    eventually("the service reads again", async || get(&app, HELD).await.0 == StatusCode::OK).await;
}

/// A connection, and the bytes read from it.
type Held = (net::TcpStream, Vec<u8>);

/// A proxy in front of a server: while it is closed, it accepts connections and forwards nothing.
struct Gate {
    address: SocketAddr,
    /// The connections accepted while it was closed, with the bytes read from each; `None` while it is open.
    held: Arc<Mutex<Option<Vec<Held>>>>,
    most: Arc<Mutex<usize>>,
    socket: PathBuf,
}

impl Gate {
    fn start(socket: PathBuf) -> Self {
        let listener = net::TcpListener::bind("127.0.0.1:0").expect("a free port");
        let gate = Self {
            address: listener.local_addr().expect("an address"),
            held: Arc::default(),
            most: Arc::default(),
            socket: socket.clone(),
        };
        let (held, most) = (Arc::clone(&gate.held), Arc::clone(&gate.most));
        thread::spawn(move || {
            for caller in listener.incoming() {
                let caller = caller.expect("a connection");
                let mut held = held.lock().expect("no panic");
                let Some(held) = held.as_mut() else {
                    pass(caller, &[], &socket);
                    continue;
                };
                caller.set_nonblocking(true).expect("not blocking");
                held.push((caller, Vec::new()));
                // Connections that the service has closed by now are at their end.
                held.retain_mut(is_open);
                let mut most = most.lock().expect("no panic");
                *most = most.max(held.len());
            }
        });
        gate
    }

    fn close(&self) {
        *self.held.lock().expect("no panic") = Some(Vec::new());
    }

    /// Forwards what was held; returns the maximum number of open connections.
    fn open(&self) -> usize {
        for (caller, read) in self.held.lock().expect("no panic").take().into_iter().flatten() {
            caller.set_nonblocking(false).expect("blocking");
            pass(caller, &read, &self.socket);
        }
        *self.most.lock().expect("no panic")
    }
}

fn is_open((caller, read): &mut (net::TcpStream, Vec<u8>)) -> bool {
    let mut buffer = [0; 4096];
    loop {
        match caller.read(&mut buffer) {
            Ok(0) => return false,
            Ok(bytes) => read.extend(&buffer[..bytes]),
            Err(error) => return error.kind() == ErrorKind::WouldBlock,
        }
    }
}

fn pass(caller: net::TcpStream, read: &[u8], socket: &PathBuf) {
    let mut server = UnixStream::connect(socket).expect("the server");
    server.write_all(read).expect("written");
    let (mut from, mut to) = (caller.try_clone().expect("a socket"), server.try_clone().expect("a socket"));
    // The end of either side ends the other.
    thread::spawn(move || {
        let _ = std::io::copy(&mut from, &mut to);
        let _ = to.shutdown(net::Shutdown::Both);
    });
    let mut caller = caller;
    thread::spawn(move || {
        let _ = std::io::copy(&mut server, &mut caller);
        let _ = caller.shutdown(net::Shutdown::Both);
    });
}
