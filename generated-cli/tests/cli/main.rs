//! The commands against the real service, through the program.

mod program;

use std::process::Stdio;
use std::sync::Arc;

use program::Run;
use service::config::Config;
use service::start;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::net::TcpListener;
use tokio::process::Command;

const PROGRAM: &str = env!("CARGO_BIN_EXE_bms");

/// A location of an account.
const MAIN: &str = r#"{"LocationName":"Main","IsMain":true,"Addresses":[{"City":"Springfield"}]}"#;

/// A service with the sample data.
struct Service {
    url: String,
    token: String,
    data: TempDir,
}

impl Service {
    async fn start() -> Self {
        let data = tempfile::tempdir().expect("a temporary folder");
        let config = Config { data: data.path().to_path_buf(), time_zone: "UTC".into(), ..Config::default() };
        let opened = start::open(Arc::new(config)).await.expect("the service opens");
        let token = opened.token.expect("the first start makes a token").reveal().to_owned();
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        tokio::spawn(start::serve(opened.service, listener, None, std::future::pending()));
        Self { url, token, data }
    }

    async fn bms(&self, words: &[&str]) -> Run {
        self.bms_reading(words, "").await
    }

    async fn bms_reading(&self, words: &[&str], input: &str) -> Run {
        let environment = [("BMS_URL", self.url.as_str()), ("BMS_BEARER_AUTH", &self.token)];
        let run = program::run(PROGRAM, words, &environment, input).await;
        assert!(!format!("{run:?}").contains(&self.token), "{run:?}");
        run
    }

    /// Creates an account by flags and returns its id.
    async fn account(&self, name: &str) -> String {
        let words = ["accounts", "post-account", "--account-name", name, "--account-type-id=1", "--business-type-id", "1"];
        let words = [words.as_slice(), &["--account-manager-id", "12", "--locations", MAIN]].concat();
        self.bms(&words).await.json()["Result"]["Id"].to_string()
    }
}

#[tokio::test]
async fn flags_and_standard_input_make_and_change_an_account() {
    let service = Service::start().await;
    let id = service.account("Flags Ltd").await;
    let found = service.bms(&["accounts", "get-account-summary", &id]).await;
    assert_eq!(found.json()["AccountName"], "Flags Ltd");
    assert_eq!(found.stdout.lines().count(), 1, "a pipe gets compact JSON");

    let patch = r#"[{"op":"replace","path":"/Description","value":"By pipe"}]"#;
    let changed = service.bms_reading(&["accounts", "patch-account", &id, "--body", "-"], patch).await.json();
    assert_eq!(changed["Result"]["Description"], "By pipe", "{changed}");

    let whole = format!(
        r#"{{"AccountName":"Unused","AccountTypeId":1,"BusinessTypeId":1,"AccountManagerId":12,"Locations":[{MAIN}]}}"#
    );
    let post = ["accounts", "post-account", "--account-name=By flag", "--body", "-"];
    let made = service.bms_reading(&post, &whole).await.json();
    assert_eq!(made["Result"]["AccountName"], "By flag", "{made}");
}

#[tokio::test]
async fn a_file_is_uploaded_and_downloaded() {
    let service = Service::start().await;
    let id = service.account("Files Ltd").await;
    let path = service.data.path().join("notes.txt");
    std::fs::write(&path, "hello").expect("a file");
    let file = format!("@{}", path.display());
    let sent = service.bms(&["attachments", "post-attachment", "1", &id, "--form-file", &file]).await.json();
    assert_eq!(sent["Result"][0]["OriginalFileName"], "notes.txt", "{sent}");
    let attachment = sent["Result"][0]["Id"].to_string();

    let download = ["attachments", "download-attachment", "1", &id, &attachment];
    assert_eq!(service.bms(&download).await.stdout, "hello");
    let copy = service.data.path().join("copy");
    let run = service.bms(&[&download[..], &["--out", copy.to_str().expect("UTF-8")]].concat()).await;
    assert_eq!((run.code, run.stdout.as_str()), (Some(0), ""), "{run:?}");
    assert_eq!(std::fs::read_to_string(copy).expect("a file"), "hello");

    let piped = service.bms_reading(&["attachments", "post-attachment", "1", &id, "--form-file", "-"], "piped").await;
    assert_eq!(piped.json()["Result"][0]["OriginalFileName"], "stdin");
}

