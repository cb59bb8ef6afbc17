//! The members that a description names.

/// Whether a member is required, and what `null` means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// Required.
    Required,
    /// Required, and may be `null`.
    Nullable,
    /// Required by strict readers only; may be `null`.
    Expected,
    /// Optional; a tolerant reader ignores `null`.
    Optional,
    /// Optional and nullable, with different meanings.
    Maybe,
    /// Optional, with any value, including `null`.
    Any,
}

/// The names of an object's members: a constant next to each generated struct.
#[derive(Clone, Copy, Debug)]
pub struct Members {
    names: &'static [&'static str],
    /// Members that only a strict reader requires.
    expected: &'static [&'static str],
    /// The presence of each member.
    presences: &'static [Presence],
    /// The bits of the required members among the first 256.
    required_mask: [u64; WORDS],
    /// The bits of the expected members among the first 256.
    expected_mask: [u64; WORDS],
    /// No name has escapes in JSON.
    plain: bool,
    any_case: bool,
    nesting: bool,
}

const WORDS: usize = 4;
const BITS: usize = WORDS * 64;

impl Members {
    /// Members with case-sensitive names; all optional, unless [`Members::with_presences`] changes that.
    pub const fn exact(names: &'static [&'static str]) -> Self {
        let (expected, presences, no_mask) = (&[] as &[_], &[] as &[_], [0; WORDS]);
        let (required_mask, expected_mask) = (no_mask, no_mask);
        Self { names, expected, presences, required_mask, expected_mask, plain: false, any_case: false, nesting: false }
    }

    /// The same if no name has quotes, backslashes or control characters; they are read faster.
    pub const fn plain(names: &'static [&'static str]) -> Self {
        Self { plain: true, ..Self::exact(names) }
    }

    /// Members with case-insensitive names (ASCII).
    pub const fn any_case(names: &'static [&'static str]) -> Self {
        Self { any_case: true, ..Self::exact(names) }
    }

    /// Marks members as expected: required by strict readers, optional for tolerant ones.
    #[must_use]
    pub const fn expecting(self, expected: &'static [&'static str]) -> Self {
        Self { expected, expected_mask: mask(self.names, expected), ..self }
    }

    /// Sets the presence of each name, in their order.
    #[must_use]
    pub const fn with_presences(mut self, presences: &'static [Presence]) -> Self {
        let mut index = 0;
        while index < presences.len() && index < BITS {
            let bit = 1 << (index % 64);
            match presences[index] {
                Presence::Required | Presence::Nullable => self.required_mask[index / 64] |= bit,
                Presence::Expected => self.expected_mask[index / 64] |= bit,
                Presence::Optional | Presence::Maybe | Presence::Any => {}
            }
            index += 1;
        }
        self.presences = presences;
        self
    }

    /// The presence of the member at `index`.
    pub(crate) fn presence(&self, index: usize) -> Option<Presence> {
        self.presences.get(index).copied()
    }

    /// Additional members are objects, or lists of objects: in a form, `a[b]` is the member `b` of `a`.
    #[must_use]
    pub const fn nesting(self) -> Self {
        Self { nesting: true, ..self }
    }

    /// Whether additional members have members themselves.
    pub(crate) fn is_nesting(&self) -> bool {
        self.nesting
    }

    /// All names, in the order of the description.
    pub fn names(&self) -> &'static [&'static str] {
        self.names
    }

    /// The name at `index`, if JSON writes it without escapes.
    pub(super) fn plain_name(&self, index: usize) -> Option<&'static str> {
        if self.plain { self.names.get(index).copied() } else { None }
    }

    /// The index of `name`. Senders usually keep the order of the description, so the search starts at `expected`.
    pub(crate) fn find(&self, name: &str, expected: usize) -> Option<usize> {
        match self.names.get(expected) {
            Some(next) if *next == name => Some(expected),
            _ => self.search(name, expected),
        }
    }

    fn search(&self, name: &str, expected: usize) -> Option<usize> {
        let (before, after) = self.names.split_at(expected.min(self.names.len()));
        let after_index = after.iter().position(|candidate| *candidate == name).map(|index| before.len() + index);
        let exact = after_index.or_else(|| before.iter().position(|candidate| *candidate == name));
        if exact.is_some() || !self.any_case {
            return exact;
        }
        self.names.iter().position(|candidate| candidate.eq_ignore_ascii_case(name))
    }

    /// Whether `name` equals `tag`, in the letter case that applies here.
    pub(crate) fn is_same(&self, tag: Option<&str>, name: &str) -> bool {
        tag.is_some_and(|tag| tag == name || self.any_case && tag.eq_ignore_ascii_case(name))
    }

    /// Whether all required and expected members are in `seen`.
    pub(super) fn are_complete(&self, seen: &Seen) -> bool {
        let masks = self.required_mask.iter().zip(&self.expected_mask).zip(&seen.first);
        self.names.len() <= BITS
            && masks.fold(0, |left, ((required, expected), seen)| left | (required | expected) & !seen) == 0
    }

    /// The required members that are not in `seen`.
    pub(crate) fn missing<'a>(&'a self, seen: &'a Seen) -> impl Iterator<Item = &'static str> + 'a {
        let is_required = |presence| matches!(presence, Presence::Required | Presence::Nullable);
        self.not_among(seen, &[], is_required)
    }

    /// The expected members that are not in `seen`.
    pub(crate) fn unmet<'a>(&'a self, seen: &'a Seen) -> impl Iterator<Item = &'static str> + 'a {
        self.not_among(seen, self.expected, |presence| presence == Presence::Expected)
    }

    fn not_among<'a>(
        &'a self,
        seen: &'a Seen,
        listed: &'static [&'static str],
        is_wanted: fn(Presence) -> bool,
    ) -> impl Iterator<Item = &'static str> + 'a {
        let listed = listed.iter().copied().filter(|name| self.find(name, 0).is_none_or(|index| !seen.contains(index)));
        let wanted = self.presences.iter().zip(self.names).enumerate();
        let wanted = wanted.filter(move |(index, (presence, _))| is_wanted(**presence) && !seen.contains(*index));
        wanted.map(|(_, (_, name))| *name).chain(listed)
    }
}

