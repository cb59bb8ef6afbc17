//! Backups, restores, migrations and the doctor, as processes of their own.

use std::{
    fs,
    io::Read as _,
    path::{Path, PathBuf},
    process::{Command, Output},
};

fn run(data: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_service"));
    command.args(["--log", "error", "--data"]).arg(data).args(arguments).output().expect("the command runs")
}

/// The two streams of a command that must end well.
fn succeed(data: &Path, arguments: &[&str]) -> (String, String) {
    let output = run(data, arguments);
    let (out, error) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{arguments:?}: {out}{error}");
    (out, error)
}

/// The two streams of a command that must fail.
fn fail(data: &Path, arguments: &[&str]) -> (String, String) {
    let output = run(data, arguments);
    let (out, error) = (text(&output.stdout), text(&output.stderr));
    assert!(!output.status.success(), "{arguments:?}: {out}{error}");
    (out, error)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn path(path: &Path) -> &str {
    path.to_str().expect("text")
}

fn store(data: &Path) -> rusqlite::Connection {
    rusqlite::Connection::open(data.join("store.sqlite")).expect("a database")
}

const HELLO: &str = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";

fn blob() -> String {
    format!("{HELLO}-0123456789abcdef0123456789abcdef")
}

/// A store with sample data and an attachment that says `hello`.
fn filled(folder: &Path) -> PathBuf {
    let data = folder.join("data");
    succeed(&data, &["init", "--sample", "--no-token"]);
    let content = content(&data);
    fs::create_dir_all(content.parent().expect("a folder")).expect("made");
    fs::write(&content, "hello").expect("written");
    let sql = format!(
        "INSERT INTO contents (tenant_id, hash, blob, size, media_type, claimed_on)
             VALUES (1, x'{HELLO}', '{}', 5, 'text/plain', 0);
         INSERT INTO attachments (tenant_id, module_id, object_id, id, original_file_name, original_file_name_folded,
             alias_name, created_on, hash) VALUES (1, 1, 101, 1, 'a.txt', 'a.txt', 'a', 0, x'{HELLO}');
         INSERT INTO sequences (tenant_id, name, next) VALUES (1, 'attachments', 2)
             ON CONFLICT DO UPDATE SET next = max(next, 2);",
        blob()
    );
    store(&data).execute_batch(&sql).expect("an attachment");
    #[cfg(unix)]
    private(&data);
    data
}

#[cfg(unix)]
fn private(path: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    let is_folder = path.is_dir();
    fs::set_permissions(path, fs::Permissions::from_mode(if is_folder { 0o700 } else { 0o600 })).expect("changed");
    if is_folder {
        fs::read_dir(path).expect("a folder").for_each(|entry| private(&entry.expect("an entry").path()));
    }
}

fn content(data: &Path) -> PathBuf {
    data.join("attachments/content/2c").join(blob())
}

#[test]
fn a_backup_is_restored_with_its_attachments_and_private() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data = filled(folder.path());
    let backup = folder.path().join("backup.tar");
    succeed(&data, &["backup", "-o", path(&backup)]);
    let (report, _) = succeed(&data, &["restore", path(&backup), "--verify"]);
    assert!(report.contains("2 files") && report.contains("the store is whole"), "{report}");

    let other = folder.path().join("other");
    succeed(&other, &["restore", path(&backup)]);
    assert_eq!(fs::read_to_string(content(&other)).expect("the attachment"), "hello");
    assert_eq!(succeed(&other, &["export"]).0, succeed(&data, &["export"]).0);
    succeed(&other, &["doctor", "--full"]);
    assert!(!other.join("restoring").exists());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        for path in [&backup, &other, &other.join("store.sqlite"), &content(&other)] {
            assert_eq!(fs::metadata(path).expect("there").permissions().mode() & 0o077, 0, "{}", path.display());
        }
    }

    let (_, error) = fail(&other, &["restore", path(&backup)]);
    assert!(error.contains("is not empty"), "{error}");
    assert!(fs::read_dir(&data).expect("the folder").all(|entry| {
        let name = entry.expect("an entry").file_name();
        !name.to_string_lossy().contains(".copy")
    }));
}

#[test]
fn a_backup_is_a_stream_and_goes_into_a_folder_under_a_name_of_its_own() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data = filled(folder.path());
    let archive = run(&data, &["backup"]).stdout;
    let mut names = Vec::new();
    for entry in tar::Archive::new(archive.as_slice()).entries().expect("an archive") {
        let mut entry = entry.expect("an entry");
        names.push(entry.path().expect("a path").display().to_string());
        entry.read_to_end(&mut Vec::new()).expect("read");
    }
    assert_eq!(names, ["store.sqlite", &*format!("attachments/content/2c/{}", blob()), "manifest.json"]);

    let backups = folder.path().join("backups");
    fs::create_dir(&backups).expect("made");
    succeed(&data, &["backup", "-o", path(&backups)]);
    let name = fs::read_dir(&backups).expect("a folder").next().expect("a backup").expect("an entry").file_name();
    assert!(name.to_string_lossy().starts_with("service-2") && name.to_string_lossy().ends_with(".tar"));
}

