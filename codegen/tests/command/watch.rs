//! `specwright watch`

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use super::folder::{ACCOUNTS, Folder, MISTAKEN};

/// A running command, which a failed test stops too.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_check_does_not_wait() {
    let folder = Folder::new(&[("accounts.yaml", ACCOUNTS)]);
    let run = folder.run("watch accounts.yaml --client client --check");
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("`specwright generate --check`"), "{}", run.stderr);
}

#[test]
fn each_change_of_a_file_that_was_read_brings_the_crate_up_to_date() {
    let account = "{ type: object, properties: { name: { type: string } } }";
    let split = ACCOUNTS.replace(
        "{ type: object, required: [name], properties: { name: { type: string }, key: { type: string, format: uuid } } }",
        "{ $ref: 'schemas/account.yaml' }",
    );
    let folder = Folder::new(&[("accounts.yaml", &split), ("schemas/account.yaml", account)]);
    let mut running = Command::new(env!("CARGO_BIN_EXE_specwright"))
        .args(["watch", "accounts.yaml", "--client", "client"])
        .current_dir(folder.path(""))
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map(Running)
        .unwrap();
    let mut lines = BufReader::new(running.0.stderr.take().unwrap()).lines().map(Result::unwrap);
    // Returns what was said before the command waits.
    let mut generated = || lines.by_ref().take_while(|line| !line.starts_with("waiting for")).collect::<String>();
    let model = || folder.read("client/src/models/account.rs");

    generated();
    assert!(model().contains("pub name: Option<String>"), "{}", model());

    folder.write("schemas/account.yaml", &account.replace("name:", "title:"));
    generated();
    assert!(model().contains("pub title: Option<String>"), "{}", model());

    folder.write("accounts.yaml", MISTAKEN);
    let said = generated();
    assert!(said.contains("error[E"), "{said}");
    assert!(model().contains("pub title: Option<String>"), "{}", model());

    // As editors do it.
    folder.write("new", &split.replace("getAccount", "readAccount"));
    std::fs::rename(folder.path("new"), folder.path("accounts.yaml")).unwrap();
    generated();
    assert!(folder.read("client/src/accounts.rs").contains("read_account"));
}