#[tokio::test]
async fn lists_are_tables_lines_and_pages() {
    let service = Service::start().await;
    for number in 0..5 {
        service.account(&format!("Paged {number}")).await;
    }
    let list = ["accounts", "get-accounts-list-summary", "--filter-account-name", "Paged", "--page-size", "2"];
    let with = |more: &[&'static str]| [&list[..], more].concat();

    let table = service.bms(&with(&["--output", "table"])).await.stdout;
    assert!(table.starts_with("ID "), "{table}");
    assert_eq!(table.lines().count(), 3, "{table}");

    let all = service.bms(&with(&["--all"])).await.json();
    assert_eq!(all.as_array().map(Vec::len), Some(5), "{all}");
    let some = service.bms(&with(&["--limit", "3", "-o", "ndjson"])).await.stdout;
    assert_eq!(some.lines().filter(|line| line.starts_with('{')).count(), 3, "{some}");

    let head = service.bms(&with(&["--include"])).await.stdout;
    assert!(head.starts_with("HTTP 200 OK\n") && head.contains("\netag: "), "{head}");
}

#[tokio::test]
async fn a_failure_has_an_exit_code() {
    let service = Service::start().await;
    let missing = service.bms(&["accounts", "get-account-summary", "999999"]).await;
    assert_eq!((missing.code, missing.stdout.as_str()), (Some(1), ""));
    assert!(missing.stderr.starts_with("error: the service answered 404 Not Found\n{\n"), "{missing:?}");

    let wrong = service.bms(&["accounts", "post-account", "--account-type-id", "one", "--body", "{}"]).await;
    assert_eq!(wrong.code, Some(2));
    for line in [
        "- `body.AccountTypeId` (--account-type-id): \"one\" is not of type",
        "- `body.AccountName` (--account-name): is missing",
    ] {
        assert!(wrong.stderr.contains(line), "{line}: {wrong:?}");
    }
    assert_eq!(service.bms(&["accounts", "get-account-summary"]).await.code, Some(2));
    assert_eq!(service.bms(&["accounts", "nothing"]).await.code, Some(2));
    assert_eq!(service.bms(&["account-types", "get-account-types-lookup", "--url", "http://127.0.0.1:9"]).await.code, Some(3));

    let environment = [("BMS_URL", service.url.as_str())];
    let nobody = program::run(PROGRAM, &["account-types", "get-account-types-lookup"], &environment, "").await;
    assert_eq!(nobody.code, Some(2));
    assert!(nobody.stderr.contains("set `BMS_BEARER_AUTH` in the environment"), "{nobody:?}");
}

#[tokio::test]
async fn a_dry_run_is_a_line_of_curl() {
    let service = Service::start().await;
    let words = ["accounts", "post-account", "--account-name", "O'Hara", "--account-type-id", "1", "--business-type-id=1"];
    let run = service.bms(&[&words[..], &["--account-manager-id=12", "--locations", MAIN, "--dry-run"]].concat()).await;
    let url = format!("curl -X POST '{}/v2/crm/accounts'", service.url);
    assert!(run.stdout.starts_with(&url), "{run:?}");
    assert!(run.stdout.contains("-H \"Authorization: Bearer $BMS_BEARER_AUTH\""), "{run:?}");
    assert!(run.stdout.contains("\"AccountName\":\"O'\\''Hara\""), "{run:?}");
    let file = ["attachments", "post-attachment", "1", "2", "--form-file", "-", "--dry-run"];
    assert!(service.bms(&file).await.stdout.contains("-F 'formFile=@-"));

    // The shell sends what the program would.
    let environment = [("BMS_BEARER_AUTH", service.token.as_str()), ("PATH", "/usr/bin:/bin")];
    let sent = program::run("sh", &["-c", &run.stdout], &environment, "").await;
    if sent.code != Some(127) {
        assert!(sent.stdout.contains("\"Id\":"), "{sent:?}");
    }
}

#[tokio::test]
async fn a_closed_pipe_is_a_good_end() {
    let service = Service::start().await;
    let mut process = Command::new(PROGRAM)
        .args(["account-codes", "get-account-codes-lookup", "--all", "--output", "ndjson"])
        .args(["--page-size", "1"])
        .envs([("BMS_URL", &service.url), ("BMS_BEARER_AUTH", &service.token)])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut lines = BufReader::new(process.stdout.take().expect("an output")).lines();
    let first = lines.next_line().await.expect("it can be read").expect("a line");
    assert!(first.starts_with('{'), "{first}");
    drop(lines);
    let output = process.wait_with_output().await.expect("it ends");
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
}

#[tokio::test]
async fn a_profile_has_url_and_credentials() {
    let service = Service::start().await;
    let config = service.data.path().join("own/config.toml");
    let environment = [("BMS_CONFIG", config.to_str().expect("UTF-8"))];
    let login = ["auth", "login", "--profile", "work", "--url", &service.url];
    let stored = program::run(PROGRAM, &login, &environment, &format!("{}\n", service.token)).await;
    assert_eq!(stored.code, Some(0), "{stored:?}");
    assert!(!format!("{stored:?}").contains(&service.token));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(&config).expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    let list = ["account-types", "get-account-types-lookup", "--profile", "work"];
    assert_eq!(program::run(PROGRAM, &list, &environment, "").await.code, Some(0));
    program::run(PROGRAM, &["auth", "logout", "--profile", "work"], &environment, "").await;
    let gone = program::run(PROGRAM, &list, &environment, "").await;
    assert_eq!(gone.code, Some(2));
    assert!(gone.stderr.contains("there is no profile `work`"), "{gone:?}");
}

#[tokio::test]
async fn every_command_explains_itself() {
    let help = program::run(PROGRAM, &["--help"], &[], "").await;
    assert!(help.stdout.contains("BMS_BEARER_AUTH"), "{help:?}");
    let script = program::run(PROGRAM, &["completions", "bash"], &[], "").await;
    assert!(script.stdout.contains("filter-account-name"), "{script:?}");
}
