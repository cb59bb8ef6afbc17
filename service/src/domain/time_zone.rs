//! Time zones by their IANA names.

use std::path::Path;

use jiff::tz::TimeZone;

/// A zone that can be written down and found again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedZone {
    /// Its IANA name, such as `Europe/Berlin`.
    pub name: String,
    /// Its rules.
    pub zone: TimeZone,
}

/// Why there is no zone. It is never taken for another one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The name is not in the database.
    #[error("`{0}` is no time zone of the IANA database")]
    Unknown(String),
    /// The system's zone cannot be found out.
    #[error("the system's time zone cannot be read ({0}): set `time_zone` to an IANA name, such as `Europe/Berlin`")]
    System(String),
    /// The system's zone is rules without a name, which cannot be kept with a schedule.
    #[error("the system's time zone has no IANA name: set `time_zone` to one, such as `Europe/Berlin`")]
    Unnamed,
}

impl NamedZone {
    /// The zone with that name, in any letter case.
    pub fn get(name: &str) -> Result<Self, Error> {
        let zone = TimeZone::get(name).map_err(|_| Error::Unknown(name.to_owned()))?;
        Self::of(zone).ok_or_else(|| Error::Unknown(name.to_owned()))
    }

    /// The system's zone. A system that has none set, neither `TZ` nor `/etc/localtime`, means UTC by that.
    pub fn system() -> Result<Self, Error> {
        if cfg!(unix) && std::env::var_os("TZ").is_none() && !Path::new("/etc/localtime").exists() {
            return Self::get("UTC");
        }
        let zone = TimeZone::try_system().map_err(|error| Error::System(error.to_string()))?;
        Self::of(zone).ok_or(Error::Unnamed)
    }

    /// `None` for a zone without a name, and for `Etc/Unknown`, which stands for not knowing.
    fn of(zone: TimeZone) -> Option<Self> {
        let name = zone.iana_name().filter(|_| !zone.is_unknown())?.to_owned();
        Some(Self { name, zone })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zone_that_is_not_known_is_not_taken_for_another() {
        assert_eq!(NamedZone::get("europe/berlin").unwrap().name, "Europe/Berlin");
        assert_eq!(NamedZone::get("UTC").unwrap().zone, TimeZone::UTC);
        for name in ["Europe/Atlantis", "", "Etc/Unknown", "EST5EDT4,M3.2.0,M11.1.0", "/etc/localtime"] {
            assert_eq!(NamedZone::get(name), Err(Error::Unknown(name.into())));
        }
        assert_eq!(NamedZone::of(TimeZone::posix("CET-1CEST,M3.5.0,M10.5.0/3").unwrap()), None);
    }
}
