//! Sample records.

use std::{fmt::Write as _, path::Path};

use anyhow::{Result, ensure};

use crate::service::Start;

/// The body that creates an account.
pub fn account(name: &str) -> String {
    format!(
        r#"{{"AccountName":"{name}","AccountTypeId":1,"BusinessTypeId":1,"AccountManagerId":12,"Website":"https://account.example","Description":"Proved","Locations":[{{"LocationName":"Main","IsMain":true,"Addresses":[{{"Address1":"1 High St","City":"Springfield","State":"IL","ZipCode":"62701","Phone":"+1 555 0100","IsMain":true}}]}}]}}"#
    )
}

/// The body that creates a contact with one phone number and one email address.
pub fn contact(last_name: &str, account: u32, location: i64) -> String {
    format!(
        r#"{{"LastName":"{last_name}","AccountId":{account},"LocationId":{location},"Phones":[{{"PhoneNumber":"+1 555 0100","PhoneTypeId":1}}],"Emails":[{{"EmailAddress":"prove@account.example","EmailTypeId":1}}]}}"#
    )
}

/// The content of the file of an attachment with this name.
pub fn file(name: &str) -> Vec<u8> {
    format!("{name}\n").repeat(200).into_bytes()
}

/// A request that attaches a file to an account.
pub fn attachment(name: &str, account: u32, token: &str) -> Vec<u8> {
    let mut body = format!(
        "--prove\r\ncontent-disposition: form-data; name=\"formFile\"; filename=\"{name}.txt\"\r\n\
         content-type: text/plain\r\n\r\n"
    )
    .into_bytes();
    body.extend(file(name));
    body.extend(b"\r\n--prove--\r\n");
    let mut request = format!(
        "POST /v2/system/attachments/1/{account} HTTP/1.1\r\nhost: prove\r\nauthorization: Bearer {token}\r\n\
         content-type: multipart/form-data; boundary=prove\r\ncontent-length: {}\r\n\r\n",
        body.len()
    )
    .into_bytes();
    request.extend(body);
    request
}

/// Imports this many accounts, with ids from 1,000,000, into an existing store.
pub fn import_accounts(start: &Start, data: &Path, count: u32) -> Result<()> {
    let mut text = String::from("{\"Accounts\":[");
    for number in 0..count {
        let comma = if number == 0 { "" } else { "," };
        let account = account(&format!("Account {number}"));
        // Writing to a `String` cannot fail.
        let _ = write!(text, "{comma}{{\"Id\":{},{}", 1_000_000 + number, &account[1..]);
    }
    text.push_str("]}");
    let file = tempfile::Builder::new().suffix(".json").tempfile()?;
    std::fs::write(file.path(), text)?;
    let output = start.command(data, &["import", "--quiet"])?.arg(file.path()).output()?;
    ensure!(output.status.success(), "the import failed: {}", String::from_utf8_lossy(&output.stderr));
    Ok(())
}

/// A PNG with this many pixels a side, with noise so that decoding takes time.
pub fn picture(side: u32) -> Result<Vec<u8>> {
    let mut random = fastrand::Rng::with_seed(7);
    let picture = image::RgbImage::from_fn(side, side, |x, y| {
        let [red, green] = [x, y].map(|place| u8::try_from(place % 256).unwrap_or_default());
        image::Rgb([red, green, random.u8(..8)])
    });
    let mut bytes = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut bytes, image::ImageFormat::Png)?;
    Ok(bytes.into_inner())
}
