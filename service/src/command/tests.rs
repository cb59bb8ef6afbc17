//! Commands that write files.

use std::fs;

use super::*;

#[test]
fn an_export_that_fails_leaves_the_earlier_one() {
    let folder = tempfile::tempdir().unwrap();
    let config = Config { data: folder.path().join("data"), ..Config::default() };
    let output = folder.path().join("everything.json");
    let export = || export(&config, &cli::Export { output: Some(output.clone()) });
    start::open_store(&config, true, true).unwrap().close();
    export().unwrap();
    let earlier = fs::read_to_string(&output).unwrap();
    assert_eq!(earlier, "{}\n");

    let connection = rusqlite::Connection::open(config.data.join(STORE)).unwrap();
    connection.execute_batch("ALTER TABLE accounts RENAME TO lost").unwrap();
    drop(connection);
    export().unwrap_err();
    assert_eq!(fs::read_to_string(&output).unwrap(), earlier);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "no other file remains");
}
