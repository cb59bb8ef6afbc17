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
