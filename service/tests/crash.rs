//! The process is killed while it writes, twenty times; what it has acknowledged must be there afterwards.

use std::{
    io::{BufRead as _, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use generated_client::{
    Client,
    accounts::{GetAccountSummary, GetAccountsListSummary, PostAccount},
    models::{AccountLocationAddressInputDto, AccountLocationInputDto, AccountPostInputDto},
    runtime::json::Maybe,
};

const KILLS: u32 = 20;
const WRITERS: usize = 16;

/// A service in a process of its own.
struct Process {
    child: Child,
    url: String,
}

impl Process {
    fn start(data: &Path) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_service"))
            .args(["--listen", "127.0.0.1:0", "--log", "info"])
            .arg("--data")
            .arg(data)
            .env("SERVICE_SAMPLE", "true")
            .env("SERVICE_LIMITS__CALLS_PER_HOUR", "0")
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the service starts");
        let mut lines = BufReader::new(child.stderr.take().expect("a pipe")).lines();
        let url = lines
            .by_ref()
            .map_while(Result::ok)
            .find_map(|line| line.split_once("listening on ").map(|(_, url)| url.trim().to_owned()))
            .expect("the service says where it listens");
        // A full pipe would stop the service.
        std::thread::spawn(move || lines.for_each(drop));
        Self { child, url }
    }

    /// SIGKILL: no handler runs, nothing is flushed.
    fn kill(mut self) {
        self.child.kill().expect("killed");
        self.child.wait().expect("ended");
    }
}

fn token(data: &Path) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_service"))
        .arg("--data")
        .arg(data)
        .args(["token", "create", "crash", "--all"])
        .output()
        .expect("the command runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("text");
    text.split_whitespace().find(|word| word.starts_with("bms_")).expect("a token").to_owned()
}

fn account(name: String) -> PostAccount {
    let address = AccountLocationAddressInputDto {
        city: Maybe::Value("Springfield".into()),
        ..AccountLocationAddressInputDto::default()
    };
    let location =
        AccountLocationInputDto { is_main: Some(true), ..AccountLocationInputDto::new("Main", vec![address]) };
    PostAccount { idempotency_key: None, body: AccountPostInputDto::new(1, name, 1, 12, vec![location]) }
}

/// Creates accounts until the service is gone; answers the ids that were acknowledged.
async fn write(client: Client, name: String, dead: Arc<AtomicBool>) -> Vec<i32> {
    let mut acknowledged = Vec::new();
    let mut number = 0;
    while !dead.load(Ordering::Relaxed) {
        number += 1;
        let call =
            client.accounts().post_account(account(format!("{name}-{number}"))).retry(generated_client::Retry::never());
        match call.await {
            Ok(answer) => acknowledged.push(answer.body.result.and_then(|account| account.id).expect("an id")),
            Err(_) => return acknowledged,
        }
    }
    acknowledged
}

#[tokio::test(flavor = "multi_thread")]
async fn no_acknowledged_write_is_lost_and_none_is_half_there() {
    let data = tempfile::tempdir().expect("a temporary folder");
    Process::start(data.path()).kill();
    let token = token(data.path());
    let mut expected = Vec::new();
    let mut slowest = Duration::ZERO;
    for round in 0..KILLS {
        let begin = Instant::now();
        let process = Process::start(data.path());
        slowest = slowest.max(begin.elapsed());
        let client = Client::builder(&process.url).expect("a URL").bearer(&token).build().expect("a client");
        let dead = Arc::new(AtomicBool::new(false));
        let writers: Vec<_> = (0..WRITERS)
            .map(|writer| tokio::spawn(write(client.clone(), format!("{round}-{writer}"), Arc::clone(&dead))))
            .collect();
        // 5 to 500 ms, spread so that start, group commit and checkpoint are all hit.
        tokio::time::sleep(Duration::from_millis(5 + u64::from(round * 37 % 100) * 5)).await;
        dead.store(true, Ordering::Relaxed);
        process.kill();
        for writer in writers {
            expected.extend(writer.await.expect("a writer does not panic"));
        }
    }

    let process = Process::start(data.path());
    let client = Client::builder(&process.url).expect("a URL").bearer(&token).build().expect("a client");
    assert!(expected.len() > 100, "only {} writes were acknowledged: the test proves little", expected.len());
    for id in &expected {
        let account = client.accounts().get_account_summary(GetAccountSummary { id: *id }).await;
        account.unwrap_or_else(|error| panic!("account {id} was acknowledged and is gone: {error}"));
    }
    let mut page = 1;
    loop {
        let request = GetAccountsListSummary {
            page_size: Some(1000),
            page_number: Some(page),
            ..GetAccountsListSummary::default()
        };
        let accounts = client.accounts().get_accounts_list_summary(request).await.expect("a list").body;
        let accounts = accounts.result.into_option().expect("records");
        if accounts.is_empty() {
            break;
        }
        for account in accounts {
            let locations = account.locations.into_option().expect("locations");
            let addresses = locations.iter().map(|location| location.addresses.value().map_or(0, Vec::len)).min();
            assert!(addresses >= Some(1), "account {:?} is half there", account.id);
        }
        page += 1;
    }
    process.kill();
    assert!(slowest < Duration::from_secs(2), "a restart took {slowest:?}");
}
