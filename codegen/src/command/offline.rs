//! Local copies of remote documents.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::str::FromStr;

use specwright::Files;

/// A folder with copies of the documents whose URL starts with a prefix.
#[derive(Clone, Debug)]
pub(super) struct Mirror {
    prefix: String,
    folder: PathBuf,
}

impl Mirror {
    pub(super) fn new(prefix: &str, folder: PathBuf) -> Result<Self, String> {
        if !is_url(prefix) {
            return Err(format!("`{prefix}` does not start with `https://` or `http://`"));
        }
        Ok(Self { prefix: prefix.trim_end_matches('/').to_owned(), folder })
    }
}

impl FromStr for Mirror {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (prefix, folder) = text.split_once('=').ok_or("expected URL=FOLDER")?;
        Self::new(prefix, folder.into())
    }
}

/// All mirrors, by prefix.
#[derive(Debug, Default)]
pub(super) struct Offline(BTreeMap<String, PathBuf>);

impl Offline {
    /// For equal prefixes the last mirror wins.
    pub(super) fn new(mirrors: impl IntoIterator<Item = Mirror>) -> Self {
        Self(mirrors.into_iter().map(|mirror| (mirror.prefix, mirror.folder)).collect())
    }

    /// The path of the copy of a URL, whether or not it exists; the longest prefix wins.
    pub(super) fn path(&self, url: &str) -> Option<PathBuf> {
        self.find(url).map(|(folder, rest)| folder.join(rest))
    }

    fn find<'a>(&'a self, url: &'a str) -> Option<(&'a Path, &'a str)> {
        let rests =
            self.0.iter().filter_map(|(prefix, folder)| Some((folder, url.strip_prefix(prefix)?.strip_prefix('/')?)));
        rests.min_by_key(|(_, rest)| rest.len()).map(|(folder, rest)| (folder.as_path(), rest))
    }
}

impl Files for Offline {
    fn read(&self, url: &str) -> io::Result<Vec<u8>> {
        let (folder, rest) = self.find(url).ok_or(io::ErrorKind::NotFound)?;
        let path = folder.join(rest);
        let with_path = |error: io::Error| io::Error::new(error.kind(), format!("`{}`: {error}", path.display()));
        // Symbolic links are followed first.
        let is_inside = Path::new(rest).components().all(|part| matches!(part, Component::Normal(_)))
            && fs::canonicalize(&path).map_err(with_path)?.starts_with(fs::canonicalize(folder).map_err(with_path)?);
        if !is_inside {
            return Err(with_path(io::Error::new(io::ErrorKind::PermissionDenied, "it is not in the folder")));
        }
        fs::read(&path).map_err(with_path)
    }
}

/// The text with its scheme in lower case, if it has one: `https://example.com/openapi.yaml`.
pub(super) fn with_scheme(text: &str) -> Option<String> {
    let (scheme, rest) = text.split_once("://")?;
    let is_scheme = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    is_scheme.then(|| format!("{}://{rest}", scheme.to_ascii_lowercase()))
}

pub(super) fn is_url(path: &str) -> bool {
    path.starts_with("https://") || path.starts_with("http://")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_prefix_leads_to_the_copy() {
        let mirrors = ["https://example.com/=a", "https://example.com/schemas=b", "http://example.com=c"];
        let offline = Offline::new(mirrors.map(|text| text.parse::<Mirror>().unwrap()));
        for (url, path) in [
            ("https://example.com/x.json", Some("a/x.json")),
            ("https://example.com/schemas/x.json", Some("b/x.json")),
            ("https://example.com/schemas2/x.json", Some("a/schemas2/x.json")),
            ("http://example.com/x/y", Some("c/x/y")),
            ("https://example.com.evil.org/x", None),
        ] {
            assert_eq!(offline.path(url), path.map(PathBuf::from), "{url}");
        }
        for wrong in ["example.com=a", "https://example.com"] {
            assert!(wrong.parse::<Mirror>().is_err(), "{wrong}");
        }
    }
}
