//! Values of settings: parsing and display.

use std::{fmt, net::IpAddr, net::SocketAddr, path::PathBuf, str::FromStr};

use ipnet::IpNet;

use super::LogFormat;
use crate::store::Location;

/// A type of setting.
pub(super) trait Value {
    /// Sets the value; the error says what was expected.
    fn set(&mut self, given: &toml::Value) -> Result<(), String>;

    /// The value as TOML, with passwords hidden.
    fn show(&self) -> toml::Value;
}

/// The text of a value that is not a list.
fn text(given: &toml::Value) -> Result<String, String> {
    match given {
        toml::Value::String(text) => Ok(text.clone()),
        toml::Value::Integer(_) | toml::Value::Boolean(_) => Ok(given.to_string()),
        _ => Err("one value is expected".into()),
    }
}

fn parse<T: FromStr<Err: fmt::Display>>(text: &str) -> Result<T, String> {
    text.trim().parse().map_err(|error| format!("`{text}`: {error}"))
}

/// The texts of a list: an array, or one text separated by commas or spaces, as in the environment.
fn texts(given: &toml::Value) -> Result<Vec<String>, String> {
    match given {
        toml::Value::Array(list) => list.iter().map(text).collect(),
        one => {
            let is_between = |letter: char| letter == ',' || letter.is_whitespace();
            Ok(text(one)?.split(is_between).filter(|part| !part.is_empty()).map(str::to_owned).collect())
        }
    }
}

/// The address of a store, with its password hidden.
fn shown(text: &str) -> toml::Value {
    match Location::parse(text) {
        Ok(location) if text.contains("://") => location.to_string(),
        _ => text.to_owned(),
    }
    .into()
}

macro_rules! numbers {
    ($($type:ty),*) => {$(
        impl Value for $type {
            fn set(&mut self, given: &toml::Value) -> Result<(), String> {
                *self = parse(&text(given)?)?;
                Ok(())
            }

            fn show(&self) -> toml::Value {
                i64::try_from(*self).unwrap_or(i64::MAX).into()
            }
        }
    )*};
}
numbers!(u32, u64, usize);

impl Value for bool {
    fn set(&mut self, given: &toml::Value) -> Result<(), String> {
        *self = parse(&text(given)?)?;
        Ok(())
    }

    fn show(&self) -> toml::Value {
        (*self).into()
    }
}

impl Value for String {
    fn set(&mut self, given: &toml::Value) -> Result<(), String> {
        *self = text(given)?;
        Ok(())
    }

    fn show(&self) -> toml::Value {
        shown(self)
    }
}

impl Value for PathBuf {
    fn set(&mut self, given: &toml::Value) -> Result<(), String> {
        *self = text(given)?.into();
        Ok(())
    }

    fn show(&self) -> toml::Value {
        self.display().to_string().into()
    }
}

impl Value for SocketAddr {
    fn set(&mut self, given: &toml::Value) -> Result<(), String> {
        *self = parse(&text(given)?)?;
        Ok(())
    }

    fn show(&self) -> toml::Value {
        self.to_string().into()
    }
}

impl Value for Option<SocketAddr> {
    fn set(&mut self, given: &toml::Value) -> Result<(), String> {
        *self = Some(text(given)?).filter(|text| !text.is_empty()).map(|text| parse(&text)).transpose()?;
        Ok(())
    }

    fn show(&self) -> toml::Value {
        self.map_or_else(String::new, |address| address.to_string()).into()
    }
}

impl Value for Vec<String> {
    fn set(&mut self, given: &toml::Value) -> Result<(), String> {
        *self = texts(given)?;
        Ok(())
    }

    fn show(&self) -> toml::Value {
        self.iter().map(|text| shown(text)).collect::<Vec<_>>().into()
    }
}

impl Value for Vec<IpNet> {
    fn set(&mut self, given: &toml::Value) -> Result<(), String> {
        let network = |text: String| {
            let network = text.parse().or_else(|_| text.parse::<IpAddr>().map(IpNet::from));
            network.map_err(|_| format!("`{text}` is neither an address nor a network such as 10.0.0.0/8"))
        };
        *self = texts(given)?.into_iter().map(network).collect::<Result<_, _>>()?;
        Ok(())
    }

    fn show(&self) -> toml::Value {
        self.iter().map(ToString::to_string).collect::<Vec<_>>().into()
    }
}

impl Value for LogFormat {
    fn set(&mut self, given: &toml::Value) -> Result<(), String> {
        *self = match text(given)?.as_str() {
            "text" => Self::Text,
            "json" => Self::Json,
            other => return Err(format!("`{other}` is neither `text` nor `json`")),
        };
        Ok(())
    }

    fn show(&self) -> toml::Value {
        match self {
            Self::Text => "text",
            Self::Json => "json",
        }
        .into()
    }
}