/// The members seen so far in one object.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    first: [u64; WORDS],
    rest: Vec<usize>,
}

impl Seen {
    /// Adds a member; `false` if it was already there.
    pub(crate) fn insert(&mut self, index: usize) -> bool {
        if let Some(word) = self.first.get_mut(index / 64) {
            let bit = 1 << (index % 64);
            let new = *word & bit == 0;
            *word |= bit;
            return new;
        }
        let new = !self.rest.contains(&index);
        if new {
            self.rest.push(index);
        }
        new
    }

    pub(crate) fn contains(&self, index: usize) -> bool {
        match self.first.get(index / 64) {
            Some(word) => word & 1 << (index % 64) != 0,
            None => self.rest.contains(&index),
        }
    }
}

const fn mask(names: &[&str], wanted: &[&str]) -> [u64; WORDS] {
    let mut mask = [0; WORDS];
    let mut index = 0;
    let mut next = 0;
    let mut passed = 0;
    // Both lists usually have the order of the description, so this is one pass over them.
    while next < wanted.len() {
        assert!(passed < names.len(), "every wanted member is among the members");
        if same(names[index], wanted[next]) {
            if index < BITS {
                mask[index / 64] |= 1 << (index % 64);
            }
            next += 1;
            passed = 0;
        } else {
            passed += 1;
        }
        index = (index + 1) % names.len();
    }
    mask
}

const fn same(left: &str, right: &str) -> bool {
    let (left, right) = (left.as_bytes(), right.as_bytes());
    if left.len() != right.len() {
        return false;
    }
    let mut index = 0;
    while index < left.len() {
        if left[index] != right[index] {
            return false;
        }
        index += 1;
    }
    true
}
