//! Time zones by IANA name.

use std::path::Path;

use jiff::tz::TimeZone;

/// A time zone that can be stored by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedZone {
    /// Its IANA name, such as `Europe/Berlin`.
    pub name: String,
    /// Its rules.
    pub zone: TimeZone,
}

/// Why a zone is unavailable. It is never replaced by another zone.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The name is not in the database.
    #[error("`{0}` is not a time zone of the IANA database")]
    Unknown(String),
    /// The system's zone cannot be determined.
    #[error("the system's time zone cannot be read ({0}): set `time_zone` to an IANA name, such as `Europe/Berlin`")]
    System(String),
    /// The system's zone has no name, so it cannot be stored with a schedule.
    #[error("the system's time zone has no IANA name: set `time_zone` to one, such as `Europe/Berlin`")]
    Unnamed,
}

impl NamedZone {
    /// The zone with this name, in any letter case.
    pub fn get(name: &str) -> Result<Self, Error> {
        let zone = TimeZone::get(name).map_err(|_| Error::Unknown(name.to_owned()))?;
        Self::of(zone).ok_or_else(|| Error::Unknown(name.to_owned()))
    }

    /// The system's zone. A system without `TZ` and `/etc/localtime` uses UTC.
    pub fn system() -> Result<Self, Error> {
        if std::env::var_os("TZ").is_none() && !Path::new("/etc/localtime").exists() {
            return Self::get("UTC");
        }
        let zone = TimeZone::try_system().map_err(|error| Error::System(error.to_string()))?;
        Self::of(zone).ok_or(Error::Unnamed)
    }

    /// `None` for a zone without a name, and for `Etc/Unknown`.
    fn of(zone: TimeZone) -> Option<Self> {
        let name = zone.iana_name().filter(|_| !zone.is_unknown())?.to_owned();
        Some(Self { name, zone })
    }
}
