//! The location of a store.

use std::{error::Error as _, fmt, path::PathBuf};

/// The database of a store.
#[derive(Clone, PartialEq, Eq)]
pub enum Location {
    /// An SQLite file, created if missing.
    Sqlite(PathBuf),
    /// The first schema of the `search_path` of a PostgreSQL URL. Missing tables are created.
    Postgres(String),
}

impl Location {
    /// Parses `sqlite:data/store.sqlite` or `postgres://user@host/database`.
    pub fn parse(text: &str) -> Result<Self, String> {
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            return match text.parse::<tokio_postgres::Config>() {
                Ok(_) => Ok(Self::Postgres(text.to_owned())),
                Err(error) => {
                    // The URL may contain a password, so report only the name of the invalid option.
                    let option =
                        error.source().map(ToString::to_string).filter(|text| text.starts_with("invalid value"));
                    let reason = option.unwrap_or_else(|| error.to_string());
                    Err(format!("the address of the PostgreSQL store cannot be read: {reason}"))
                }
            };
        }
        match text.strip_prefix("sqlite:").filter(|path| !path.is_empty()) {
            Some(path) => Ok(Self::Sqlite(path.into())),
            None => Err("a store is `sqlite:data/store.sqlite` or `postgres://user@host/database`".into()),
        }
    }
}

impl From<&PathBuf> for Location {
    fn from(file: &PathBuf) -> Self {
        Self::Sqlite(file.clone())
    }
}

/// Hides the password.
impl fmt::Display for Location {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let url = match self {
            Self::Sqlite(path) => return write!(formatter, "sqlite:{}", path.display()),
            Self::Postgres(url) => url,
        };
        let (scheme, rest) = url.split_once("://").unwrap_or(("postgres", url));
        let rest = rest.split('?').next().unwrap_or_default();
        match rest.rsplit_once('@') {
            Some((user, place)) => {
                let user = user.split(':').next().unwrap_or_default();
                write!(formatter, "{scheme}://{user}@{place}")
            }
            None => write!(formatter, "{scheme}://{rest}"),
        }
    }
}

impl fmt::Debug for Location {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}
