//! Inspects a data folder from outside, whether the process is running or not.

use std::{
    collections::HashSet,
    fmt::Write as _,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result};
use rusqlite::Connection;
use sha2::{Digest as _, Sha256};

/// The store of a folder, and its files.
pub struct Inside {
    store: Connection,
    contents: PathBuf,
}

impl Inside {
    /// Opens the store and recovers its log.
    pub fn open(data: &Path) -> Result<Self> {
        let store = Connection::open(data.join("store.sqlite"))?;
        Ok(Self { store, contents: data.join("attachments").join("content") })
    }

    /// Every inconsistency: pages of the store, references, missing or altered files.
    pub fn problems(&self) -> Result<Vec<String>> {
        let mut problems = Vec::new();
        let text = |row: &rusqlite::Row<'_>| row.get::<_, String>(0);
        for line in self.store.prepare("PRAGMA integrity_check")?.query_map((), text)? {
            problems.extend(Some(line?).filter(|line| line != "ok"));
        }
        for table in self.store.prepare("PRAGMA foreign_key_check")?.query_map((), text)? {
            problems.push(format!("a row of {} refers to nothing", table?));
        }
        let sql = "SELECT DISTINCT c.hash, c.blob FROM contents AS c JOIN
                (SELECT tenant_id, hash FROM attachments UNION SELECT tenant_id, hash FROM temporary_uploads)
                USING (tenant_id, hash)";
        let content = |row: &rusqlite::Row<'_>| Ok((row.get::<_, Vec<u8>>(0)?, row.get::<_, String>(1)?));
        for content in self.store.prepare(sql)?.query_map((), content)? {
            let (hash, blob) = content?;
            match std::fs::read(self.contents.join(blob.get(..2).unwrap_or(&blob)).join(&blob)) {
                Ok(bytes) if Sha256::digest(&bytes).as_slice() == hash => {}
                Ok(_) => problems.push(format!("the content {} is altered", hexadecimal(&hash))),
                Err(_) => problems.push(format!("the content {} is missing", hexadecimal(&hash))),
            }
        }
        Ok(problems)
    }

    /// The names of all accounts.
    pub fn accounts(&self) -> Result<HashSet<String>> {
        let mut statement = self.store.prepare("SELECT name FROM accounts")?;
        let names = statement.query_map((), |row| row.get(0))?;
        names.collect::<Result<_, _>>().context("the names of accounts")
    }

    /// The names of all attached files.
    pub fn attachments(&self) -> Result<HashSet<String>> {
        let mut statement = self.store.prepare("SELECT original_file_name FROM attachments")?;
        let names = statement.query_map((), |row| row.get(0))?;
        names.collect::<Result<_, _>>().context("the names of attachments")
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
