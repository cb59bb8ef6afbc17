//! The commands, as processes of their own.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    path::Path,
    process::{Child, Command, Output, Stdio},
    time::Duration,
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

/// A service that makes a store with sample data when there is none.
fn trial(data: &Path) -> Command {
    let mut command = service(data, &["serve"]);
    command.env("SERVICE_SAMPLE", "true");
    command
}

/// What `serve` prints until it shows a token; nothing when it shows none within its first lines.
fn first_token(data: &Path) -> Option<String> {
    let mut child = trial(data).stdout(Stdio::piped()).spawn().expect("the service starts");
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
    for arguments in [
        &["check"][..],
        &["token", "create", "x"],
        &["token", "list"],
        &["token", "revoke", "1"],
        &["export"],
        &["serve"],
        &["audit"],
    ] {
        let output = run(&data, arguments);
        let error = text(&output.stderr);
        assert!(!output.status.success(), "{arguments:?}: {}", text(&output.stdout));
        assert!(error.contains("does not exist"), "{arguments:?}: {error}");
        assert!(error.contains("`service init`"), "{arguments:?}: {error}");
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
    assert!(
        report.contains("limits.calls_per_hour = 1500  # Maximum number of calls")
            && report.contains("every content is there"),
        "{report}"
    );
    let migrations =
        std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/migrations/sqlite")).expect("a folder").count();
    assert!(report.contains("runs on      SQLite 3."), "{report}");
    assert!(report.contains(&format!("migration {migrations}")), "{report}");
    assert!(!report.contains("connections  at most") && !report.contains("replica      "), "{report}");

    std::fs::write(folder.path().join("store.sqlite"), "this is not a database").expect("written");
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
        .env("SERVICE_SAMPLE", "true")
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
fn a_time_zone_that_is_not_known_is_refused_at_the_start_and_never_taken_for_another() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    first_token(folder.path()).expect("a token");
    for variable in ["SERVICE_TIME_ZONE", "TZ"] {
        for name in ["Mars/Olympus", "EST5EDT4,M3.2.0,M11.1.0"] {
            let output = service(folder.path(), &["serve"]).env(variable, name).output().expect("the command runs");
            let error = text(&output.stderr);
            assert!(!output.status.success() && error.contains("time zone"), "{variable} {name}: {error}");
        }
    }
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

#[test]
fn a_token_has_what_is_asked_for_and_nothing_else() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    assert!(run(folder.path(), &["init", "--no-token"]).status.success());
    let output = run(folder.path(), &["token", "create", "unsaid"]);
    let error = text(&output.stderr);
    assert!(!output.status.success() && error.contains("--scope") && error.contains("--all"), "{error}");
    assert!(!run(folder.path(), &["token", "create", "x", "--function", "560206"]).status.success());
    assert!(!run(folder.path(), &["token", "create", "x", "--scope", "read:crm", "--function", "1"]).status.success());
    assert!(run(folder.path(), &["token", "create", "narrow", "--scope", "read:crm"]).status.success());
    assert!(run(folder.path(), &["token", "create", "wide", "--all"]).status.success());
    let list = text(&run(folder.path(), &["token", "list"]).stdout);
    let line = |name: &str| list.lines().find(|line| line.contains(name)).unwrap_or_default().to_owned();
    assert!(line("narrow").contains("scopes read:crm\tfunctions \t"), "{list}");
    assert!(line("wide").contains("scopes *\tfunctions 560206\t"), "{list}");
    assert!(!list.contains("unsaid"), "{list}");
}

#[test]
fn a_store_is_made_by_a_script_and_only_once() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (data, secret) = (folder.path().join("data"), folder.path().join("token"));
    let path = secret.to_str().expect("text");
    let init = ["init", "--sample", "--tenant-name", "Ours", "--token-name", "deploy", "--scope", "read:crm"];
    let output = run(&data, &[&init[..], &["--token-file", path]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let token = std::fs::read_to_string(&secret).expect("the file of the token");
    assert!(token.starts_with("bms_") && !text(&output.stdout).contains(token.trim()), "{}", text(&output.stdout));
    assert!(text(&run(&data, &["token", "list"]).stdout).contains("deploy\tusable\tscopes read:crm\tfunctions \t"));
    assert!(text(&run(&data, &["export"]).stdout).contains("\"Accounts\""), "the sample data are there");

    let again = run(&data, &["init"]);
    assert!(!again.status.success() && text(&again.stderr).contains("already"), "{}", text(&again.stderr));
    let other = folder.path().join("other");
    let in_the_way = run(&other, &["init", "--token-file", path]);
    assert!(!in_the_way.status.success(), "a file that is there may hold another secret");
    assert!(!other.join("store.sqlite").exists());
    assert_eq!(std::fs::read_to_string(&secret).expect("still there"), token);
    assert!(!run(&other, &["init", "--scope", "read:crmm"]).status.success());
    assert!(!other.join("store.sqlite").exists());

    let empty = run(&other, &["init"]);
    assert!(text(&empty.stdout).lines().any(|line| line.starts_with("bms_")), "{}", text(&empty.stderr));
    assert!(!text(&run(&other, &["export"]).stdout).contains("\"Accounts\""));
}

#[test]
fn one_process_serves_a_folder_and_a_second_one_says_which() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    assert!(run(folder.path(), &["init"]).status.success());
    let (first, address) = serve(folder.path());
    let second = run(folder.path(), &["serve"]);
    let error = text(&second.stderr);
    assert!(!second.status.success());
    assert!(error.contains(&format!("process {} on http://{address} since 2", first.0.id())), "{error}");
    assert!(run(folder.path(), &["token", "create", "second", "--all"]).status.success(), "commands still work");
    // SIGKILL: nothing is tidied up.
    drop(first);
    let (third, _) = serve(folder.path());
    drop(third);
}

/// A process that is killed when it is dropped, however its test ends.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_log_that_nobody_reads_stops_nobody() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    assert!(run(folder.path(), &["init", "--no-token"]).status.success());
    let mut child =
        service(folder.path(), &["serve", "--log", "info"]).stderr(Stdio::piped()).spawn().expect("it starts");
    // The pipe stays open, and takes 64 KiB.
    let mut lines = BufReader::new(child.stderr.take().expect("a pipe")).lines().map_while(Result::ok);
    let _child = Running(child);
    let address =
        lines.find_map(|line| line.split_once("listening on http://").map(|(_, found)| found.trim().to_owned()));
    let mut stream = TcpStream::connect(address.expect("it says where it listens")).expect("a connection");
    stream.set_read_timeout(Some(Duration::from_secs(20))).expect("set");
    for count in 0..2000 {
        stream.write_all(b"GET /v2/nothing HTTP/1.1\r\nhost: service\r\n\r\n").expect("written");
        let mut answer = BufReader::new(&stream);
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert!(answer.read_line(&mut head).expect("an answer") > 0, "the connection ends after {count}");
        }
        let length = head.to_ascii_lowercase();
        let length = length.split_once("content-length:").and_then(|(_, rest)| rest.lines().next());
        let mut body = vec![0; length.and_then(|length| length.trim().parse().ok()).expect("a length")];
        answer.read_exact(&mut body).expect("a body");
        assert!(head.starts_with("HTTP/1.1 404"), "{head}");
    }
}

