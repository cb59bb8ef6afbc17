//! Conditions on which members an object has.

use std::fmt;

/// A condition on the members of an object.
#[derive(Clone, Copy, Debug)]
pub enum Together<'a> {
    /// All of these members are present.
    Has(&'a [&'a str]),
    /// The condition does not hold.
    Not(&'a Together<'a>),
    /// `dependentRequired`: if the first is present, so are the others.
    With(&'a str, &'a [&'a str]),
    /// `allOf`
    All(&'a [Together<'a>]),
    /// `anyOf`
    Any(&'a [Together<'a>]),
    /// `oneOf`
    One(&'a [Together<'a>]),
}

impl Together<'_> {
    /// Whether the condition holds; `has` says whether a member is present.
    pub(super) fn holds(&self, has: &dyn Fn(&str) -> bool) -> bool {
        match self {
            Self::Has(names) => names.iter().all(|name| has(name)),
            Self::Not(condition) => !condition.holds(has),
            Self::With(first, names) => !has(first) || names.iter().all(|name| has(name)),
            Self::All(conditions) => conditions.iter().all(|condition| condition.holds(has)),
            Self::Any(conditions) => conditions.iter().any(|condition| condition.holds(has)),
            Self::One(conditions) => conditions.iter().filter(|condition| condition.holds(has)).count() == 1,
        }
    }

    /// The keyword in the description.
    pub(super) fn keyword(&self) -> &'static str {
        match self {
            Self::Has(_) => "required",
            Self::Not(_) => "not",
            Self::With(..) => "dependentRequired",
            Self::All(_) => "allOf",
            Self::Any(_) => "anyOf",
            Self::One(_) => "oneOf",
        }
    }
}

/// Completes "has to have": "either `a` or `b`", "not both `a` and `b`".
impl fmt::Display for Together<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Has(names) => list(f, names, " and ", |f, name| write!(f, "`{name}`")),
            Self::Not(Together::Has([name])) => write!(f, "no `{name}`"),
            Self::Not(Together::Has(names)) => {
                f.write_str("not all of ")?;
                list(f, names, ", ", |f, name| write!(f, "`{name}`"))
            }
            Self::Not(condition) => write!(f, "not ({condition})"),
            Self::With(first, names) => write!(f, "{} with `{first}`", Together::Has(names)),
            Self::All(conditions) => list(f, conditions, " and ", inner),
            Self::Any(conditions) => list(f, conditions, " or ", inner),
            Self::One(conditions) => {
                f.write_str("exactly one of: ")?;
                list(f, conditions, "; ", |f, condition| write!(f, "{condition}"))
            }
        }
    }
}

fn inner(f: &mut fmt::Formatter<'_>, condition: &Together<'_>) -> fmt::Result {
    match condition {
        Together::Has([_]) | Together::Not(_) => write!(f, "{condition}"),
        Together::Has(_) | Together::With(..) | Together::All(_) | Together::Any(_) | Together::One(_) => {
            write!(f, "({condition})")
        }
    }
}

fn list<T>(
    f: &mut fmt::Formatter<'_>,
    items: &[T],
    separator: &str,
    write: impl Fn(&mut fmt::Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            f.write_str(separator)?;
        }
        write(f, item)?;
    }
    Ok(())
}
