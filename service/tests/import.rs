//! `service import`, killed in the midst of it, as a process.

use std::{
    collections::HashMap,
    fs,
    path::Path,
    process::{Command, Output, Stdio},
    thread,
    time::Duration,
};

use serde_json::Value;

/// Enough accounts for the write to take some tenths of a second and more memory than the page cache of SQLite.
const ACCOUNTS: usize = 10_000;

/// A store and its settings.
struct Case {
    folder: tempfile::TempDir,
    store: String,
    /// The same as the role that owns the tables; empty for an embedded store.
    owner: String,
}

impl Case {
    /// A store with sample data, and a file to import.
    fn new(store: String, owner: String) -> Self {
        let case = Self { folder: tempfile::tempdir().expect("a temporary folder"), store, owner };
        case.done(&["init", "--sample", "--no-token"]);
        fs::write(case.folder.path().join("accounts.json"), accounts()).expect("written");
        case
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_service"));
        command.args(["--data", "data", "--store", &self.store]).args(arguments);
        command
            .current_dir(self.folder.path())
            .env_clear()
            .env("SERVICE_LOG", "error")
            .env("SERVICE_STORE_OWNER", &self.owner);
        command
    }

    fn done(&self, arguments: &[&str]) -> String {
        let Output { status, stdout, stderr } = self.command(arguments).output().expect("it runs");
        assert!(status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&stderr));
        String::from_utf8(stdout).expect("UTF-8")
    }

    /// Kills an import once it has written a part.
    fn kill_import(&self, is_under_way: impl Fn() -> bool) {
        let mut command = self.command(&["import", "--quiet", "accounts.json"]);
        let mut importing = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it runs");
        while !is_under_way() {
            assert!(importing.try_wait().expect("its state").is_none(), "it has ended before");
            thread::sleep(Duration::from_millis(1));
        }
        importing.kill().expect("killed");
        assert!(!importing.wait().expect("its end").success(), "it was done already");
    }

    /// An import that is killed leaves nothing, and everything is there once when it is run again. `number` answers a question
    /// to the store.
    fn an_import_is_done_whole(&self, is_under_way: impl Fn() -> bool, number: impl Fn(&str) -> i64) {
        let (jobs, changes) = ("SELECT count(*) FROM jobs", "SELECT count(*) FROM audit_log");
        let (exported, before) = (self.done(&["export"]), [jobs, changes].map(&number));

        self.kill_import(is_under_way);
        assert_eq!(self.done(&["export"]), exported);
        assert_eq!([jobs, changes].map(&number), before);
        self.done(&["doctor", "--full"]);

        self.done(&["import", "--quiet", "accounts.json"]);
        let names = names(&self.done(&["export"]));
        assert!((0..ACCOUNTS).all(|account| names.get(&name(account)) == Some(&1)), "each account once");
        assert_eq!(names.len(), ACCOUNTS + self::names(&exported).len());
        assert_eq!(number(jobs), before[0] + 1);
        self.done(&["doctor", "--full"]);
    }
}

#[test]
fn an_import_that_was_killed_has_done_nothing_and_can_be_run_again() {
    let case = Case::new("sqlite:data/store.sqlite".into(), String::new());
    let file = case.folder.path().join("data/store.sqlite");
    let log = case.folder.path().join("data/store.sqlite-wal");
    // What does not fit into the memory for pages is written before the commit.
    let is_under_way = || fs::metadata(&log).is_ok_and(|log| log.len() > 1 << 20);
    case.an_import_is_done_whole(is_under_way, |sql| number_in(&file, sql));
}

tests_postgres::with_postgres! {
    #[test]
    fn an_import_into_postgresql_that_was_killed_has_done_nothing_and_can_be_run_again() {
        // The doctor finds fault with a server that loses what was acknowledged.
        let server = tests_postgres::Server::start(tests_postgres::Durability::Full);
        let url = server.database();
        let case = Case::new(tests_postgres::for_service(&url), url.clone());
        let number = |sql: &str| tests_postgres::execute(&url, sql).trim().parse().expect("a number");
        let size = "SELECT pg_relation_size('accounts')";
        let before: i64 = number(size);
        // The file of a table grows before the commit.
        case.an_import_is_done_whole(|| number(size) > before + (1 << 20), number);
    }
}

fn number_in(file: &Path, sql: &str) -> i64 {
    let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY;
    let store = rusqlite::Connection::open_with_flags(file, flags).expect("a database");
    store.query_row(sql, (), |row| row.get(0)).expect("a number")
}

fn name(account: usize) -> String {
    format!("Imported {account}")
}

/// Accounts without a number of their own, each with a location: imported twice, they would be there twice.
fn accounts() -> String {
    let account = |number| {
        format!(
            "{{\"AccountName\": \"{}\", \"AccountTypeId\": 1, \"BusinessTypeId\": 3, \"AccountManagerId\": 12, \
             \"Description\": \"{}\", \"Locations\": [{{\"LocationName\": \"Main\", \"IsMain\": true, \"Addresses\": []}}]}}",
            name(number),
            "long ".repeat(200)
        )
    };
    format!("{{\"Accounts\": [{}]}}", (0..ACCOUNTS).map(account).collect::<Vec<_>>().join(",\n"))
}

/// The names of the accounts in an export, and how many have each.
fn names(exported: &str) -> HashMap<String, usize> {
    let exported: Value = serde_json::from_str(exported).expect("JSON");
    let mut names = HashMap::new();
    for account in exported["Accounts"].as_array().expect("accounts") {
        *names.entry(account["AccountName"].as_str().expect("a name").to_owned()).or_default() += 1;
    }
    names
}
