//! Which node of the tree stood where in the description before it was upgraded.

use foldhash::HashMap;

/// Nodes that were moved, with all that is in them.
#[derive(Clone, Debug, Default)]
pub(super) struct Moves {
    by_new: HashMap<String, String>,
    by_old: HashMap<String, String>,
}

impl Moves {
    /// The node at `old` is at `new` now. Of several copies the first is the one that references lead to.
    pub(super) fn add(&mut self, new: &str, old: &str) {
        self.by_old.entry(old.to_owned()).or_insert_with(|| new.to_owned());
        self.by_new.insert(new.to_owned(), old.to_owned());
    }

    /// Where the node at `new` was, unless it was there.
    pub(super) fn back(&self, new: &str) -> Option<String> {
        replaced(new, &self.by_new)
    }

    /// Where the node at `old` is.
    pub(super) fn forward(&self, old: &str) -> String {
        replaced(old, &self.by_old).unwrap_or_else(|| old.to_owned())
    }
}

/// The pointer after the innermost move of a node on the way to it.
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
