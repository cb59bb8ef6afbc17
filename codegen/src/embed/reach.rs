//! Which items of the runtime a crate reaches, and with which of its features.

use super::mention::{Mention, Names};
use super::node::Node;

/// The sets of the [`FEATURES`](super::FEATURES) that can be on: none, the first, the second, both. A bit for each says
/// with which of them something is there.
pub(super) type Sets = u8;

/// All features are on.
pub(super) const ALL: Sets = 1 << 3;

/// What is mentioned in code that is reached, by number.
pub(super) struct Reached(Vec<Sets>);

/// Marks the nodes that are reached from `roots`: each is what generated code mentions, with the feature that has to be
/// on for it.
pub(super) fn reach(nodes: &mut [Node<'_>], names: &Names<'_>, roots: &[(Option<usize>, usize)]) -> Reached {
    let mut mentioned = vec![0; names.len()];
    for features in 0..4_usize {
        let set: Sets = 1 << features;
        let is_on = |feature: Option<usize>| feature.is_none_or(|feature| features & 1 << feature != 0);
        for (_, number) in roots.iter().filter(|(feature, _)| is_on(*feature)) {
            mentioned[*number] |= set;
        }
        let mut waiting: Vec<usize> = (0..nodes.len()).collect();
        loop {
            let before = waiting.len();
            waiting.retain(|place| {
                let node = &mut nodes[*place];
                let is_met = |any: &Vec<usize>| any.iter().any(|number| mentioned[*number] & set != 0);
                if !node.needs.iter().all(is_met) {
                    return true;
                }
                node.reached |= set;
                for (_, number) in node.mentions.iter().filter(|(feature, _)| is_on(*feature)) {
                    mentioned[*number] |= set;
                }
                false
            });
            if waiting.len() == before {
                break;
            }
        }
    }
    Reached(mentioned)
}

impl Reached {
    /// With which sets something is mentioned.
    pub(super) fn sets(&self, names: &Names<'_>, mention: Mention<'_>) -> Sets {
        names.known(mention).map_or(0, |number| self.0[number])
    }
}
