//! Unions whose variants only rules tell apart, such as two strings with a `pattern` each.

use std::collections::BTreeSet;

use foldhash::HashMap;

use super::draft::Draft;
use super::union_discriminators::{covers, json_types};
use crate::ir::{JsonType, MAX_TYPE_DEPTH, ModelId, ModelKind, Rule, Struct, Tagging, Type, Union, Value};

/// Marks these unions, and the objects that have the rules.
pub(crate) fn mark(models: &mut [Draft]) {
    let mut comparison =
        Comparison { models, types: HashMap::default(), known: HashMap::default(), found: BTreeSet::new() };
    for (index, model) in models.iter().enumerate() {
        let ModelKind::Union(union) = &model.kind else { continue };
        let tried = tried_in_turn(union);
        for (place, first) in tried.iter().enumerate() {
            for later in &tried[place + 1..] {
                if comparison.differ(first, later, 0) {
                    comparison.found.insert(ModelId(index));
                }
            }
        }
    }
    for id in comparison.found {
        models[id.0].discriminated_by_rules = true;
    }
}

/// The values of the variants that are tried in order.
fn tried_in_turn(union: &Union) -> Vec<&Value> {
    match &union.tagging {
        Tagging::Ordered => union.variants.iter().map(|variant| &variant.value).collect(),
        Tagging::Discriminator { untagged, .. } => untagged.iter().map(|index| &union.variants[*index].value).collect(),
        Tagging::JsonType(_) | Tagging::RequiredMember(_) => Vec::new(),
    }
}

/// Compares two values: can a valid later one match the type of the first and violate its rules?
struct Comparison<'m> {
    models: &'m [Draft],
    /// The JSON types of values.
    types: HashMap<Place, Vec<JsonType>>,
    /// Known results; `false` while a comparison is running.
    known: HashMap<(Place, Place), bool>,
    /// The models with such rules.
    found: BTreeSet<ModelId>,
}

/// Identifies a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Place {
    /// By its model.
    Model(ModelId),
    /// By address, if it has its own rules or no model.
    Value(*const Value),
}

impl Place {
    fn of(value: &Value) -> Self {
        match value.ty {
            Type::Model(id) if value.rules.is_empty() => Self::Model(id),
            _ => Self::Value(value),
        }
    }
}

impl<'m> Comparison<'m> {
    fn differ(&mut self, first: &'m Value, later: &'m Value, depth: usize) -> bool {
        let pair = (Place::of(first), Place::of(later));
        if let Some(known) = self.known.get(&pair) {
            return *known;
        }
        for (place, value) in [(pair.0, first), (pair.1, later)] {
            self.types.entry(place).or_insert_with(|| json_types(self.models, value));
        }
        let others = &self.types[&pair.1];
        if depth > MAX_TYPE_DEPTH || !self.types[&pair.0].iter().any(|ty| others.contains(ty)) {
            return false;
        }
        self.known.insert(pair, false);
        let depth = depth + 1;
        // Compare the contents even if the own rules differ.
        let inside = match (&first.ty, &later.ty) {
            (Type::Model(one), ty) => match (&self.models[one.0].kind, self.object(ty)) {
                (ModelKind::Alias(alias), _) => self.differ(&alias.value, later, depth),
                (ModelKind::Union(union), _) => {
                    let differ = self.any(union.variants.iter().map(|variant| (&variant.value, later)), depth);
                    if differ {
                        self.found.insert(*one);
                    }
                    differ
                }
                (ModelKind::Struct(struct_), Some(other)) => self.objects((*one, struct_), other, depth),
                (ModelKind::Struct(_) | ModelKind::Enum(_), _) => self.behind(first, later, depth),
            },
            (Type::Array(first), Type::Array(later)) | (Type::Map(first), Type::Map(later)) => {
                self.differ(first, later, depth)
            }
            (Type::Tuple(first), Type::Tuple(later)) if first.has_form_of(later) => {
                self.any(first.values().zip(later.values()), depth)
            }
            _ => self.behind(first, later, depth),
        };
        let differ = inside || has_others(&first.rules, &later.rules);
        self.known.insert(pair, differ);
        differ
    }

    /// The same if the later type is an alias or a union.
    fn behind(&mut self, first: &'m Value, later: &'m Value, depth: usize) -> bool {
        let Type::Model(id) = later.ty else { return false };
        match &self.models[id.0].kind {
            ModelKind::Alias(alias) => self.differ(first, &alias.value, depth),
            ModelKind::Union(union) => self.any(union.variants.iter().map(|variant| (first, &variant.value)), depth),
            ModelKind::Struct(_) | ModelKind::Enum(_) => false,
        }
    }

    fn object(&self, ty: &Type) -> Option<(ModelId, &'m Struct)> {
        let Type::Model(id) = ty else { return None };
        let ModelKind::Struct(struct_) = &self.models[id.0].kind else { return None };
        Some((*id, struct_))
    }

    fn objects(&mut self, first: (ModelId, &'m Struct), later: (ModelId, &'m Struct), depth: usize) -> bool {
        let shared = first.1.fields.iter().filter_map(|field| {
            let other = later.1.fields.iter().find(|other| other.name.wire == field.name.wire)?;
            Some((&field.value, &other.value))
        });
        let differ = first.0 != later.0
            && covers(self.models, first.1, later.1)
            && (self.any(shared, depth) | has_others(&first.1.rules, &later.1.rules));
        if differ {
            self.found.extend([first.0, later.0]);
        }
        differ
    }

    /// Whether some of the pairs differ; compares all of them.
    fn any(&mut self, pairs: impl Iterator<Item = (&'m Value, &'m Value)>, depth: usize) -> bool {
        pairs.fold(false, |any, (first, later)| self.differ(first, later, depth) | any)
    }
}

/// Whether a value may satisfy the others and violate one of these.
fn has_others(rules: &[Rule], others: &[Rule]) -> bool {
    rules.iter().any(|rule| !others.contains(rule))
}

#[cfg(test)]
mod tests {
    use crate::lower::tests::lowered::document;

    /// Comparing again at each depth would take exponential time.
    #[test]
    fn lists_of_the_union_itself_are_compared_once() {
        let lists: Vec<_> = (1..=30)
            .map(|most| format!("{{ type: array, maxItems: {most}, items: {{ $ref: '#/components/schemas/A' }} }}"))
            .collect();
        let lowered = document(&format!(
            "
openapi: 3.0.3
info: {{ title: T, version: '1' }}
paths: {{}}
components: {{ schemas: {{ A: {{ oneOf: [{}] }} }} }}
",
            lists.join(", ")
        ));
        let marked: Vec<_> = lowered.api.models.iter().map(|model| model.discriminated_by_rules).collect();
        assert_eq!(marked, [true]);
    }
}
