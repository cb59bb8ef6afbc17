//! The commands, as processes of their own.

use std::{
    io::{BufRead as _, BufReader},
    path::Path,
    process::{Command, Output, Stdio},
};

fn service(data: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_service"));
    command.args(["--listen", "127.0.0.1:0", "--log", "error", "--data"]).arg(data).args(arguments);
    command
}

fn run(data: &Path, arguments: &[&str]) -> Output {
    service(data, arguments).output().expect("the command runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// What `serve` prints until it shows a token; nothing when it shows none within its first lines.
fn first_token(data: &Path) -> Option<String> {
    let mut child = service(data, &["serve"]).stdout(Stdio::piped()).spawn().expect("the service starts");
    let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines().map_while(Result::ok);
    let token = lines.take(3).map(|line| line.trim().to_owned()).find(|line| line.starts_with("bms_"));
    child.kill().expect("killed");
    child.wait().expect("ended");
    token
}

#[test]
fn what_needs_a_store_says_that_there_is_none_and_makes_none() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data = folder.path().join("data");
    for arguments in
        [&["check"][..], &["token", "create", "x"], &["token", "list"], &["token", "revoke", "1"], &["export"]]
    {
        let output = run(&data, arguments);
        let error = text(&output.stderr);
        assert!(!output.status.success(), "{arguments:?}: {}", text(&output.stdout));
        assert!(error.contains("there is no store in"), "{arguments:?}: {error}");
        assert!(error.contains("`service serve`") && error.contains("`service import`"), "{arguments:?}: {error}");
        assert!(!data.exists(), "{arguments:?} made something");
    }
    let token = first_token(&data).expect("the first start still shows a token and has sample data");
    let list = run(&data, &["token", "list"]);
    assert!(list.status.success() && text(&list.stdout).contains("first"), "{}", text(&list.stderr));
    assert!(!text(&list.stdout).contains(&token), "a list has no secrets");
}

#[test]
fn a_store_that_is_whole_passes_the_check_and_another_file_does_not() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    first_token(folder.path()).expect("a token");
    let output = run(folder.path(), &["check"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let report = text(&output.stdout);
    assert!(report.contains("\"calls_per_hour\":1500") && report.contains("every content is there"), "{report}");

    std::fs::write(folder.path().join("store.sqlite"), "this is no database, whatever its name says").expect("written");
    for suffix in ["-wal", "-shm"] {
        let _ = std::fs::remove_file(folder.path().join(format!("store.sqlite{suffix}")));
    }
    let output = run(folder.path(), &["check"]);
    assert!(!output.status.success(), "{}", text(&output.stdout));
}

#[test]
fn the_first_token_is_not_lost_with_an_address_that_is_taken() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = taken.local_addr().expect("an address").to_string();
    let output = Command::new(env!("CARGO_BIN_EXE_service"))
        .args(["--listen", &address, "--data"])
        .arg(folder.path())
        .output()
        .expect("the command runs");
    assert!(!output.status.success());
    assert!(text(&output.stderr).contains("cannot be listened on"), "{}", text(&output.stderr));
    assert!(first_token(folder.path()).is_some());
}

#[test]
fn the_file_of_settings_can_be_named_in_the_environment() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("mine.toml");
    std::fs::write(&file, "tenant_name = 'Named by a file'\n").expect("written");
    first_token(folder.path()).expect("a token");
    let output = service(folder.path(), &["check"]).env("SERVICE_CONFIG", &file).output().expect("the command runs");
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("Named by a file"), "{}", text(&output.stdout));
}

#[test]
fn a_misspelt_scope_makes_no_token() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    first_token(folder.path()).expect("a token");
    let create = |scope| run(folder.path(), &["token", "create", "narrow", "--scope", scope]);
    let error = text(&create("read:crmm").stderr);
    assert!(error.contains("`read:crmm`") && error.contains("crm, finance"), "{error}");
    assert!(!text(&run(folder.path(), &["token", "list"]).stdout).contains("narrow"));
    assert!(create("read:crm").status.success());
}
