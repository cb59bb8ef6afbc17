//! The command line's handling of proofs that cannot run.

use std::process::Command;

#[test]
fn a_proof_that_lacks_something_fails_the_run_when_it_is_required() {
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_prove"));
        // There is no C compiler in this path.
        let output = command.args(arguments).env("PATH", "/nowhere").output().expect("the proofs run");
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let (code, text) = run(&["--short", "power-loss"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("left out power-loss: "), "{text}");
    let (code, text) = run(&["--short", "--require", "power-loss"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("power-loss was left out: "), "{text}");
    // Tests cover its short form.
    let (code, text) = run(&["--short", "--require", "scopes"]);
    assert_eq!(code, Some(0), "{text}");
}
