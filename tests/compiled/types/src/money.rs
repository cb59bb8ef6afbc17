//! A string: an amount of money.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

/// An amount: `12.50 EUR`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Money {
    /// Amount in hundredths.
    pub cents: u32,
    /// Currency code.
    pub currency: [char; 3],
}

/// The text is not an amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidMoney;

impl fmt::Display for InvalidMoney {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an amount looks like `12.50 EUR`")
    }
}

impl Error for InvalidMoney {}

impl FromStr for Money {
    type Err = InvalidMoney;

    fn from_str(text: &str) -> Result<Self, InvalidMoney> {
        let (amount, currency) = text.split_once(' ').ok_or(InvalidMoney)?;
        let (whole, cents) = amount.split_once('.').filter(|(_, cents)| cents.len() == 2).ok_or(InvalidMoney)?;
        let cents = format!("{whole}{cents}").parse().map_err(|_| InvalidMoney)?;
        let letters: Vec<char> = currency.chars().filter(char::is_ascii_uppercase).collect();
        Ok(Self { cents, currency: letters.try_into().map_err(|_| InvalidMoney)? })
    }
}

impl fmt::Display for Money {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c] = self.currency;
        write!(f, "{}.{:02} {a}{b}{c}", self.cents / 100, self.cents % 100)
    }
}