/// A service that listens, and where.
fn serve(data: &Path) -> (Running, String) {
    let (child, address, lines) = logged(&mut service(data, &["serve", "--log", "info"]));
    std::thread::spawn(move || lines.for_each(drop));
    (child, address)
}

/// A service that listens, where, and what it logs from then on.
fn logged(command: &mut Command) -> (Running, String, impl Iterator<Item = String> + Send + 'static) {
    let mut child = command.stderr(Stdio::piped()).spawn().expect("it starts");
    let mut lines = BufReader::new(child.stderr.take().expect("a pipe")).lines().map_while(Result::ok);
    let is_end = |character: char| character.is_whitespace() || character == '"';
    let address = lines.find_map(|line| {
        let (_, found) = line.split_once("listening on http://")?;
        Some(found.split(is_end).next()?.to_owned())
    });
    (Running(child), address.expect("it says where it listens"), lines)
}

/// The log has the address of each caller.
#[test]
fn only_trusted_proxies_are_believed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    assert!(run(folder.path(), &["init", "--no-token"]).status.success());
    let both = "198.51.100.1, 203.0.113.5";
    for (trusted, cases) in [
        ("", &[(both, "127.0.0.1")][..]),
        ("10.0.0.0/8", &[(both, "127.0.0.1")]),
        (
            "127.0.0.0/8",
            &[
                // What stands before it may be forged.
                (both, "203.0.113.5"),
                ("secret, unknown", "127.0.0.1"),
                ("198.51.100.7:1234", "198.51.100.7"),
                ("[2001:db8::17]:4711", "2001:db8::17"),
                ("::ffff:203.0.113.5", "203.0.113.5"),
            ],
        ),
        ("127.0.0.1, 203.0.113.5", &[(both, "198.51.100.1")]),
    ] {
        let mut command = service(folder.path(), &["serve", "--log", "info", "--log-format", "json"]);
        let (_child, address, mut lines) = logged(command.env("SERVICE_TRUSTED_PROXIES", trusted));
        for (forwarded, expected) in cases {
            let mut stream = TcpStream::connect(&address).expect("a connection");
            let head = format!("GET /healthz HTTP/1.1\r\nhost: x\r\nx-forwarded-for: {forwarded}\r\n\r\n");
            stream.write_all(head.as_bytes()).expect("written");
            let line = lines.find(|line| line.contains("/healthz")).expect("a line");
            assert!(line.contains(&format!("\"address\":\"{expected}\"")), "{trusted:?} {forwarded}: {line}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn the_limit_of_open_files_is_raised_and_reported_when_it_is_too_low() {
    let limited = |limit: &str, data: &Path, arguments: &[&str]| {
        let mut command = Command::new("sh");
        command.args(["-c", &format!("ulimit {limit} && exec \"$@\""), "sh", env!("CARGO_BIN_EXE_service")]);
        command.args(["--listen", "127.0.0.1:0", "--data"]).arg(data).args(arguments);
        command
    };
    let folder = tempfile::tempdir().expect("a temporary folder");
    assert!(run(folder.path(), &["init", "--no-token"]).status.success());
    let check = limited("-n 300", folder.path(), &["check"]).output().expect("the command runs");
    assert!(check.status.success(), "{}", text(&check.stderr));
    assert!(text(&check.stdout).contains("300 files may be open, which is enough for 150 connections"), "{check:?}");
    for (limit, wanted, connections) in [("-n 300", "10", 10), ("-n 5000", "20000", 4488)] {
        let mut check = limited(limit, folder.path(), &["check"]);
        let check = check.env("SERVICE_LIMITS__CONNECTIONS", wanted).output().expect("the command runs");
        assert!(text(&check.stdout).contains(&format!("  enough for {connections} connections")), "{check:?}");
    }

    for (limit, files) in
        [("-n 1000", "1000"), ("-Sn 200 && ulimit -Hn 1000", "1000"), ("-Sn 200 && ulimit -Hn 4000", "4000")]
    {
        let mut command = limited(limit, folder.path(), &["serve"]);
        let mut child = Running(command.stderr(Stdio::piped()).spawn().expect("the service starts"));
        let lines = BufReader::new(child.0.stderr.take().expect("a pipe")).lines().map_while(Result::ok);
        let mut told = false;
        for line in lines {
            told |= line.contains("files may be open");
            if line.contains("listening on") {
                break;
            }
        }
        assert_eq!(told, files == "1000", "{limit}: where nothing is wrong, nothing is said");
        let limits = std::fs::read_to_string(format!("/proc/{}/limits", child.0.id())).expect("limits");
        let line = limits.lines().find(|line| line.starts_with("Max open files")).expect("the limit");
        let numbers: Vec<&str> = line.split_whitespace().filter(|word| word.parse::<u64>().is_ok()).collect();
        assert_eq!(numbers, [files, files], "{limit}");
    }
}

#[cfg(unix)]
#[test]
fn a_hangup_ends_nothing() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    assert!(run(folder.path(), &["init", "--no-token"]).status.success());
    let (mut child, address) = serve(folder.path());
    for _ in 0..2 {
        let id = child.0.id().to_string();
        assert!(Command::new("kill").args(["-HUP", &id]).status().expect("kill runs").success());
        let mut stream = TcpStream::connect(&address).expect("a connection");
        stream.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n").expect("written");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
    assert!(child.0.try_wait().expect("asked").is_none(), "it runs on");
}

#[cfg(unix)]
#[test]
fn a_store_that_cannot_be_read_is_not_taken_for_none() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    // As root reads everything, a store that is a loop of links stands for one that belongs to another user.
    std::os::unix::fs::symlink("store.sqlite", folder.path().join("store.sqlite")).expect("a link");
    let error = text(&run(folder.path(), &["check"]).stderr);
    assert!(error.contains("cannot be read") && !error.contains("does not exist"), "{error}");
}

#[test]
fn a_database_server_out_of_reach_is_called_so() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let free = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = free.local_addr().expect("an address").port();
    drop(free);
    for command in ["check", "serve"] {
        let store = format!("postgres://me:secret@127.0.0.1:{port}/x");
        let output = service(folder.path(), &[command]).env("SERVICE_STORE", store).output().expect("the command runs");
        let error = text(&output.stderr);
        assert!(!output.status.success() && error.contains("PostgreSQL cannot be reached at"), "{command}: {error}");
        assert!(!error.contains("secret"), "{error}");
    }
}

