//! `codegen list`

use crate::bench::{ACCOUNTS, Bench, MISTAKEN};

#[test]
fn operations_are_listed() {
    let bench = Bench::new(&[("accounts.yaml", ACCOUNTS)]);
    insta::assert_snapshot!(bench.run("list accounts.yaml").shown());
    insta::assert_snapshot!(bench.run("list accounts.yaml --format json").shown());
}

#[test]
fn a_document_at_fault_has_no_list() {
    let bench = Bench::new(&[("accounts.yaml", MISTAKEN)]);
    let run = bench.run("list accounts.yaml");
    assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""));
}

#[test]
fn a_part_of_the_operations_is_read() {
    let bench = Bench::new(&[
        ("accounts.yaml", ACCOUNTS),
        ("part.toml", "include.paths = ['/accounts/*']\n"),
        ("rest.toml", "exclude.operations = ['get*', 'crateAccount']\n"),
        ("wrong.toml", "exclude.operation = ['get*']\n"),
    ]);
    let part = bench.run("list accounts.yaml --config part.toml");
    assert_eq!((part.code, part.stderr.as_str()), (Some(0), ""));
    assert!(part.stdout.contains("getAccount") && !part.stdout.contains("createAccount"), "{}", part.stdout);
    let rest = bench.run("list accounts.yaml --config rest.toml");
    assert!(!rest.stdout.contains("getAccount") && rest.stdout.contains("createAccount"), "{}", rest.stdout);
    assert!(rest.stderr.contains("there is no operation `crateAccount`"), "{}", rest.stderr);
    assert!(rest.stderr.contains("did you mean `createAccount`?"), "{}", rest.stderr);
    assert_eq!(bench.run("list accounts.yaml --config wrong.toml").code, Some(2));
}
