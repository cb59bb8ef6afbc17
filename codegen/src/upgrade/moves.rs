//! Maps nodes of the tree to their location before the upgrade.

use foldhash::HashMap;

/// Moved nodes; their descendants move with them.
#[derive(Clone, Debug, Default)]
pub(super) struct Moves {
    by_new: HashMap<String, String>,
    by_old: HashMap<String, String>,
}

impl Moves {
    /// Records that the node at `old` is now at `new`. References lead to the first of several copies.
    pub(super) fn add(&mut self, new: &str, old: &str) {
        self.by_old.entry(old.to_owned()).or_insert_with(|| new.to_owned());
        self.by_new.insert(new.to_owned(), old.to_owned());
    }

    /// The old location of the node at `new`, if it was moved.
    pub(super) fn back(&self, new: &str) -> Option<String> {
        replaced(new, &self.by_new)
    }

    /// The new location of the node at `old`.
    pub(super) fn forward(&self, old: &str) -> String {
        replaced(old, &self.by_old).unwrap_or_else(|| old.to_owned())
    }
}

/// The pointer after applying the innermost move of an ancestor.
fn replaced(pointer: &str, moves: &HashMap<String, String>) -> Option<String> {
    let mut end = pointer.len();
    while !moves.is_empty() {
        if let Some(moved) = moves.get(&pointer[..end]) {
            return Some(format!("{moved}{}", &pointer[end..]));
        }
        end = pointer[..end].rfind('/')?;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_innermost_move_counts() {
        let mut moves = Moves::default();
        moves.add("/components/schemas", "/definitions");
        moves.add("/parameters/0", "/parameters/1");
        moves.add("/parameters/0/schema", "/parameters/1");
        moves.add("/copy", "/definitions");
        for (new, old) in [
            ("/components/schemas/A/properties/b", "/definitions/A/properties/b"),
            ("/parameters/0/schema/items", "/parameters/1/items"),
            ("/parameters/0/name", "/parameters/1/name"),
            ("/copy", "/definitions"),
            ("/paths", "/paths"),
        ] {
            assert_eq!(moves.back(new).as_deref().unwrap_or(new), old);
        }
        assert_eq!(moves.forward("/definitions/A"), "/components/schemas/A");
        assert_eq!(moves.forward("/definitions2"), "/definitions2");
    }
}
