//! Backups, restores and the doctor of a store on PostgreSQL with attachments in a bucket, as processes of their own.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    thread,
    time::{Duration, SystemTime},
};

use service::blob::{self, Blobs};
use tests_postgres::{Durability, Server, execute, for_service};
use tests_s3::BUCKET;

/// A store and its attachments, as settings name them.
struct Place {
    data: PathBuf,
    settings: Vec<(String, String)>,
    /// The database as its owner; nothing of an embedded store.
    database: String,
}

impl Place {
    /// In a folder.
    fn folder(data: PathBuf) -> Self {
        Self { data, settings: Vec::new(), database: String::new() }
    }

    /// In a database, whose role works with it and does not own it.
    fn database(data: PathBuf, database: String) -> Self {
        let (service, owner) = (for_service(&database), database.clone());
        Self { data, settings: Vec::new(), database }
            .with("SERVICE_STORE", &service)
            .with("SERVICE_STORE_OWNER", &owner)
    }

    /// With attachments in a bucket.
    fn in_bucket(mut self, bucket: &tests_s3::Server, prefix: &str) -> Self {
        self.settings.extend(bucket.environment());
        self.with("SERVICE_ATTACHMENTS", &format!("s3://{BUCKET}/{prefix}"))
    }

    fn with(mut self, name: &str, value: &str) -> Self {
        self.settings.push((name.into(), value.into()));
        self
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_service"));
        command.args(["--log", "error", "--data"]).arg(&self.data).args(arguments);
        command.envs(self.settings.iter().map(|(name, value)| (name, value)));
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("the command runs")
    }

    /// What a command prints that must end well.
    fn succeed(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let (out, error) = (text(&output.stdout), text(&output.stderr));
        assert!(output.status.success(), "{arguments:?}: {out}{error}");
        out
    }

    /// What a command prints that must fail.
    fn fail(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let (out, error) = (text(&output.stdout), text(&output.stderr));
        assert!(!output.status.success(), "{arguments:?}: {out}{error}");
        out + &error
    }

    fn sql(&self, sql: &str) -> String {
        execute(&self.database, sql).trim().to_owned()
    }

    fn blobs(&self) -> Blobs {
        let location = self.settings.iter().find(|(name, _)| name == "SERVICE_ATTACHMENTS");
        let location = location.map_or(blob::Location::Folder(self.data.join("attachments")), |(_, text)| {
            blob::Location::parse(text).expect("a bucket")
        });
        Blobs::open(&location, &self.settings).expect("a place for contents")
    }