#[test]
fn variables_of_others_are_warned_of_and_a_token_that_has_ended_is_not_made() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut init = service(folder.path(), &["init", "--no-token", "--log", "warn"]);
    let output = init.env("SERVICE_PORT", "tcp://10.0.0.1:80").env("SERVICE_LISTN", "x").output().expect("it runs");
    let error = text(&output.stderr);
    assert!(output.status.success() && error.contains("SERVICE_PORT"), "{error}");
    assert!(error.contains("SERVICE_LISTN (did you mean `SERVICE_LISTEN`?)"), "{error}");
    let output = run(folder.path(), &["token", "create", "ended", "--all", "--days", "0"]);
    assert!(!output.status.success() && text(&output.stderr).contains("--days"), "{}", text(&output.stderr));
}

#[cfg(unix)]
#[test]
fn what_the_service_writes_is_its_owners_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    fn open_to_others(path: &Path, found: &mut Vec<std::path::PathBuf>) {
        if std::fs::symlink_metadata(path).expect("there").permissions().mode() & 0o077 != 0 {
            found.push(path.to_owned());
        }
        if path.is_dir() {
            for entry in std::fs::read_dir(path).expect("a folder") {
                open_to_others(&entry.expect("an entry").path(), found);
            }
        }
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (data, export) = (folder.path().join("data"), folder.path().join("export.json"));
    let secret = folder.path().join("token");
    assert!(run(&data, &["init", "--token-file", secret.to_str().expect("text")]).status.success());
    assert!(run(&data, &["export", "-o", export.to_str().expect("text")]).status.success());
    let (service, _) = serve(&data);
    let mut open = Vec::new();
    for path in [&data, &export, &secret] {
        open_to_others(path, &mut open);
    }
    assert_eq!(open, Vec::<std::path::PathBuf>::new());
    assert!(data.join("store.sqlite-wal").exists(), "the other files of the store were checked");
    drop(service);

    for (path, mode) in [(data.clone(), 0o755), (data.join("store.sqlite"), 0o644)] {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("changed");
    }
    let (_service, _) = serve(&data);
    open_to_others(&data, &mut open);
    assert_eq!(open, Vec::<std::path::PathBuf>::new(), "what others could use is mended at the start");
}

