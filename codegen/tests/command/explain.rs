//! `specwright explain`, `specwright completions` and `--help`

use crate::folder::Folder;

#[test]
fn codes_are_explained_by_number_and_by_name() {
    let folder = Folder::new(&[]);
    let run = folder.run("explain w0312");
    insta::assert_snapshot!(run.shown());
    assert_eq!(folder.run("explain path-parameter-outside-template").stdout, run.stdout);
    assert_eq!(folder.run("explain E0312").stdout, run.stdout, "a code may have become less severe");
    let unknown = folder.run("explain E9999");
    assert_eq!(unknown.code, Some(2));
    assert_eq!(unknown.stderr, "error: there is no `E9999`; `specwright explain` lists all\n");
    assert_eq!(folder.run("explain").stdout.lines().count(), specwright::Code::all().count());
}

#[test]
fn shells_are_helped() {
    let folder = Folder::new(&[]);
    let run = folder.run("completions bash");
    assert_eq!(run.code, Some(0));
    assert!(run.stdout.contains("_specwright"));
    assert_eq!(folder.run("completions nonsense").code, Some(2));
}

#[test]
fn the_help_says_what_exit_codes_mean() {
    let folder = Folder::new(&[]);
    insta::assert_snapshot!(folder.run("--help").shown());
}
