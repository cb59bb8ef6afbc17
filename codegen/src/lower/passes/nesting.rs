//! How deep models are in models: the compiler follows them, and stops at a limit unless the crate asks for a higher one.

use super::{cycles, walk};
use crate::ir::Model;

/// The most models that one value can lead through, each in the one before. Where they form cycles it is their number.
pub(crate) fn deepest(models: &[Model]) -> usize {
    let mentioned: Vec<Vec<usize>> = models.iter().map(walk::mentions).collect();
    let mut depth = vec![0; models.len()];
    for group in cycles::groups(&mentioned) {
        // Those of the group itself count as 0 until it is known.
        let below = group.iter().flat_map(|member| &mentioned[*member]).map(|next| depth[*next]).max().unwrap_or(0);
        for member in &group {
            depth[*member] = below + group.len();
        }
    }
    depth.into_iter().max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use crate::lower::testing::schemas;

    #[test]
    fn chains_count_one_by_one_and_cycles_as_a_whole() {
        let chain = "
            A: { type: object, properties: { b: { type: array, items: { $ref: '#/components/schemas/B' } } } }
            B: { type: object, properties: { c: { $ref: '#/components/schemas/C' }, d: { $ref: '#/components/schemas/D' } } }
            C: { type: object, properties: { d: { $ref: '#/components/schemas/D' } } }
            D: { type: object, properties: { text: { type: string } } }
        ";
        assert_eq!(schemas(&[chain]).api.nesting, 4);
        let cycle = "
            E: { type: object, properties: { f: { $ref: '#/components/schemas/F' } } }
            F: { type: object, additionalProperties: { $ref: '#/components/schemas/G' } }
            G: { oneOf: [{ type: string }, { type: array, items: { $ref: '#/components/schemas/F' } }] }
        ";
        assert_eq!(schemas(&[cycle]).api.nesting, 3);
        assert_eq!(schemas(&["A: { type: string, enum: [a] }"]).api.nesting, 1);
    }
}
