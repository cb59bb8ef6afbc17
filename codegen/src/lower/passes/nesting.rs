//! Nesting depth of models, which the compiler follows up to its recursion limit.

use super::draft::Draft;
use super::{cycles, usage};

/// The longest chain of models in one value. In a cycle, each model counts.
pub(crate) fn deepest(models: &[Draft]) -> usize {
    let mentioned = usage::mentions(models);
    let mut depth = vec![0; models.len()];
    for group in cycles::groups(&mentioned) {
        // Models of the group itself count as 0 here.
        let below = group.iter().flat_map(|member| &mentioned[*member]).map(|next| depth[*next]).max().unwrap_or(0);
        for member in &group {
            depth[*member] = below + group.len();
        }
    }
    depth.into_iter().max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use crate::lower::tests::lowered::schemas;

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
