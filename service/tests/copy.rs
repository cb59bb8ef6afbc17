//! `service copy`, killed in the midst of it, as a process.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    thread,
    time::Duration,
};

/// Enough accounts for the copy to take some seconds.
const ACCOUNTS: usize = 20_000;

struct Case {
    folder: tempfile::TempDir,
}

impl Case {
    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_service"));
        command.args(arguments).current_dir(self.folder.path()).env_clear().env("SERVICE_LOG", "error");
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("it runs")
    }

    fn done(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("UTF-8")
    }

    fn refused(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(!output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stdout));
        String::from_utf8(output.stderr).expect("UTF-8")
    }

    /// Kills a copy once it has `begun`.
    fn kill(&self, arguments: &[&str], begun: impl Fn() -> bool) {
        let mut copying: Child =
            self.command(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it runs");
        while !begun() {
            assert!(copying.try_wait().expect("its state").is_none(), "it has ended before");
            thread::sleep(Duration::from_millis(5));
        }
        copying.kill().expect("killed");
        assert!(!copying.wait().expect("its end").success(), "it was done already");
    }
}

tests_postgres::with_postgres! {
    #[test]
    fn a_copy_that_was_killed_goes_on_and_nobody_uses_it_before() {
        let case = Case { folder: tempfile::tempdir().expect("a temporary folder") };
        case.done(&["--data", "one", "init", "--sample", "--no-token"]);
        fs::write(case.path("accounts.json"), accounts()).expect("written");
        case.done(&["--data", "one", "import", "--quiet", "accounts.json"]);
        let url = tests_postgres::database();
        let other = tests_postgres::database();

        let there = ["copy", "--from", "sqlite:one/store.sqlite", "--to", &url];
        case.kill(&there, || rows(&url) > 0);
        let some = rows(&url);
        assert!((1..ACCOUNTS).contains(&some), "{some} rows");
        for arguments in [&["--store", &url, "check"][..], &["--store", &url, "serve"], &["--store", &url, "token", "list"]] {
            let refused = case.refused(arguments);
            assert!(refused.contains("unfinished copy"), "{refused}");
        }
        case.done(&["--data", "two", "init", "--no-token"]);
        let refused = case.refused(&["copy", "--from", "sqlite:two/store.sqlite", "--to", &url]);
        assert!(refused.contains("another store"), "{refused}");
        let told = case.done(&there);
        assert!(told.contains("accounts ") && told.contains("sha256"), "{told}");
        case.done(&["--store", &url, "check"]);
        let exported = case.done(&["--data", "one", "export"]);
        assert_eq!(case.done(&["--store", &url, "export"]), exported);

        let back = ["copy", "--from", &url, "--to", "sqlite:back/store.sqlite"];
        let file = case.path("back/store.sqlite");
        case.kill(&back, || rows_in(&file) > 0);
        assert!(case.refused(&["--data", "back", "check"]).contains("unfinished copy"));
        case.done(&back);
        assert_eq!(case.done(&["--data", "back", "export"]), exported);
        case.done(&["--data", "back", "doctor", "--full"]);

        // What was changed between the two halves of a copy is found.
        let there = ["copy", "--from", "sqlite:one/store.sqlite", "--to", &other];
        case.kill(&there, || rows(&other) > 0);
        tests_postgres::execute(&other, "UPDATE accounts SET website = 'changed' WHERE id = (SELECT min(id) FROM accounts)");
        let refused = case.refused(&there);
        assert!(refused.contains("`accounts`") && refused.contains("start again"), "{refused}");
        assert!(case.refused(&["--store", &other, "check"]).contains("unfinished copy"));
    }
}

/// Accounts, each with a location.
fn accounts() -> String {
    let account = |number: usize| {
        format!(
            "{{\"Id\": {}, \"AccountName\": \"Account {number}\", \"AccountTypeId\": 1, \"BusinessTypeId\": 3, \
             \"AccountManagerId\": 12, \"Locations\": [{{\"LocationName\": \"Main\", \"IsMain\": true, \"Addresses\": []}}]}}",
            1000 + number
        )
    };
    format!("{{\"Accounts\": [{}]}}", (0..ACCOUNTS).map(account).collect::<Vec<_>>().join(",\n"))
}

/// How many accounts have been copied; none before there is a table.
fn rows(url: &str) -> usize {
    let table = tests_postgres::execute(url, "SELECT count(*) FROM pg_tables WHERE tablename = 'accounts'");
    if table.trim() == "0" {
        return 0;
    }
    tests_postgres::execute(url, "SELECT count(*) FROM accounts").trim().parse().expect("a number")
}

fn rows_in(file: &Path) -> i64 {
    let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY;
    let counted = rusqlite::Connection::open_with_flags(file, flags)
        .and_then(|connection| connection.query_row("SELECT count(*) FROM accounts", (), |row| row.get(0)));
    counted.unwrap_or(0)
}
