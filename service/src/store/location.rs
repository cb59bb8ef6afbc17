//! Where a store is.

use std::{
    fmt,
    path::{Path, PathBuf},
};

/// The database of a store.
#[derive(Clone, PartialEq, Eq)]
pub enum Location {
    /// A file of SQLite, made when it is not there.
    Sqlite(PathBuf),
    /// A schema of PostgreSQL, by its URL: the one that its `search_path` names first. Its tables are made when there are none.
    Postgres(String),
}

impl Location {
    /// Reads `sqlite:data/store.sqlite` or `postgres://user@host/database`.
    pub fn parse(text: &str) -> Result<Self, String> {
        if text.starts_with("postgres://") || text.starts_with("postgresql://") {
            return match text.parse::<tokio_postgres::Config>() {
                Ok(_) => Ok(Self::Postgres(text.to_owned())),
                // The address may hold a password.
                Err(error) => Err(format!("the address of the PostgreSQL store cannot be read: {error}")),
            };
        }
        match text.strip_prefix("sqlite:").filter(|path| !path.is_empty()) {
            Some(path) => Ok(Self::Sqlite(path.into())),
            None => Err("a store is `sqlite:data/store.sqlite` or `postgres://user@host/database`".into()),
        }
    }
}

impl From<&Path> for Location {
    fn from(file: &Path) -> Self {
        Self::Sqlite(file.to_owned())
    }
}

impl From<&PathBuf> for Location {
    fn from(file: &PathBuf) -> Self {
        Self::Sqlite(file.clone())
    }
}

/// Without the password.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locations_are_read_and_shown_without_their_password() {
        assert_eq!(Location::parse("sqlite:data/store.sqlite"), Ok(Location::Sqlite("data/store.sqlite".into())));
        let shown = |text: &str| Location::parse(text).map(|location| location.to_string());
        assert_eq!(shown("postgres://me:se%40cret@db:5433/x?sslmode=require"), Ok("postgres://me@db:5433/x".into()));
        assert_eq!(shown("postgresql://db/x?user=me&password=secret"), Ok("postgresql://db/x".into()));
        for wrong in ["", "sqlite:", "store.sqlite", "mysql://db", "postgres://db:port/x"] {
            assert!(Location::parse(wrong).is_err(), "{wrong}");
        }
    }
}
