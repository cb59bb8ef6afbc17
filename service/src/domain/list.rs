//! Queries of lists: filter, order, excluded members, and window.

use jiff::Timestamp;

use super::odata::Literal;

/// The members of a list's records, in the order of the indices in [`Sort`] and [`Exclude`].
pub trait Members {
    /// The name of each in the interface, and whether an index supports its order.
    fn members(&self) -> Vec<(&'static str, bool)>;

    /// The index of a member, named in any letter case.
    fn position(&self, name: &str) -> Option<usize> {
        self.members().iter().position(|(known, _)| known.eq_ignore_ascii_case(name))
    }
}

/// A query of a list.
#[derive(Clone, Debug, Default)]
pub struct ListQuery {
    /// The filter.
    pub filter: Filter,
    /// The order; ties are ordered by id.
    pub sort: Sort,
    /// The members that are neither read nor returned.
    pub exclude: Exclude,
    /// The window.
    pub window: Window,
}

/// Conditions on members of a list's records. Records satisfy all of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter(pub Vec<(&'static str, Test)>);

/// A condition on the value of a member.
#[derive(Clone, Debug, PartialEq)]
pub enum Test {
    /// Equal to this; texts in any letter case.
    Is(Literal),
    /// Contains this text, in any letter case.
    Contains(String),
    /// Not before this time.
    From(Timestamp),
    /// Not after this time.
    To(Timestamp),
    /// One of these; any if empty.
    OneOf(Vec<i32>),
    /// None of these.
    NoneOf(Vec<i32>),
}

impl Filter {
    /// Adds a condition if it has a value.
    #[must_use]
    pub fn and<T>(mut self, member: &'static str, test: impl FnOnce(T) -> Test, value: Option<T>) -> Self {
        self.0.extend(value.map(|value| (member, test(value))));
        self
    }
}

impl Test {
    /// Equal to this; texts in any letter case.
    pub fn is(value: impl Into<Literal>) -> Self {
        Self::Is(value.into())
    }
}

/// A part of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Window {
    /// Number of matches to skip.
    pub offset: u64,
    /// Maximum number of matches to return; all if absent.
    pub limit: Option<u32>,
    /// Only records after this id: with greater ids, or with lesser ones in descending order. Does not affect
    /// the total.
    pub after: Option<i32>,
}

impl Window {
    /// Page `number`, from 1, of pages of `size` records.
    pub fn page(number: u32, size: u32) -> Self {
        Self { offset: u64::from(number.saturating_sub(1)) * u64::from(size), limit: Some(size), after: None }
    }
}

/// A window of a list, and the length of the list.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed<T> {
    /// The records of the window.
    pub records: Vec<T>,
    /// The number of all matches.
    pub total: u64,
    /// The id of the last record, if it is a number and the order is by id.
    pub last: Option<i64>,
    /// Whether the window was cut because the response is full.
    pub is_cut: bool,
}

/// An order by members of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sort(pub Vec<SortKey>);

/// One key of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SortKey {
    /// The index of the member.
    pub member: usize,
    /// Greatest first.
    pub descending: bool,
}

/// Members by index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exclude(u64);

/// Why `Sort` or `Exclude` is invalid: a sentence for the caller.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Error(pub String);

impl Sort {
    /// Parses `AccountName, CreatedOn desc, -Id`: names in any letter case.
    pub fn parse(text: &str, list: &dyn Members) -> Result<Self, Error> {
        let members = list.members();
        let sortable = || members.iter().filter(|(_, is_sortable)| *is_sortable).map(|(name, _)| *name);
        let find = |name: &str| {
            let member = list.position(name).filter(|position| members[*position].1);
            member.ok_or_else(|| Error(format!("`{name}` cannot be sorted by; {}", allowed(sortable()))))
        };
        keys("Sort", text, true, find).map(Self)
    }
}

/// Reads the keys of an order, with commas between them; `find` gives the position of a member. With `minus`, `-Id` is `Id desc`.
pub fn keys(
    option: &str,
    text: &str,
    minus: bool,
    find: impl Fn(&str) -> Result<usize, Error>,
) -> Result<Vec<SortKey>, Error> {
    let mut keys: Vec<SortKey> = Vec::new();
    for part in text.split(',') {
        let mut words = part.split_whitespace();
        let Some(word) = words.next() else { return Err(Error(format!("`{option}` has an empty key"))) };
        let name = word.strip_prefix('-').filter(|_| minus).unwrap_or(word);
        let has_minus = name != word;
        let descending = match words.next() {
            None => has_minus,
            Some(_) if has_minus => return Err(Error(format!("`{name}` has a `-` and a direction"))),
            Some(direction) if direction.eq_ignore_ascii_case("asc") => false,
            Some(direction) if direction.eq_ignore_ascii_case("desc") => true,
            Some(direction) => return Err(Error(format!("`{direction}` is not a direction: use `asc` or `desc`"))),
        };
        if let Some(word) = words.next() {
            return Err(Error(format!("`{word}` follows the direction of `{name}`; keys are separated by commas")));
        }
        let member = find(name)?;
        if keys.iter().any(|key| key.member == member) {
            return Err(Error(format!("`{name}` stands in `{option}` twice")));
        }
        keys.push(SortKey { member, descending });
    }
    Ok(keys)
}

impl Exclude {
    /// Parses `Locations, Description`: names in any letter case, possibly empty.
    pub fn parse(text: &str, list: &dyn Members) -> Result<Self, Error> {
        let mut excluded = Self::default();
        if text.trim().is_empty() {
            return Ok(excluded);
        }
        for name in text.split(',').map(str::trim) {
            let member = list.position(name).ok_or_else(|| {
                Error(format!(
                    "`{name}` is not a member; {}",
                    allowed(list.members().into_iter().map(|(name, _)| name))
                ))
            })?;
            excluded.0 |= 1 << member;
        }
        Ok(excluded)
    }

    /// Whether the member at this index is excluded.
    pub fn contains(self, position: usize) -> bool {
        self.0 >> position & 1 == 1
    }
}

fn allowed(names: impl Iterator<Item = &'static str>) -> String {
    format!("there are {}", names.collect::<Vec<_>>().join(", "))
}
