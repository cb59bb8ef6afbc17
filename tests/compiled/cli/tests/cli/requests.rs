//! Words become the request of an operation; a dry run shows it.

use crate::PROGRAM;
use crate::program::{Run, run};

/// Runs a command without sending anything.
async fn dry(words: &[&str], input: &str) -> Run {
    let words = [words, &["--dry-run"]].concat();
    run(PROGRAM, &words, &[("COMPILED_CLI_URL", "http://api.test")], input).await
}

#[tokio::test]
async fn parameters_are_written_in_their_styles() {
    let words = [
        "parameter-styles",
        "query",
        "--required",
        "7",
        "--value=a b",
        "--list",
        "x",
        "--list",
        "-y",
        "--list-in-one=x",
        "--list-in-one=y",
        "--deep",
        r#"{"x":1,"y":2}"#,
        "--at",
        "2024-03-05T09:30:00Z",
        "--one-or-many",
        "p",
        "--one-or-many=q",
    ];
    let run = dry(&words, "").await;
    let decoded = run.stdout.replace("%5B", "[").replace("%5D", "]").replace("%3A", ":").replace("%2C", ",");
    for part in [
        "curl 'http://api.test/query?",
        "value=a%20b",
        "required=7",
        "&list=x&list=-y",
        "listInOne=x,y",
        "deep[x]=1&deep[y]=2",
        "at=2024-03-05T09:30:00Z",
        "oneOrMany=p&oneOrMany=q",
    ] {
        assert!(decoded.contains(part), "{part}: {run:?}");
    }
}

#[tokio::test]
async fn every_kind_of_body_is_sent() {
    let form = ["bodies", "send-form", "--title", "a&b", "--stars=3", "--tags=x", "--tags=y", "--done"];
    for (words, input, shown) in [
        (&["bodies", "send-text", "--body", "it's"][..], "", "--data-raw 'it'\\''s'"),
        (&["bodies", "send-text", "--body", "-"], "hello", "--data-raw 'hello'"),
        (&["bodies", "send-bytes", "--body", "-"], "hello", "--data-binary '@-'"),
        (&["bodies", "send-bytes", "--body", "abc"], "", "--data-raw 'abc'"),
        (&form, "", "--data-raw 'done=true&stars=3&tags=x&tags=y&title=a%26b'"),
        (&["bodies", "send-anything", "--body", "null"], "", "--data-raw 'null'"),
        (&["bodies", "send-anything", "--body", "[1.5]"], "", "--data-raw '[1.5]'"),
    ] {
        let run = dry(words, input).await;
        assert_eq!(run.code, Some(0), "{run:?}");
        assert!(run.stdout.contains(shown), "{shown}: {run:?}");
    }
    let absent = dry(&["bodies", "send-anything"], "").await;
    assert!(!absent.stdout.contains("--data"), "{absent:?}");
}

#[tokio::test]
async fn files_are_parts() {
    let words = [
        "multipart",
        "upload-files",
        "--file",
        "@Cargo.toml",
        "--more",
        "Cargo.toml",
        "--more=-",
        "--title=Three",
        "--kind",
        "text",
    ];
    let run = dry(&words, "piped").await;
    for part in ["-F 'file=@Cargo.toml", "-F 'more=@Cargo.toml", "-F 'more=@-", "--form-string 'title=Three'"] {
        assert!(run.stdout.contains(part), "{part}: {run:?}");
    }
    assert!(!run.stdout.contains("multipart/form-data"), "{run:?}");
    let run = dry(&["positional", "send-notes", "--items={\"title\":\"a\"}", "--items={\"title\":\"b\"}"], "").await;
    for text in ["-H 'content-type: multipart/mixed; boundary=", "\r\n\r\n{\"title\":\"a\"}\r\n"] {
        assert!(run.stdout.contains(text), "{text}: {run:?}");
    }
}

#[tokio::test]
async fn a_wrong_value_is_named_with_its_option() {
    for (words, named) in [
        (&["parameter-styles", "query"][..], "--required <NUMBER>"),
        (&["parameter-styles", "query", "--required=seven"], "- `required` (--required): \"seven\" is not of type"),
        (&["parameter-styles", "query", "--required=1", "--at", "tomorrow"], "- `at` (--at): "),
        (&["parameter-styles", "query", "--required=1", "--deep", "{"], "`--deep` is not JSON: "),
        (&["parameter-styles", "query", "--required=1", "--valeu=a"], "--value"),
        (&["bodies", "send-form", "--title="], "- `body.title` (--title): "),
        (&["bodies", "send-form", "--body", "@missing"], "missing: "),
        (&["multipart", "upload-files", "--title=t", "--file=missing"], "missing: "),
        (&["multipart", "upload-files", "--title=t", "--file=-", "--kind=film"], "[possible values: picture, text]"),
        (&["bodies", "send-list"], "- `body` (--body): is missing"),
    ] {
        let run = dry(words, "").await;
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{words:?}: {run:?}");
        assert!(run.stderr.starts_with("error: ") && run.stderr.contains(named), "{named}: {run:?}");
    }
}

#[tokio::test]
async fn credentials_are_variables_of_the_shell() {
    let both = dry(&["security", "with-both"], "").await.stdout;
    assert!(both.contains("-H \"Authorization: Bearer $COMPILED_CLI_BEARER\""), "{both}");
    assert!(both.contains(": $COMPILED_CLI_KEY_IN_HEADER\""), "{both}");
    let either = dry(&["security", "with-either"], "").await.stdout;
    assert!(either.contains("-u \"$COMPILED_CLI_BASIC\""), "{either}");
}

#[tokio::test]
async fn every_command_has_a_help() {
    let help = run(PROGRAM, &["--help"], &[], "").await;
    let (_, groups) = help.stdout.split_once("Commands:\n").expect("a list");
    let names = |text: &str| -> Vec<String> {
        let lines = text.lines().take_while(|line| !line.is_empty());
        let words = lines.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
        words.filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
    };
    let mut count = 0;
    for group in names(groups).iter().filter(|name| *name != "help") {
        let help = run(PROGRAM, &[group, "--help"], &[], "").await;
        let Some((_, commands)) = help.stdout.split_once("Commands:\n") else { continue };
        for command in names(commands).iter().filter(|name| *name != "help") {
            let help = run(PROGRAM, &[group, command, "--help"], &[], "").await;
            assert_eq!(help.code, Some(0), "{group} {command}: {help:?}");
            count += 1;
        }
    }
    assert!(count > 80, "{count}");
}