#[test]
fn what_a_killed_backup_leaves_is_found_by_the_doctor_and_removed_by_the_next_backup() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data = filled(folder.path());
    let left = ["store.sqlite.copy", "store.sqlite.copy-journal"].map(|name| data.join(name));
    let kept = data.join("store.sqlite.mine.copy");
    for file in left.iter().chain([&kept]) {
        fs::write(file, "half").expect("written");
    }
    #[cfg(unix)]
    private(&data);
    let (found, error) = fail(&data, &["doctor"]);
    assert!(error.contains("2 findings") && found.contains("store.sqlite.copy is left of a backup"), "{found}{error}");

    // Another process copies the store: what is there may be its own, and the next backup waits for it.
    let copying = fs::File::options().write(true).open(data.join("backup.lock")).expect("the lock");
    copying.lock().expect("locked");
    succeed(&data, &["doctor"]);
    drop(copying);

    let backup = folder.path().join("backup.tar");
    succeed(&data, &["backup", "-o", path(&backup)]);
    succeed(&data, &["doctor"]);
    assert!(left.iter().all(|file| !file.exists()) && kept.exists());
    succeed(&data, &["restore", path(&backup), "--verify"]);
}

#[test]
fn a_backup_that_is_cut_off_or_damaged_is_never_restored() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data = filled(folder.path());
    let backup = folder.path().join("backup.tar");
    succeed(&data, &["backup", "-o", path(&backup)]);
    let whole = fs::read(&backup).expect("the backup");
    let broken = folder.path().join("broken.tar");
    let refused = |bytes: &[u8], what: &str| {
        fs::write(&broken, bytes).expect("written");
        let other = folder.path().join("other");
        for arguments in [&["restore", path(&broken)][..], &["restore", path(&broken), "--verify"]] {
            let (_, error) = fail(&other, arguments);
            assert!(error.contains("backup"), "{what}: {error}");
            assert!(!other.join("store.sqlite").exists() && !other.join("attachments").exists(), "{what}");
            assert!(!other.join("restoring").exists(), "{what}");
        }
    };
    // Cut off anywhere before the end of the manifest.
    let manifest = whole.windows(13).rposition(|window| window == b"manifest.json").expect("a manifest");
    for end in [0, 1, 511, 512, 5_000, manifest - 512, manifest, manifest + 512, manifest + 600] {
        refused(&whole[..end], &format!("cut off at {end}"));
    }
    let spot = |needle: &[u8]| whole.windows(needle.len()).position(|window| window == needle).expect("there");
    for (at, what) in [(5_000, "a byte of the store"), (spot(b"hello"), "a byte of a content")] {
        let mut bytes = whole.clone();
        bytes[at] ^= 1;
        refused(&bytes, what);
    }
    let mut bytes = whole.clone();
    bytes[manifest + 512 + 14] ^= 1;
    refused(&bytes, "a byte of the manifest");
    refused(b"this is not an archive", "another file");

    // Remains of a killed restore do not prevent another one.
    let other = folder.path().join("other");
    fs::create_dir_all(other.join("restoring")).expect("made");
    fs::write(other.join("restoring/store.sqlite"), "half").expect("written");
    succeed(&other, &["restore", path(&backup)]);
}

#[test]
fn a_backup_of_what_is_lost_says_so_and_keeps_the_rest() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data = filled(folder.path());
    fs::remove_file(content(&data)).expect("removed");
    let backup = folder.path().join("backup.tar");
    let (_, error) = fail(&data, &["backup", "-o", path(&backup)]);
    assert!(error.contains(&blob()), "{error}");
    let other = folder.path().join("other");
    let (_, error) = fail(&other, &["restore", path(&backup)]);
    assert!(error.contains(&blob()), "{error}");
    assert_eq!(succeed(&other, &["export"]).0, succeed(&data, &["export"]).0, "the records are there all the same");
}

/// Takes the last migration back, as if the store had been made by the program before it.
fn make_older(data: &Path) -> i64 {
    let connection = store(data);
    let last: i64 =
        connection.query_row("SELECT max(number) FROM schema_migrations", (), |row| row.get(0)).expect("one");
    connection
        .execute_batch("DROP VIEW contact_infos; DROP VIEW missing_patch_infos")
        .expect("as the migration before left it");
    connection.execute("DELETE FROM schema_migrations WHERE number = ?1", [last]).expect("deleted");
    last
}

