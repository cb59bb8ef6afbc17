//! How deep models are in models: the compiler follows them, and stops at a limit unless the crate asks for a higher one.

use crate::ir::Model;
use crate::lower::walk;

/// The most models that one value can lead through, each in the one before. Where they lead in circles it is their number.
pub(super) fn deepest(models: &[Model]) -> usize {
    let mentioned: Vec<Vec<usize>> = models.iter().map(walk::mentions).collect();
    let (order, depth) = (vec![0; models.len()], vec![None; models.len()]);
    let mut walk = Walk { mentioned: &mentioned, order, count: 0, open: Vec::new(), depth };
    for index in 0..models.len() {
        walk.visit(index);
    }
    walk.depth.into_iter().flatten().max().unwrap_or(0)
}

/// Tarjan's search for strongly connected components, which are closed after all that they lead to.
struct Walk<'a> {
    mentioned: &'a [Vec<usize>],
    /// When a model was found, from 1.
    order: Vec<usize>,
    count: usize,
    /// The models whose component is not known yet.
    open: Vec<usize>,
    /// Of the models whose component is known.
    depth: Vec<Option<usize>>,
}

impl Walk<'_> {
    /// Returns the earliest open model that this one leads to.
    fn visit(&mut self, index: usize) -> usize {
        if self.order[index] != 0 {
            return self.order[index];
        }
        self.count += 1;
        self.order[index] = self.count;
        let place = self.open.len();
        self.open.push(index);
        let mut earliest = self.count;
        for &next in &self.mentioned[index] {
            if self.depth[next].is_none() {
                earliest = earliest.min(self.visit(next));
            }
        }
        if earliest == self.order[index] {
            let component = self.open.split_off(place);
            let below = component.iter().flat_map(|member| &self.mentioned[*member]);
            let below = below.filter_map(|next| self.depth[*next]).max().unwrap_or(0);
            for member in &component {
                self.depth[*member] = Some(below + component.len());
            }
        }
        earliest
    }
}

#[cfg(test)]
mod tests {
    use crate::lower::testing::schemas;

    #[test]
    fn chains_count_one_by_one_and_circles_as_a_whole() {
        let chain = "
            A: { type: object, properties: { b: { type: array, items: { $ref: '#/components/schemas/B' } } } }
            B: { type: object, properties: { c: { $ref: '#/components/schemas/C' }, d: { $ref: '#/components/schemas/D' } } }
            C: { type: object, properties: { d: { $ref: '#/components/schemas/D' } } }
            D: { type: object, properties: { text: { type: string } } }
        ";
        assert_eq!(schemas(&[chain]).api.nesting, 4);
        let circle = "
            E: { type: object, properties: { f: { $ref: '#/components/schemas/F' } } }
            F: { type: object, additionalProperties: { $ref: '#/components/schemas/G' } }
            G: { oneOf: [{ type: string }, { type: array, items: { $ref: '#/components/schemas/F' } }] }
        ";
        assert_eq!(schemas(&[circle]).api.nesting, 3);
        assert_eq!(schemas(&["A: { type: string, enum: [a] }"]).api.nesting, 1);
    }
}
