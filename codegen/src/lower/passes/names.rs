//! The final names of models, and their order.

use super::draft::Drafts;
use crate::ir::{ModelId, Type};
use crate::lower::name;
use crate::lower::overrides::name::claim_requested;
use crate::lower::reporter::Reporter;
use crate::parallel;

/// Names that the file of a model uses without a path, in addition to the prelude; a model with such a name
/// gets a suffix.
pub(crate) const TAKEN_BY_MODELS: &[&str] = &[
    "Base64",
    "BTreeMap",
    "Bytes",
    "Cow",
    "Date",
    "DateTime",
    "Decimal",
    "DecimalNumber",
    "FromParameter",
    "FromStr",
    "FromText",
    "Ipv4Addr",
    "Ipv6Addr",
    "Json",
    "Kind",
    "Maybe",
    "Notes",
    "Raw",
    "Read",
    "Reader",
    "Refusal",
    "Shape",
    "SpanFieldwise",
    "Style",
    "Time",
    "Timestamp",
    "ToParameter",
    "ToText",
    "Unknown",
    "Uuid",
    "Write",
    "Writer",
];

/// Names every model, named schemas first, and sorts them. Returns which ones the description or the user
/// names.
pub(crate) fn assign(reporter: &mut Reporter<'_>, api: &mut Drafts) -> Vec<bool> {
    let mut types = name::Scope::of_types(TAKEN_BY_MODELS);
    let requested: Vec<_> = api.models.iter().map(|draft| draft.requested.clone()).collect();
    let given = claim_requested(reporter, &requested, &mut types);
    for pass in [true, false] {
        let is_next = |index: usize| given[index].is_none() && api.models[index].named == pass;
        let indices: Vec<_> = (0..api.models.len()).filter(|index| is_next(*index)).collect();
        let wanted: Vec<_> = indices.iter().map(|index| free(&api.models[*index].name.rust)).collect();
        for (index, rust) in indices.into_iter().zip(name::unique(&wanted, &mut types)) {
            api.models[index].name.rust = rust;
        }
    }
    for (model, given) in api.models.iter_mut().zip(given) {
        model.name.rust = given.unwrap_or_else(|| std::mem::take(&mut model.name.rust));
    }

    let mut order: Vec<usize> = (0..api.models.len()).collect();
    order.sort_by(|left, right| api.models[*left].name.rust.cmp(&api.models[*right].name.rust));
    let mut ids = vec![ModelId(0); order.len()];
    for (index, old) in order.iter().enumerate() {
        ids[*old] = ModelId(index);
    }
    api.visit_mut(&mut |value| {
        if let Type::Model(id) = &mut value.ty {
            *id = ids[id.0];
        }
    });
    let mut models: Vec<_> = std::mem::take(&mut api.models).into_iter().map(Some).collect();
    api.models.reserve_exact(models.len());
    api.models.extend(order.iter().filter_map(|old| models[*old].take()));

    let wanted_modules = parallel::map(&api.models, |model| name::module(&model.name.rust));
    let mut modules = name::Scope::default();
    for (model, wanted) in api.models.iter_mut().zip(wanted_modules) {
        model.module = modules.claim(&wanted, &[]);
    }
    api.models.iter().map(|draft| draft.named || draft.requested.is_some()).collect()
}

/// The name, with a suffix if it has another meaning in the file of a model.
fn free(rust: &str) -> String {
    if TAKEN_BY_MODELS.contains(&rust) || name::PRELUDE.contains(&rust) {
        format!("{rust}Model")
    } else {
        rust.to_owned()
    }
}