#[test]
fn a_store_of_a_newer_or_an_older_program_is_reported_and_not_changed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data = filled(folder.path());
    let last = make_older(&data);
    let before = fs::read(data.join("store.sqlite")).expect("the store");
    let reading: [&[&str]; 3] = [&["check"], &["export"], &["token", "list"]];
    let writing: [&[&str]; 2] = [&["token", "create", "x", "--all"], &["token", "revoke", "1"]];
    for arguments in reading.iter().chain(&writing) {
        let (_, error) = fail(&data, arguments);
        assert!(error.contains(&format!("migration {}", last - 1)) && error.contains("`service migrate`"), "{error}");
    }
    assert!(fail(&data, &["doctor"]).0.contains("`service migrate`"));
    let backup = folder.path().join("backup.tar");
    succeed(&data, &["backup", "-o", path(&backup)]);
    assert!(succeed(&data, &["restore", path(&backup), "--verify"]).0.contains("migrates it"));
    assert_eq!(fs::read(data.join("store.sqlite")).expect("the store"), before);
    let other = folder.path().join("other");
    succeed(&other, &["restore", path(&backup)]);
    succeed(&other, &["migrate"]);
    succeed(&other, &["doctor", "--full"]);
    succeed(&other, &["check"]);

    let connection = store(&data);
    connection
        .execute("INSERT OR REPLACE INTO schema_migrations VALUES (9999, 'later', x'00', 0)", ())
        .expect("written");
    drop(connection);
    let before = fs::read(data.join("store.sqlite")).expect("the store");
    for arguments in reading.iter().chain(&writing).chain(&[&["serve"][..], &["migrate"], &["backup"]]) {
        let (_, error) = fail(&data, arguments);
        assert!(error.contains("migration 9999") && error.contains("a newer one"), "{arguments:?}: {error}");
    }
    assert_eq!(fs::read(data.join("store.sqlite")).expect("the store"), before);
}

#[test]
fn what_a_doctor_finds_comes_with_what_to_do() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data = filled(folder.path());
    assert!(succeed(&data, &["doctor", "--full"]).0.contains("nothing is wrong"));

    let found = |expected: &str, arguments: &[&str]| {
        let (out, error) = fail(&data, arguments);
        assert!(out.contains(expected) && out.contains('→') && error.contains("1 finding"), "{expected}: {out}{error}");
    };
    let sql = |sql: &str| store(&data).execute_batch(sql).expect("done");
    sql("UPDATE counters SET value = value + 1 WHERE name = 'accounts'");
    found("the counter `accounts`", &["doctor"]);
    sql("UPDATE counters SET value = value - 1 WHERE name = 'accounts'");
    sql("UPDATE sequences SET next = 1 WHERE name = 'attachments'");
    found("the next number of attachments", &["doctor"]);
    sql("UPDATE sequences SET next = 2 WHERE name = 'attachments'");
    sql("UPDATE contents SET claimed_on = 4102444800000000");
    found("contents.claimed_on says 2100-01-01", &["doctor"]);
    sql("UPDATE contents SET claimed_on = 0");
    sql("PRAGMA foreign_keys = OFF; UPDATE accounts SET manager_id = 987654 WHERE id = 101");
    found("1 records of accounts refer to records of assignees", &["doctor"]);
    sql("UPDATE accounts SET manager_id = 12 WHERE id = 101");

    fs::write(content(&data), "hallo").expect("written");
    succeed(&data, &["doctor"]);
    found("has other bytes than were uploaded", &["doctor", "--full"]);
    fs::write(content(&data), "hell").expect("written");
    found("has 4 bytes instead of 5", &["doctor"]);
    fs::remove_file(content(&data)).expect("removed");
    found("is not there", &["doctor"]);
    fs::write(content(&data), "hello").expect("written");
    #[cfg(unix)]
    private(&data);

    let long_ago = std::time::SystemTime::now() - std::time::Duration::from_hours(48);
    for (name, expected) in [
        ("content/ab/abababababababababababababababababababababababababababababababab", "belong to no record"),
        ("staging/upload", "were cut off"),
    ] {
        let orphan = data.join("attachments").join(name);
        fs::create_dir_all(orphan.parent().expect("a folder")).expect("made");
        fs::write(&orphan, "orphan").expect("written");
        fs::File::options().write(true).open(&orphan).expect("open").set_modified(long_ago).expect("set");
        #[cfg(unix)]
        private(&data);
        found(expected, &["doctor"]);
        fs::remove_file(orphan).expect("removed");
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(data.join("store.sqlite"), fs::Permissions::from_mode(0o644)).expect("changed");
        found("open to others", &["doctor"]);
        private(&data);
    }
    succeed(&data, &["doctor", "--full"]);

    let mut bytes = fs::read(data.join("store.sqlite")).expect("the store");
    let middle = bytes.len() / 2;
    bytes[middle..middle + 8192].fill(0x55);
    fs::write(data.join("store.sqlite"), bytes).expect("written");
    let (out, _) = fail(&data, &["doctor"]);
    assert!(out.contains("damaged") || out.contains("cannot be read"), "{out}");
}