    /// Puts bytes where attachments are, and a record in the store, if it has none of them.
    async fn attach(&self, id: i32, bytes: Vec<u8>) -> String {
        let mut upload = self.blobs().upload(u64::MAX, None);
        let size = bytes.len();
        upload.write(bytes.into()).await.expect("written");
        let sealed = upload.seal().await.expect("sealed");
        let name = blob::name(&sealed.hash);
        let hash = blob::hash_of(&name).to_owned();
        sealed.keep(&name).await.expect("kept");
        self.sql(&format!(
            "INSERT INTO contents (tenant_id, hash, blob, size, media_type, claimed_on)
                 VALUES (1, '\\x{hash}', '{name}', {size}, 'text/plain', 0);
             INSERT INTO attachments (tenant_id, module_id, object_id, id, original_file_name, original_file_name_folded,
                 alias_name, created_on, hash) VALUES (1, 1, 101, {id}, 'a', 'a', '{id}', 0, '\\x{hash}');
             INSERT INTO sequences AS s (tenant_id, name, next) VALUES (1, 'attachments', {id} + 1)
                 ON CONFLICT (tenant_id, name) DO UPDATE SET next = greatest(s.next, excluded.next);"
        ));
        name
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn path(path: &Path) -> &str {
    path.to_str().expect("text")
}

/// The records and their history, without who asks.
fn everything(place: &Place) -> [String; 2] {
    [place.succeed(&["export"]), place.succeed(&["audit"])]
}

tests_postgres::with_postgres! {
    #[tokio::test(flavor = "multi_thread")]
    async fn a_backup_of_a_database_and_a_bucket_goes_into_either_kind_of_place() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (server, bucket) = (Server::start(Durability::Full), tests_s3::Server::start().await);
        let at = |name: &str| folder.path().join(name);
        let one = Place::database(at("one"), server.database()).in_bucket(&bucket, "one");
        one.succeed(&["init", "--sample", "--no-token"]);
        let small = one.attach(1, b"hello".to_vec()).await;
        let large = one.attach(2, vec![7; 9 << 20]).await;
        let unnumbered = one.sql("SELECT count(*) FROM audit_log WHERE sequence IS NULL");
        assert_ne!(unnumbered, "0", "changes that were not read yet have no number");
        let backup = at("backup.tar");
        one.succeed(&["backup", "-o", path(&backup)]);
        assert_eq!(fs::read_dir(&one.data).expect("a folder").filter(|entry| {
            entry.as_ref().is_ok_and(|entry| entry.file_name().to_string_lossy().contains("store.sqlite"))
        }).count(), 0, "nothing is left of the copy");
        let told = one.succeed(&["restore", path(&backup), "--verify"]);
        assert!(told.contains("3 files") && told.contains("the store is whole"), "{told}");
        assert!(one.fail(&["restore", path(&backup)]).contains("is not empty"), "the database has a store");

        let places = [
            Place::folder(at("two")),
            Place::folder(at("three")).in_bucket(&bucket, "three"),
            Place::database(at("four"), server.database()),
            Place::database(at("five"), server.database()).in_bucket(&bucket, "five"),
            // What is in the bucket already stays as it is.
            Place::database(at("six"), server.database()).in_bucket(&bucket, "one"),
        ];
        let expected = everything(&one);
        for place in &places {
            place.succeed(&["restore", path(&backup)]);
            assert_eq!(everything(place), expected);
            place.succeed(&["doctor", "--full"]);
            place.succeed(&["check"]);
            for (name, size) in [(&small, 5), (&large, 9 << 20)] {
                assert_eq!(place.blobs().read_all(name).await.expect("the content").len(), size);
            }
            // And on from there.
            let again = at("again.tar");
            place.succeed(&["backup", "-o", path(&again)]);
            place.succeed(&["restore", path(&again), "--verify"]);
            place.succeed(&["token", "create", "after", "--all"]);
        }
        let (mine, theirs) = (one.succeed(&["audit", "--after", "0"]), places[3].succeed(&["audit"]));
        assert!(theirs.starts_with(&mine) && theirs.lines().count() == mine.lines().count() + 1, "numbers go on");
    }

    #[test]
    fn a_token_without_a_name_is_refused_before_a_store_is_made() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let place = Place::database(folder.path().join("data"), tests_postgres::database());
        let told = place.fail(&["init", "--token-name", " "]);
        assert!(told.contains("the name is empty"), "{told}");
        assert_eq!(place.sql("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"), "0");
    }

