//! How a folder of a crate is brought up to date.

use std::{fs, io};

use specwright::{CrateFolder, File, Owned};

const THERE: [(&str, &str); 5] = [
    ("Cargo.toml", "ours"),
    ("src/lib.rs", "// made here\nold"),
    ("src/same.rs", "// made here\nsame"),
    ("src/a/b/c.rs", "// made here"),
    ("src/own.rs", "own"),
];

/// The changes made to a folder, and its files afterwards.
fn written(there: &[(&str, &str)], owned: Owned) -> io::Result<(Vec<String>, String)> {
    let folder = tempfile::tempdir()?;
    for (path, text) in there {
        fs::create_dir_all(folder.path().join(path).parent().unwrap())?;
        fs::write(folder.path().join(path), text)?;
    }
    let files = [
        ("Cargo.toml", "theirs"),
        ("src/lib.rs", "// made here\nnew"),
        ("src/same.rs", "// made here\nsame"),
        ("src/d/e.rs", "// made here\ne"),
    ];
    let files = files.map(|(path, text)| File { path: path.to_owned(), text: text.to_owned() });
    let folder_of_crate = CrateFolder::new(folder.path(), files).owned(owned);
    let changes = folder_of_crate.write()?.iter().map(ToString::to_string).collect();
    assert_eq!(folder_of_crate.compare()?, []);
    assert_eq!(fs::read_to_string(folder.path().join("src/lib.rs"))?, "// made here\nnew");
    Ok((changes, fs::read_to_string(folder.path().join("Cargo.toml"))?))
}

#[test]
fn marked_files_are_replaced_and_removed() -> io::Result<()> {
    let marked = || Owned::Marked("made here".to_owned());
    let changes = ["+ src/d/e.rs", "~ src/lib.rs", "- src/a/b/c.rs"];
    assert_eq!(written(&THERE, marked())?, (changes.map(str::to_owned).into(), "ours".to_owned()));
    let foreign = written(&[("src/lib.rs", "old")], marked()).unwrap_err();
    assert!(foreign.to_string().ends_with("src/lib.rs` is not generated, so it is not overwritten; move it away"));
    Ok(())
}

#[test]
fn a_folder_below_can_be_owned_as_a_whole() -> io::Result<()> {
    let changes = ["~ Cargo.toml", "+ src/d/e.rs", "~ src/lib.rs", "- src/a/b/c.rs", "- src/own.rs"];
    let (found, manifest) = written(&THERE, Owned::Below("src".to_owned()))?;
    assert_eq!((found, manifest.as_str()), (changes.map(str::to_owned).into(), "theirs"));
    let (found, _) = written(&THERE, Owned::Listed)?;
    assert_eq!(found, &changes[..3]);
    Ok(())
}
