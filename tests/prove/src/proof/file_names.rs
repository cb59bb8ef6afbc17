//! File names that escape folders, name devices, break headers or are displayed misleadingly: they are never
//! used on disk, and responses encode them unambiguously.

use std::path::Path;

use anyhow::{Context as _, Result};

use super::Form;
use crate::{
    connection::{Connection, get},
    figure::{Figure, Outcome},
    files::upload,
    store::Store,
};

/// Runs it.
pub(super) fn run(_: Form, store: Store) -> Result<Outcome> {
    let folder = tempfile::tempdir()?;
    let start = store.start();
    let service = start.run(folder.path())?;
    let token = start.token(folder.path())?;
    let long = "n".repeat(4096);
    let names: Vec<Vec<u8>> = [
        "../../x",
        r"..\\..\\x",
        r"C:\\x",
        "CON",
        "NUL.txt",
        "aux",
        long.as_str(),
        "a\u{202e}fdp.exe",
        "caf\u{e9}.txt",
        "cafe\u{301}.txt",
        "%22quoted%22.txt",
        r#"a\"b.txt"#,
        "%0d%0aSet-Cookie: a=b.txt",
        "\u{1f4a9}.png",
        ".",
        "..",
        " ",
        ".hidden",
        "a;b=c.txt",
        "a\tb.txt",
        "\u{feff}bom.txt",
        "name.",
        "-rf",
        "a\u{0}b.txt",
        "~/.ssh/config",
        "x/../../y",
        "\u{2028}line.txt",
        "%2e%2e%2fx",
    ]
    .map(|name| name.as_bytes().to_vec())
    .into_iter()
    .chain([b"a\r\nSet-Cookie: a=b".to_vec(), b"a\nb.txt".to_vec(), b"\xff\xfe.txt".to_vec(), b"a\"b\".txt".to_vec()])
    .collect();

    let (mut stored, mut refused, mut failed, mut kept_under, mut headers, mut unsafe_names) = (0, 0, 0, 0, 0, 0);
    for name in &names {
        let mut connection = Connection::open(service.address)?;
        let request = upload("/v2/system/attachments/1/101", &token, "formFile", name, "text/plain", name);
        let answer = connection.exchange(&request)?;
        match answer.status {
            200 => stored += 1,
            400 | 422 => {
                refused += 1;
                continue;
            }
            _ => {
                println!("  {:?}: {}", String::from_utf8_lossy(name), answer.status);
                failed += 1;
                continue;
            }
        }
        let attachment = &answer.json()?["Result"][0];
        let shown = attachment["OriginalFileName"].as_str().context("a name")?;
        let is_safe = !shown.contains(['/', '\\'])
            && !shown.chars().any(|c| c.is_control() || ('\u{202a}'..='\u{202e}').contains(&c));
        unsafe_names += u64::from(!is_safe || shown.is_empty() || shown.len() > 255);
        let alias = attachment["AliasName"].as_str().context("an alias")?;
        kept_under += u64::from(!alias.starts_with(|c: char| c.is_ascii_hexdigit()) || alias.len() > 36 + 17);
        let path = format!("/v2/system/attachments/1/101/{}/download", attachment["Id"]);
        let answer = Connection::open(service.address)?.exchange(&get(&path, &token))?;
        let disposition = answer.header("content-disposition").unwrap_or_default();
        let is_plain = disposition.starts_with("attachment; filename=\"")
            && disposition.bytes().all(|byte| (32..127).contains(&byte));
        let has_name = shown.is_ascii() || disposition.contains("; filename*=UTF-8''");
        let is_alone = answer.header("set-cookie").is_none() && answer.body == *name;
        if !(is_plain && has_name && is_alone) {
            println!("  {shown:?}: {disposition}");
            headers += 1;
        }
    }
    kept_under += foreign_files(&folder.path().join("attachments"))?;
    Ok(Outcome::Measured(vec![
        Figure::plain("names, stored and refused", format!("{} and {refused} of {}", stored, names.len())),
        Figure::exactly("answers other than 200, 400 and 422", 0, failed),
        Figure::exactly("files kept under anything but a name of the service's own", 0, kept_under),
        Figure::exactly("names shown with folders, controls or marks of direction", 0, unsafe_names),
        Figure::exactly("headers that are not plain, or without the name in UTF-8", 0, headers),
    ]))
}

/// Files whose name is not a hash and a random number, in a folder named after its first two digits.
fn foreign_files(folder: &Path) -> Result<u64> {
    let mut count = 0;
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            count += foreign_files(&entry.path())?;
        } else {
            let name = entry.file_name().to_string_lossy().into_owned();
            let is_number =
                |text: &str, length| text.len() == length && text.bytes().all(|byte| byte.is_ascii_hexdigit());
            let is_own =
                name.split_once('-').is_some_and(|(hash, random)| is_number(hash, 64) && is_number(random, 32));
            count += u64::from(!is_own || !entry.path().ends_with(format!("content/{}/{name}", &name[..2])));
        }
    }
    Ok(count)
}
