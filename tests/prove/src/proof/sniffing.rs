//! Files whose content differs from their declared type: browsers never execute them.

use anyhow::{Context as _, Result, ensure};

use super::Form;
use crate::{
    connection::{Connection, get},
    figure::{Figure, Outcome},
    files::{png, png_head, upload, zeros},
    store::Store,
};

/// Media types that are sent unchanged.
const HARMLESS: &[&str] = &[
    "application/octet-stream",
    "application/pdf",
    "application/zip",
    "audio/mpeg",
    "image/gif",
    "image/jpeg",
    "image/png",
    "image/webp",
    "video/mp4",
];

/// Runs it.
pub(super) fn run(_: Form, store: Store) -> Result<Outcome> {
    let folder = tempfile::tempdir()?;
    let start = store.start();
    let service = start.run(folder.path())?;
    let token = start.token(folder.path())?;
    let mut picture = png(&[(b"IHDR", png_head(2, 2, 0)), (b"IDAT", zeros(6)), (b"IEND", Vec::new())]);
    picture.extend(b"<script>alert(1)</script>");
    let files: [(&str, Vec<u8>); 12] = [
        ("page.html", b"<!DOCTYPE html><html><script>alert(1)</script></html>".to_vec()),
        ("page.htm", b"   \n<html><body onload=alert(1)>".to_vec()),
        ("drawing.svg", b"<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>".to_vec()),
        ("drawing.xml", b"<?xml version=\"1.0\"?><svg onload=\"alert(1)\"/>".to_vec()),
        ("code.js", b"alert(document.cookie)".to_vec()),
        ("paper.pdf", b"%PDF-1.7\n1 0 obj<</OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj".to_vec()),
        ("gif.js", b"GIF89a/*\x01\x00\x00\x00\x00*/=1;alert(1)".to_vec()),
        ("picture.png", picture),
        ("jar.zip", b"PK\x03\x04\x14\x00\x00\x00META-INF/MANIFEST.MF".to_vec()),
        ("jpeg.html", b"\xff\xd8\xff\xe0\x00\x10JFIF\x00<script>alert(1)</script>".to_vec()),
        ("mail.mht", b"MIME-Version: 1.0\r\nContent-Type: multipart/related\r\n\r\n<script>alert(1)</script>".to_vec()),
        ("utf7.txt", b"+ADw-script+AD4-alert(1)+ADw-/script+AD4-".to_vec()),
    ];
    let (mut answers, mut unsafe_answers) = (0, 0);
    for (name, bytes) in &files {
        for said in ["image/png", "text/html", "image/svg+xml"] {
            let request = upload("/v2/system/attachments/1/101", &token, "formFile", name.as_bytes(), said, bytes);
            let answer = Connection::open(service.address)?.exchange(&request)?;
            ensure!(answer.status == 200, "{name}: {}", answer.status);
            let id = answer.json()?["Result"][0]["Id"].as_u64().context("an id")?;
            let path = format!("/v2/system/attachments/1/101/{id}/download");
            for (query, header) in [("", ""), ("?width=64", ""), ("", "range: bytes=0-3\r\n")] {
                let mut request = get(&format!("{path}{query}"), &token);
                request.truncate(request.len() - 2);
                request.extend(header.bytes().chain(*b"\r\n"));
                let answer = Connection::open(service.address)?.exchange(&request)?;
                answers += 1;
                if !matches!(answer.status, 200 | 206) {
                    // An invalid image is refused as a thumbnail, with our own body.
                    let is_ours = answer.status == 422 && answer.header("content-type") == Some("application/json");
                    unsafe_answers += u64::from(!is_ours);
                    continue;
                }
                let media_type = answer.header("content-type").unwrap_or_default();
                let is_safe = HARMLESS.contains(&media_type)
                    && answer.header("x-content-type-options") == Some("nosniff")
                    && answer.header("content-disposition").is_some_and(|value| value.starts_with("attachment"))
                    && answer.header("content-security-policy").is_some_and(|value| value.contains("sandbox"));
                if !is_safe {
                    println!("  {name} as {said}{query}: {media_type}, {:?}", answer.headers);
                    unsafe_answers += 1;
                }
            }
        }
    }
    Ok(Outcome::Measured(vec![
        Figure::plain("answers with files that lie about their type", answers),
        Figure::exactly("of them without nosniff, attachment, sandbox or a harmless type", 0, unsafe_answers),
    ]))
}
