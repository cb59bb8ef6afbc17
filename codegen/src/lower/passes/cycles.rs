//! Strongly connected components of models.

/// Groups models that refer to each other (strongly connected components). A group comes after the groups it
/// refers to.
pub(crate) fn groups(leads_to: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut search =
        Search { leads_to, order: vec![0; leads_to.len()], count: 0, open: Vec::new(), groups: Vec::new() };
    for index in 0..leads_to.len() {
        if search.order[index] == 0 {
            search.run(index);
        }
    }
    search.groups
}

/// Marks a model whose group is known.
const CLOSED: usize = usize::MAX;

/// Tarjan's algorithm with an explicit stack, because chains of models may exceed a thread's stack.
struct Search<'a> {
    leads_to: &'a [Vec<usize>],
    /// When a model was found, starting at 1; [`CLOSED`] once its group is known.
    order: Vec<usize>,
    count: usize,
    /// The models whose group is not yet known.
    open: Vec<usize>,
    groups: Vec<Vec<usize>>,
}

/// A model on the current path.
struct Step {
    index: usize,
    /// Number of its successors that have been visited.
    visited: usize,
    /// The earliest open model that it reaches.
    earliest: usize,
    /// Its index among the open ones.
    place: usize,
}

impl Search<'_> {
    fn run(&mut self, start: usize) {
        let mut way = vec![self.find(start)];
        while let Some(step) = way.last_mut() {
            if let Some(&next) = self.leads_to[step.index].get(step.visited) {
                step.visited += 1;
                match self.order[next] {
                    0 => way.push(self.find(next)),
                    CLOSED => {}
                    order => step.earliest = step.earliest.min(order),
                }
                continue;
            }
            let Step { index, earliest, place, .. } = *step;
            way.pop();
            if earliest == self.order[index] {
                let group = self.open.split_off(place);
                for member in &group {
                    self.order[*member] = CLOSED;
                }
                self.groups.push(group);
            } else if let Some(before) = way.last_mut() {
                before.earliest = before.earliest.min(earliest);
            }
        }
    }

    fn find(&mut self, index: usize) -> Step {
        self.count += 1;
        self.order[index] = self.count;
        self.open.push(index);
        Step { index, visited: 0, earliest: self.count, place: self.open.len() - 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leads_back_is_one_group_and_stands_behind_what_it_leads_to() {
        let leads_to = [vec![1, 4], vec![2], vec![1, 3], vec![], vec![4, 3]];
        let mut groups = groups(&leads_to);
        for group in &mut groups {
            group.sort_unstable();
        }
        assert_eq!(groups, [vec![3], vec![1, 2], vec![4], vec![0]]);
    }

    #[test]
    fn long_chains_and_cycles_take_no_stack() {
        let count = 1_000_000;
        let chain: Vec<Vec<usize>> = (0..count).map(|index| (index + 1..count).take(1).collect()).collect();
        assert_eq!(groups(&chain).len(), count);
        let cycle: Vec<Vec<usize>> = (0..count).map(|index| vec![(index + 1) % count]).collect();
        assert_eq!(groups(&cycle).len(), 1);
    }
}
