//! `--deny`, `--allow`, `--skip` and `[diagnostics]`

use crate::folder::{ACCOUNTS, Folder, MISTAKEN};

/// One warning: `W0312`, in the only operation.
fn outside_template() -> String {
    ACCOUNTS.replace("name: fields, in: query", "name: fields, in: path, required: true")
}

#[test]
fn a_warning_can_be_denied_and_allowed() {
    let folder = Folder::new(&[
        ("accounts.yaml", &outside_template()),
        ("deny.toml", "[diagnostics]\npath-parameter-outside-template = 'deny'\n"),
        ("allow.toml", "[diagnostics]\nwarnings = 'deny'\nW0312 = 'allow'\n"),
    ]);
    let plain = folder.run("lint accounts.yaml");
    assert_eq!(plain.code, Some(0));
    assert!(plain.stderr.contains("warning[W0312]"), "{}", plain.stderr);
    for denied in ["--deny W0312", "--deny warnings", "--config deny.toml"] {
        let run = folder.run(&format!("lint accounts.yaml {denied}"));
        assert_eq!(run.code, Some(1), "{denied}");
        assert!(run.stderr.contains("error[W0312]"), "{}", run.stderr);
    }
    for allowed in [
        "--allow path-parameter-outside-template",
        "--config allow.toml",
        "--deny warnings --allow W0312",
        "--config deny.toml --allow 0312",
        "--config deny.toml --allow warnings",
        "--allow warnings --allow W0312",
    ] {
        let run = folder.run(&format!("lint accounts.yaml {allowed}"));
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{allowed}");
    }
    assert_eq!(folder.run("generate accounts.yaml --client c --deny warnings").code, Some(1));
    assert!(!folder.path("c").exists());
}

#[test]
fn what_is_left_out_for_a_warning_is_a_warning() {
    let folder =
        Folder::new(&[("accounts.yaml", &outside_template()), ("skip.toml", "[diagnostics]\nwarnings = 'skip'\n")]);
    for skipped in ["--skip warnings", "--config skip.toml"] {
        let run = folder.run(&format!("lint accounts.yaml {skipped}"));
        assert_eq!(run.code, Some(0), "{skipped}");
        assert!(run.stderr.contains("warning[W0209]"), "{}", run.stderr);
    }
}

#[test]
fn an_operation_at_fault_can_be_left_out() {
    let mistaken = MISTAKEN.replace("type: strange", "type: 7");
    let folder = Folder::new(&[("accounts.yaml", &mistaken), ("skip.toml", "[diagnostics]\nwrong-type = 'skip'\n")]);
    assert_eq!(folder.run("list accounts.yaml").code, Some(1));
    let run = folder.run("list accounts.yaml --config skip.toml");
    insta::assert_snapshot!(run.shown());
    assert_eq!(folder.run("list accounts.yaml --skip errors").stdout, run.stdout);
    assert_eq!(folder.run("generate accounts.yaml --skip errors --server s").code, Some(0));
    assert!(!folder.read("s/src/openapi.json").contains("getAccount"));
    assert_eq!(folder.run("list accounts.yaml --skip errors --deny skipped").code, Some(1));
}

#[test]
fn what_cannot_be_decided_is_said() {
    let folder = Folder::new(&[
        ("accounts.yaml", ACCOUNTS),
        ("misspelt.toml", "[diagnostics]\npath-parameter-outside-templat = 'deny'\n"),
        ("impossible.toml", "[diagnostics]\nmissing-field = 'warn'\n"),
        ("twice.toml", "[diagnostics]\nW0315 = 'deny'\nno-success = 'warn'\n"),
        ("unknown.toml", "[diagnostics]\nmissing-field = 'forbid'\n"),
    ]);
    let said = |arguments: &str| {
        let run = folder.run(&format!("lint accounts.yaml {arguments}"));
        assert_eq!(run.code, Some(2));
        run.stderr
    };
    for (arguments, expected) in [
        (
            "--config misspelt.toml",
            "misspelt.toml: there is no `path-parameter-outside-templat`; did you mean `path-parameter-outside-template`?",
        ),
        ("--deny nonsense", "there is no `nonsense`; `specwright explain` lists all"),
        (
            "--deny W0312 --allow path-parameter-outside-template",
            "`path-parameter-outside-template` is decided about twice, and not alike",
        ),
        ("--config twice.toml", "twice.toml: `no-success` is decided about twice, and not alike"),
        (
            "--config impossible.toml",
            "impossible.toml: `missing-field` has no repair to go on with; it can be `deny` or `skip`",
        ),
    ] {
        assert_eq!(said(arguments), format!("error: {expected}\n"));
    }
    assert!(said("--config unknown.toml").contains("`forbid`"));
}