    #[test]
    fn a_check_says_what_the_store_runs_on() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let place = Place::database(folder.path().join("data"), tests_postgres::database());
        place.succeed(&["init", "--sample", "--no-token"]);
        let place = place.with("SERVICE_STORE_CONNECTIONS", "7").with("SERVICE_STORE_READ_REPLICAS", "postgres://service@127.0.0.1:1/none");
        let report = place.succeed(&["check"]);
        let version = place.sql("SHOW server_version");
        let migrations = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/migrations/postgres")).expect("a folder");
        let is_numbered = |name: std::ffi::OsString| name.to_string_lossy().starts_with(|first: char| first.is_ascii_digit());
        let migrations = migrations.filter(|file| is_numbered(file.as_ref().expect("an entry").file_name())).count();
        let runs_on = format!(
            "runs on      PostgreSQL {version}, migration {migrations}; the role service sees one tenant at a time"
        );
        for line in [&runs_on, "connections  at most 7 of this process", "replica      postgres://service@127.0.0.1:1/none cannot be read"] {
            assert!(report.contains(line), "{line}: {report}");
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_damaged_backup_leaves_database_and_bucket_as_they_were() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let bucket = tests_s3::Server::start().await;
        let one = Place::database(folder.path().join("one"), tests_postgres::database()).in_bucket(&bucket, "one");
        one.succeed(&["init", "--sample", "--no-token"]);
        let name = one.attach(1, b"some content that is nowhere else".to_vec()).await;
        let backup = folder.path().join("backup.tar");
        one.succeed(&["backup", "-o", path(&backup)]);
        let whole = fs::read(&backup).expect("the backup");
        let spot = |needle: &[u8]| whole.windows(needle.len()).rposition(|window| window == needle).expect("there");
        let objects = bucket.objects();
        let other = Place::database(folder.path().join("other"), tests_postgres::database()).in_bucket(&bucket, "other");
        let broken = folder.path().join("broken.tar");
        let refused = |bytes: &[u8], place: &Place| {
            fs::write(&broken, bytes).expect("written");
            let told = place.fail(&["restore", path(&broken)]);
            assert!(told.contains("backup"), "{told}");
            assert_eq!(bucket.objects(), objects);
            assert_eq!(execute(&other.database, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").trim(), "0");
        };
        refused(&whole[..spot(b"manifest.json") - 512], &other);
        for needle in [&b"some content that"[..], b"SQLite format 3", b"\"sha256\""] {
            let mut bytes = whole.clone();
            bytes[spot(needle) + 3] ^= 1;
            refused(&bytes, &other);
        }
        // Nor does a content that is damaged in the backup take the place of the one that is in the bucket.
        let same = Place::database(folder.path().join("same"), other.database.clone()).in_bucket(&bucket, "one");
        let mut bytes = whole.clone();
        bytes[spot(b"some content that")] ^= 1;
        refused(&bytes, &same);
        assert_eq!(one.blobs().read_all(&name).await.expect("the content"), "some content that is nowhere else");
        other.succeed(&["restore", path(&backup)]);
        assert_eq!(everything(&other), everything(&one));
    }

    #[test]
    fn a_restore_that_was_killed_goes_on_and_nobody_uses_it_before() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let one = Place::folder(folder.path().join("one"));
        one.succeed(&["init", "--sample", "--no-token"]);
        let accounts = |number: u32| {
            format!("{{\"Id\": {number}, \"AccountName\": \"Account\", \"AccountTypeId\": 1, \"BusinessTypeId\": 3, \
                     \"AccountManagerId\": 12, \"Locations\": [{{\"LocationName\": \"Main\", \"IsMain\": true, \"Addresses\": []}}]}}")
        };
        let file = folder.path().join("accounts.json");
        let all: Vec<_> = (1000..21_000).map(accounts).collect();
        fs::write(&file, format!("{{\"Accounts\": [{}]}}", all.join(","))).expect("written");
        one.succeed(&["import", "--quiet", path(&file)]);
        let backup = folder.path().join("backup.tar");
        one.succeed(&["backup", "-o", path(&backup)]);

        let other = Place::database(folder.path().join("other"), tests_postgres::database());
        let mut restoring = other.command(&["restore", path(&backup)]);
        let mut restoring = restoring.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it runs");
        let rows = || {
            let has_table = other.sql("SELECT count(*) FROM pg_tables WHERE tablename = 'accounts'") == "1";
            has_table && other.sql("SELECT count(*) FROM accounts") != "0"
        };
        while !rows() {
            assert!(restoring.try_wait().expect("its state").is_none(), "it has ended before");
        }
        restoring.kill().expect("killed");
        assert!(!restoring.wait().expect("its end").success(), "it was done already");
        for arguments in [&["check"][..], &["serve"], &["backup"], &["doctor"]] {
            assert!(other.fail(arguments).contains("unfinished copy"), "{arguments:?}");
        }
        other.succeed(&["restore", path(&backup)]);
        assert_eq!(other.succeed(&["export"]), one.succeed(&["export"]));
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn what_a_doctor_finds_in_a_database_comes_with_what_to_do() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let server = Server::start(Durability::Full);
        let place = Place::database(folder.path().join("data"), server.database());
        place.succeed(&["init", "--sample", "--no-token"]);
        let told = place.succeed(&["doctor", "--full"]);
        assert!(told.contains("nothing is wrong with postgres://service@"), "{told}");
        // Alone it is found, with what to do.
        let found = |expected: &str, remedy: &str| {
            let told = place.fail(&["doctor"]);
            assert!(told.contains(expected) && told.contains(remedy) && told.contains("1 finding"), "{expected}: {told}");
        };
        // What breaks it, what the doctor says, what it says to do, and what mends it.
        let cases = [
            ("UPDATE counters SET value = value + 1 WHERE name = 'accounts' AND slot = (SELECT min(slot) FROM counters WHERE name = 'accounts')",
             "the counter `accounts` of tenant 1", "import it into a new one",
             "UPDATE counters SET value = value - 1 WHERE name = 'accounts' AND slot = (SELECT min(slot) FROM counters WHERE name = 'accounts')"),
            ("UPDATE sequences SET next = next - 1000 WHERE name = 'accounts'", "the next number of accounts", "import it into a new one",
             "UPDATE sequences SET next = next + 1000 WHERE name = 'accounts'"),
            ("UPDATE audit_log SET recorded_on = recorded_on + 86400000000 WHERE entry = 1", "audit_log.recorded_on says", "set the clock",
             "UPDATE audit_log SET recorded_on = recorded_on - 86400000000 WHERE entry = 1"),
            ("SET session_replication_role = replica; UPDATE accounts SET manager_id = 987654 WHERE id = 101",
             "1 records of accounts refer to records of assignees", "restore a backup", "UPDATE accounts SET manager_id = 12 WHERE id = 101"),
            ("UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'accounts_by_name'::regclass",
             "the index `accounts_by_name` is not valid", "REINDEX INDEX CONCURRENTLY accounts_by_name", "REINDEX INDEX CONCURRENTLY accounts_by_name"),
            ("DROP INDEX accounts_by_code", "`accounts_by_code` is not there", "0001_tables.sql",
             "CREATE INDEX accounts_by_code ON accounts (tenant_id, code_folded NULLS FIRST, id)"),
            ("ALTER TABLE contacts DISABLE TRIGGER contacts_are_counted", "1 triggers of the table `contacts` are off",
             "ALTER TABLE contacts ENABLE TRIGGER ALL", "ALTER TABLE contacts ENABLE TRIGGER ALL"),
            ("ALTER TABLE roles ADD CONSTRAINT positive CHECK (id > 0) NOT VALID", "the rule `positive` of the table `roles`",
             "VALIDATE CONSTRAINT positive", "ALTER TABLE roles VALIDATE CONSTRAINT positive"),
            ("ALTER TABLE accounts DISABLE ROW LEVEL SECURITY", "`accounts` is not held by row-level security", "ENABLE ROW LEVEL SECURITY",
             "ALTER TABLE accounts ENABLE ROW LEVEL SECURITY"),
            ("DROP POLICY of_tenant ON jobs", "the table `jobs` has no policy", "CREATE POLICY of_tenant ON jobs",
             "CREATE POLICY of_tenant ON jobs USING (tenant_id = (SELECT nullif(current_setting('service.tenant', true), '')::integer))"),
            ("ALTER VIEW contact_infos RESET (security_invoker)", "the view `contact_infos` shows what its owner may see",
             "ALTER VIEW contact_infos SET (security_invoker = true)", "ALTER VIEW contact_infos SET (security_invoker = true)"),
            ("ALTER ROLE service BYPASSRLS", "the role `service` steps over row-level security", "store_owner", "ALTER ROLE service NOBYPASSRLS"),
            ("SELECT setval(pg_get_serial_sequence('audit_log', 'entry'), 1)", "the next number of the table `audit_log` is in use", "setval(",
             "SELECT setval(pg_get_serial_sequence('audit_log', 'entry'), (SELECT max(entry) FROM audit_log))"),
            ("SELECT pg_create_physical_replication_slot('forgotten', true)", "nobody reads the replication slot `forgotten`",
             "pg_drop_replication_slot('forgotten')", "SELECT pg_drop_replication_slot('forgotten')"),
            ("INSERT INTO schema_migrations VALUES (9999, 'later', '\\x00', 0)", "migration 9999", "a newer one",
             "DELETE FROM schema_migrations WHERE number = 9999"),
            ("UPDATE schema_migrations SET checksum = '\\x00' || checksum WHERE number = 1", "migration 1 of the store differs", "a newer one",
             "UPDATE schema_migrations SET checksum = substr(checksum, 2) WHERE number = 1"),
        ];
        for (breaks, expected, remedy, mends) in cases {
            place.sql(breaks);
            found(expected, remedy);
            place.sql(mends);
        }
        // Settings of the server, which it reads again some time after it is told to.
        let reload = |setting: &str, has: &dyn Fn(&str) -> bool| {
            place.sql("SELECT pg_reload_conf()");
            while !has(&place.sql(&format!("SHOW {setting}"))) {
                thread::sleep(Duration::from_millis(5));
            }
        };
        for (setting, expected) in [
            ("synchronous_standby_names = 'nobody'", "no standby of those that `synchronous_standby_names` names is there"),
            ("full_page_writes = off", "the setting `full_page_writes` of the server is `off`"),
        ] {
            let name = setting.split(' ').next().expect("a name");
            let before = place.sql(&format!("SHOW {name}"));
            place.sql(&format!("ALTER SYSTEM SET {setting}"));
            reload(name, &|now| now != before);
            found(expected, "→");
            place.sql(&format!("ALTER SYSTEM RESET {name}"));
            reload(name, &|now| now == before);
        }
        let told = Place::database(place.data.clone(), place.database.clone())
            .with("SERVICE_STORE_READ_REPLICAS", &for_service(&place.database)).fail(&["doctor"]);
        assert!(told.contains("which is no standby: it is never read") && told.contains("1 finding"), "{told}");

        // A superuser bypasses the policies of tables; a role without ownership sees no rows.
        let mut alone = Place::folder(place.data.clone()).with("SERVICE_STORE", &place.database);
        assert!(alone.fail(&["doctor"]).contains("the role `postgres` is a superuser"));
        alone.settings = vec![("SERVICE_STORE".into(), for_service(&place.database))];
        for arguments in [&["doctor"][..], &["backup", "-o", path(folder.path())]] {
            assert!(alone.fail(arguments).to_lowercase().contains("store_owner"), "{arguments:?}");
        }
        if place.sql("SELECT count(*) FROM pg_available_extensions WHERE name = 'amcheck'") == "1" {
            place.sql("CREATE EXTENSION amcheck");
            place.succeed(&["doctor", "--full"]);
        }
        assert!(place.succeed(&["doctor", "--full"]).contains("nothing is wrong"));
        server.stop();
        let told = place.fail(&["doctor"]);
        assert!(told.contains("the store cannot be read") && told.contains("1 finding"), "{told}");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn what_a_doctor_finds_in_a_bucket_comes_with_what_to_do() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (server, mut bucket) = (Server::start(Durability::Full), tests_s3::Server::start().await);
        let place = Place::database(folder.path().join("data"), server.database()).in_bucket(&bucket, "of/it");
        place.succeed(&["init", "--sample", "--no-token"]);
        let name = place.attach(1, b"hello".to_vec()).await;
        assert!(place.succeed(&["doctor", "--full"]).contains("nothing is wrong"));
        let found = |expected: &str, arguments: &[&str]| {
            let told = place.fail(arguments);
            assert!(told.contains(expected) && told.contains('→') && told.contains("1 finding"), "{expected}: {told}");
        };
        let object = bucket.objects().pop().expect("an object");
        for (bytes, arguments, expected) in [
            ("hallo", &["doctor", "--full"][..], "has other bytes than were uploaded"),
            ("hell", &["doctor"], "has 4 bytes instead of 5"),
        ] {
            fs::write(&object, bytes).expect("written");
            found(expected, arguments);
        }
        fs::remove_file(&object).expect("removed");
        found(&format!("the content {name}, which attachments refer to, is not there"), &["doctor"]);
        let backup = folder.path().join("backup.tar");
        assert!(place.fail(&["backup", "-o", path(&backup)]).contains(&name));
        fs::write(&object, "hello").expect("written");

        let long_ago = SystemTime::now() - Duration::from_hours(48);
        for (at, expected) in [
            (object.with_file_name(name.replace('-', "-0")), "1 contents belong to no record, such as s3://bucket/of/it/content/"),
            (object.ancestors().nth(3).expect("a folder").join("staging/upload"), "1 uploads were cut off long ago"),
        ] {
            fs::create_dir_all(at.parent().expect("a folder")).expect("made");
            fs::write(&at, "left").expect("written");
            fs::File::options().write(true).open(&at).expect("open").set_modified(long_ago).expect("set");
            found(expected, &["doctor"]);
            fs::remove_file(at).expect("removed");
        }
        assert!(place.succeed(&["doctor", "--full"]).contains("nothing is wrong"));
        bucket.stop().await;
        found("cannot be examined", &["doctor"]);
        let none = folder.path().join("none.tar");
        assert!(place.fail(&["backup", "-o", path(&none)]).contains("the bucket of attachments"));
        assert!(!none.exists(), "nothing looks whole");
    }
}