#[test]
fn the_audit_log_tells_who_has_made_a_token_and_no_secret() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let token = first_token(folder.path()).expect("a token");
    assert!(run(folder.path(), &["token", "create", "mine", "--all"]).status.success());
    let output = run(folder.path(), &["audit", "--kind", "Token"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let log = text(&output.stdout);
    let lines: Vec<&str> = log.lines().collect();
    assert_eq!(lines.len(), 2, "{log}");
    for (line, (operation, name)) in lines.iter().zip([("init", "first"), ("token", "mine")]) {
        assert!(line.contains(&format!(r#""Operation":"{operation}""#)), "{line}");
        assert!(line.contains(&format!(r#""Name":"{name}""#)) && !line.contains(&token), "{line}");
    }
    let output = run(folder.path(), &["audit", "--kind", "Account", "--record", "101"]);
    assert_eq!(text(&output.stdout).lines().count(), 1);
}

#[cfg(unix)]
#[test]
fn an_export_takes_the_place_of_the_earlier_one_only_when_it_is_whole() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (data, file, link) = (folder.path().join("data"), folder.path().join("file"), folder.path().join("link"));
    assert!(run(&data, &["init", "--no-token"]).status.success());
    std::fs::write(&file, "earlier").expect("written");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o640)).expect("changed");
    symlink(&file, &link).expect("a link");
    let export = |path: &Path| run(&data, &["export", "-o", path.to_str().expect("text")]).status.success();
    assert!(export(&link) && export(Path::new("/dev/null")));
    assert_eq!(std::fs::read_to_string(&file).expect("the export"), "{}\n");
    assert!(std::fs::symlink_metadata(&link).expect("there").is_symlink(), "the target of a link is replaced");
    assert_eq!(std::fs::metadata(&file).expect("there").permissions().mode() & 0o777, 0o640);
    assert!(!std::fs::metadata("/dev/null").expect("there").is_file());

    let store = rusqlite::Connection::open(data.join("store.sqlite")).expect("a database");
    store.execute_batch("ALTER TABLE accounts RENAME TO lost").expect("done");
    drop(store);
    std::fs::write(&file, "earlier").expect("written");
    assert!(!export(&file));
    assert_eq!(std::fs::read_to_string(&file).expect("still there"), "earlier");
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 3, "no other file remains");
}
